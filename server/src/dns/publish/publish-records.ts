import { isIPv4, isIPv6 } from 'node:net';
import { isAskableName, plainName } from '../dns-message.ts';

/** All records of one name and type, as they shall be. */
export interface RecordChange {
  name: string;
  type: 'A' | 'AAAA' | 'CNAME' | 'MX' | 'TXT';
  /** Replaces every record of the name and type; null or an empty list removes them. Only MX has a priority. */
  values: { value: string; priority: number | null }[] | null;
  /** In seconds. */
  ttl: number;
}

/** Writes records into a zone at its DNS provider. */
export interface DnsPublisher {
  /** The name that operators know, such as `rfc2136 at ns1.example.net:53`; without secrets. */
  readonly name: string;
  /** Applies all changes or none of them. It can be repeated. @throws PublishError */
  publish(changes: RecordChange[]): Promise<void>;
  /**
   * Returns the zone that it writes to, once the provider has accepted the credentials. Changes nothing.
   *
   * @throws PublishError
   */
  check(): Promise<{ zone: string }>;
}

/** Thrown when records could not be written. The message is a sentence for the operator, without secrets. */
export class PublishError extends Error {
  override name = 'PublishError' as const;
}

const changesMax = 100;
const valuesMax = 100;
const textBytesMax = 4_096;
const ttlMax = 2 ** 31 - 1;

/**
 * Returns the changes with plain names, in the order given.
 *
 * @throws PublishError if one cannot be written as DNS.
 */
export function checkChanges(changes: RecordChange[]): RecordChange[] {
  if (changes.length > changesMax) throw new PublishError(`At most ${changesMax} changes go together.`);
  const checked = changes.map((change) => ({ ...change, name: plainName(change.name) }));
  for (const change of checked) {
    const problem = findProblem(change);
    if (problem !== null) throw new PublishError(`The ${change.type} record of ${change.name} ${problem}.`);
  }
  const keys = checked.map(({ name, type }) => `${type} ${name}`);
  const repeated = keys.find((key, at) => keys.indexOf(key) !== at);
  if (repeated !== undefined) throw new PublishError(`There are two changes of ${repeated}.`);
  return checked;
}

/** Returns the strings of at most 255 bytes that form a text in a TXT record (RFC 1035, section 3.3). */
export function splitText(text: string): Buffer[] {
  const bytes = Buffer.from(text);
  const count = Math.max(1, Math.ceil(bytes.length / 255));
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * 255, (at + 1) * 255));
}

function findProblem({ name, type, values, ttl }: RecordChange): string | null {
  if (!isAskableName(name)) return 'has an invalid name';
  if (!Number.isInteger(ttl) || ttl < 0 || ttl > ttlMax) return 'has an invalid TTL';
  if (values === null) return null;
  if (values.length > valuesMax) return `has more than ${valuesMax} values`;
  if (type === 'CNAME' && values.length > 1) return 'has more than one value';
  return values.every((value) => isValid(type, value)) ? null : 'has an invalid value';
}

function isValid(
  type: RecordChange['type'],
  { value, priority }: { value: string; priority: number | null },
): boolean {
  switch (type) {
    case 'A':
      return isIPv4(value);
    case 'AAAA':
      return isIPv6(value) && !value.includes('%');
    case 'CNAME':
      return isAskableName(plainName(value));
    case 'MX':
      return isPriority(priority) && (value === '.' || isAskableName(plainName(value)));
    case 'TXT':
      return Buffer.byteLength(value) <= textBytesMax;
  }
}

function isPriority(priority: number | null): boolean {
  return Number.isInteger(priority) && priority! >= 0 && priority! <= 0xffff;
}
