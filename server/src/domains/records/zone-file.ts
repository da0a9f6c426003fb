import type { ExpectedRecord } from './expected-records.ts';
import { relativeName, zoneOf } from './relative-name.ts';

const ttlSeconds = 300;
/** The longest string of a TXT record (RFC 1035, section 3.3). */
const stringLengthMax = 255;

/** Returns the records of a domain as lines of a zone file (RFC 1035, section 5), with names relative to the provider's zone. */
export function zoneFileOf(hostname: string, records: ExpectedRecord[]): string {
  const zone = zoneOf(hostname);
  const lines = records.map(
    ({ name, type, value, priority }) =>
      `${relativeName(name, zone)} ${ttlSeconds} IN ${type} ${type === 'MX' ? `${priority} ${value}.` : quoteText(value)}`,
  );
  return [`$ORIGIN ${zone}.`, ...lines, ''].join('\n');
}

/** Returns a text as a zone file has it: in strings of at most 255 octets, which receivers join. */
export function quoteText(value: string): string {
  const strings = value.match(new RegExp(`.{1,${stringLengthMax}}`, 'g')) ?? [''];
  return strings.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(' ');
}
