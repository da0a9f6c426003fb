import { allValues, readHeaderFields } from '../parse/read-header-fields.ts';

/** Returns the value of the From field as it is, on one line with encoded words; null unless there is exactly one such field. */
export function fromFieldOf(raw: Buffer): string | null {
  const [value, ...others] = allValues(readHeaderFields(raw), 'from');
  return value !== undefined && others.length === 0 ? value.trim() : null;
}
