import type { AuditEntry } from '@postrider/contract/console';
import { sha256 } from './primitives.ts';

/** An entry of the audit log without its own hash. */
export type UnhashedEntry = Omit<AuditEntry, 'hash'>;

/** The `previous_hash` of the first entry of a workspace. */
export const hashBeforeFirst = '0'.repeat(64);

/**
 * Returns the hash of an entry: the SHA-256, in hexadecimal, of all its other fields in canonical JSON (RFC 8785). There, members are
 * sorted by name at every depth, there is no white space, and the text is UTF-8. Times are UTC with milliseconds, and a field without a
 * value is null. `previous_hash` is one of the fields, so a hash stands for the entry and for all entries before it. A field that a later
 * version adds is left out while it has no value, or the hashes of older entries would change.
 */
export function hashEntry(entry: UnhashedEntry): string {
  return sha256(canonicalJson(entry)).toString('hex');
}

/** Returns a value of JSON in its one canonical spelling. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`;
}
