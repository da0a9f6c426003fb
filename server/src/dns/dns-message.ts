import { type Answer, decode, encode, type Question, RECURSION_DESIRED } from 'dns-packet';

/** The types of records that questions are about. */
export type AskedType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'SOA' | 'TXT';

/** One record. Names are in lower case without a final dot; the root is an empty name. The strings of a TXT record are joined. */
export interface DnsRecord {
  owner: string;
  type: AskedType;
  value: string;
  /** The preference of an MX record, null for other types. */
  priority: number | null;
  ttlSeconds: number;
}

/** The reply of a server to one question. */
export interface DnsReply {
  /** The result code: 0 no error, 1 form error, 2 server failure, 3 no such name, 4 not implemented, 5 refused. */
  code: number;
  isAuthoritative: boolean;
  isTruncated: boolean;
  answers: DnsRecord[];
  authorities: DnsRecord[];
  additionals: DnsRecord[];
}

/** Thrown when a server gave no usable reply. The message completes a sentence that begins with the server. */
export class NoReply extends Error {
  override name = 'NoReply' as const;
}

/** The size that survives every path without fragments (DNS flag day 2020). */
const udpPayloadBytes = 1_232;
const headerBytes = 12;
const recordsMax = 400;
const namesMax = { label: 63, whole: 253 };

/** Returns the name of a result code, as operators know it. */
export function codeText(code: number): string {
  const names: Record<number, string> = {
    1: 'FORMERR',
    2: 'SERVFAIL',
    4: 'NOTIMP',
    5: 'REFUSED',
    9: 'NOTAUTH',
  };
  return names[code] ?? `code ${code}`;
}

/** Returns a name in lower case without a final dot. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** Returns the name above a plain name, or null for the root. */
export function parentName(name: string): string | null {
  if (name === '') return null;
  return name.includes('.') ? name.slice(name.indexOf('.') + 1) : '';
}

/** Returns whether a plain name is the zone's own name or below it. */
export function isInZone(name: string, zone: string): boolean {
  return zone === '' || name === zone || name.endsWith(`.${zone}`);
}

/** Returns whether a name can be asked for: ASCII labels of 1–63 characters, 253 in all (RFC 1035, section 2.3.4). */
export function isAskableName(name: string): boolean {
  return (
    name.length <= namesMax.whole &&
    name.split('.').every((label) => label.length <= namesMax.label && /^[a-z0-9_*-]+$/i.test(label))
  );
}

/** Returns the bytes of a query. `hasOptions` adds EDNS, which old servers do not know. */
export function writeQuery(
  id: number,
  { name, type }: Question,
  { isRecursive, hasOptions }: { isRecursive: boolean; hasOptions: boolean },
): Buffer {
  const options = { type: 'OPT', name: '.', udpPayloadSize: udpPayloadBytes, flags: 0, options: [] };
  return encode({
    type: 'query',
    id,
    flags: isRecursive ? RECURSION_DESIRED : 0,
    questions: [{ name: name || '.', type }],
    additionals: hasOptions ? [options as unknown as Answer] : [],
  });
}

/**
 * Reads a reply to a query. Returns null for bytes that do not belong to it, which are ignored because anybody may have sent them.
 *
 * @throws NoReply if the reply cannot be read.
 */
export function readReply(bytes: Buffer, query: Buffer): DnsReply | null {
  if (bytes.length < headerBytes || bytes.readUInt16BE(0) !== query.readUInt16BE(0)) return null;
  const flags = bytes.readUInt16BE(2);
  const isQueryReply = (flags & 0xf800) === 0x8000;
  if (!isQueryReply || !echoesQuestion(bytes, query)) return null;
  const counts = [6, 8, 10].map((at) => bytes.readUInt16BE(at));
  if (counts.reduce((sum, count) => sum + count) > recordsMax) throw new NoReply('sent too many records');
  try {
    const { answers = [], authorities = [], additionals = [] } = decode(bytes);
    return {
      code: flags & 0xf,
      isAuthoritative: (flags & 0x0400) !== 0,
      isTruncated: (flags & 0x0200) !== 0,
      answers: answers.flatMap(toRecord),
      authorities: authorities.flatMap(toRecord),
      additionals: additionals.flatMap(toRecord),
    };
  } catch {
    // A truncated reply may end inside a record; the whole one comes by TCP.
    if ((flags & 0x0200) !== 0) return truncatedReply(flags);
    throw new NoReply('sent a reply that cannot be read');
  }
}

function truncatedReply(flags: number): DnsReply {
  const none = { answers: [], authorities: [], additionals: [] };
  return { code: flags & 0xf, isAuthoritative: (flags & 0x0400) !== 0, isTruncated: true, ...none };
}

/** Some servers leave the question out of an error. */
function echoesQuestion(bytes: Buffer, query: Buffer): boolean {
  const count = bytes.readUInt16BE(4);
  if (count === 0) return (bytes.readUInt16BE(2) & 0xf) !== 0;
  const end = query.indexOf(0, headerBytes) + 5;
  const questionText = (message: Buffer) => message.toString('latin1', headerBytes, end).toLowerCase();
  return count === 1 && questionText(bytes) === questionText(query);
}

function toRecord(answer: Answer): DnsRecord[] {
  if (answer.type === 'OPT' || (answer.class ?? 'IN') !== 'IN') return [];
  const base = { owner: plainName(answer.name), priority: null, ttlSeconds: answer.ttl ?? 0 };
  switch (answer.type) {
    case 'TXT':
      return [{ ...base, type: 'TXT', value: Buffer.concat(answer.data as Buffer[]).toString() }];
    case 'MX': {
      const { exchange, preference = 0 } = answer.data;
      // "." is a null MX (RFC 7505), and is not changed.
      return [{ ...base, type: 'MX', value: plainName(exchange) || '.', priority: preference }];
    }
    case 'SOA':
      return [{ ...base, type: 'SOA', value: plainName(answer.data.mname) }];
    case 'CNAME':
    case 'NS':
      return [{ ...base, type: answer.type, value: plainName(answer.data) }];
    case 'A':
    case 'AAAA':
      return [{ ...base, type: answer.type, value: answer.data }];
    default:
      return [];
  }
}
