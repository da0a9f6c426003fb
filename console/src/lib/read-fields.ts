import type { FormEvent } from 'react';

/** Keeps the browser from sending a form, and returns a function that reads its fields by name. */
export function readFields(event: FormEvent<HTMLFormElement>): (name: string) => string {
  event.preventDefault();
  const data = new FormData(event.currentTarget);
  return (name) => String(data.get(name) ?? '');
}
