import { firstValue, readHeaderFields } from '../parse/read-header-fields.ts';

/** Whether a mail has parts, as every report does; that is known by its header, and most mail with the null sender has none. */
export function mayReport(raw: Buffer): boolean {
  return /^\s*multipart\//i.test(firstValue(readHeaderFields(raw), 'content-type') ?? '');
}
