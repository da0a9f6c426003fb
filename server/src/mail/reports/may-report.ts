import { firstValue, readHeaderFields } from '../parse/read-header-fields.ts';

/** Returns whether a mail has parts, as every report does. The header shows that, and most mail with the null sender has none. */
export function mayReport(raw: Buffer): boolean {
  return /^\s*multipart\//i.test(firstValue(readHeaderFields(raw), 'content-type') ?? '');
}
