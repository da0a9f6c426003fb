/* Fields of forms, files and storage: the parts of the browser that pages use directly. */
import type { FormEvent } from 'react';

/** Keeps the browser from sending a form, and returns a function that reads its fields by name. */
export function readFields(event: FormEvent<HTMLFormElement>): (name: string) => string {
  event.preventDefault();
  const data = new FormData(event.currentTarget);
  return (name) => String(data.get(name) ?? '');
}

/** Lets the person save a text as a file. The browser creates the file and sends it nowhere. */
export function saveText(fileName: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  // The download begins after this task.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** The storage of a browser for all its tabs, or for one tab. */
type Place = 'localStorage' | 'sessionStorage';

/** Returns the text that is kept under a name; null for none, or in a browser without storage. */
export function readStored(place: Place, name: string): string | null {
  try {
    return globalThis[place].getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text under a name, or removes it with null. Where the storage is full or switched off, nothing is kept. */
export function keepStored(place: Place, name: string, value: string | null): void {
  try {
    if (value === null) globalThis[place].removeItem(name);
    else globalThis[place].setItem(name, value);
  } catch {
    // Pages work without it.
  }
}
