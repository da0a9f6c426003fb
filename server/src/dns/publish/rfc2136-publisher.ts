import { randomInt } from 'node:crypto';
import { type Answer, encode } from 'dns-packet';
import { isInZone, NoReply, plainName } from '../dns-message.ts';
import { exchangeByTcp } from '../send-query.ts';
import {
  checkChanges,
  type DnsPublisher,
  PublishError,
  type RecordChange,
  splitText,
} from './publish-records.ts';
import { checkReply, signMessage, type TsigKey, type TsigProblem } from './sign-message.ts';

const updateOpcode = 0x2800;
const headerBytes = 12;

/** The server that accepts updates, the key that signs them, and the zone that they are for. */
export interface Rfc2136Settings {
  host: string;
  port: number;
  key: TsigKey;
  zone: string;
  /** 10 s by default. */
  timeoutMs?: number;
}

const defaultTimeoutMs = 10_000;
const messageBytesMax = 65_535 - 512;
const updateReply = 0xa800;
const codes: Record<number, string> = {
  1: 'did not understand the update (FORMERR)',
  2: 'failed (SERVFAIL)',
  4: 'does not support updates (NOTIMP)',
  5: 'refuses the update: the key may not change these records (REFUSED)',
  9: 'is not authoritative for the zone (NOTAUTH)',
  10: 'says that a record is outside the zone (NOTZONE)',
};
const signatureProblems: Record<TsigProblem, string> = {
  unsigned: 'sent a reply without a signature, which does not count',
  forged: 'sent a reply with a wrong signature, which does not count',
  late: 'sent a reply whose time is off by more than its signature allows: compare the clocks',
  BADSIG: 'knows the key by another secret (BADSIG)',
  BADKEY: 'does not know the key (BADKEY)',
  BADTIME: 'has a clock that differs from ours by more than 300 s (BADTIME)',
};

/**
 * Creates a publisher that sends signed updates to a zone's primary server (RFC 2136, RFC 8945). They go by TCP: an update with keys of
 * DKIM does not fit the 512 bytes of UDP, and by TCP none is lost.
 */
export function createRfc2136Publisher(settings: Rfc2136Settings): DnsPublisher {
  const { host, port, zone } = settings;
  return {
    name: `rfc2136 at ${host}:${port}`,
    async publish(changes) {
      const checked = checkChanges(changes);
      const outside = checked.find(({ name }) => !isInZone(name, zone));
      if (outside) throw new PublishError(`${outside.name} is not in the zone ${zone}.`);
      if (checked.length > 0) await sendUpdate(settings, checked);
    },
    async check() {
      // An update without changes still needs the right key and zone.
      await sendUpdate(settings, []);
      return { zone };
    },
  };
}

async function sendUpdate(settings: Rfc2136Settings, changes: RecordChange[]): Promise<void> {
  const { host, port, key, zone, timeoutMs = defaultTimeoutMs } = settings;
  const id = randomInt(0x1_0000);
  const message = writeUpdate(id, zone, changes);
  if (message.length > messageBytesMax) throw new PublishError('The changes do not fit one update of DNS.');
  const { bytes, mac } = signMessage(message, key, nowSeconds());
  const problem = await findProblem();
  if (problem !== null)
    throw new PublishError(`The server ${host}:${port} ${problem}. Zone ${zone}, key ${key.name}.`);

  async function findProblem(): Promise<string | null> {
    try {
      const reply = await exchangeByTcp({ address: host, port }, bytes, AbortSignal.timeout(timeoutMs));
      return readProblem(reply, { id, key, mac });
    } catch (error) {
      if (error instanceof NoReply) return error.message;
      if (error instanceof RangeError) return 'sent a reply that cannot be read';
      throw error;
    }
  }
}

function readProblem(
  reply: Buffer,
  { id, key, mac }: { id: number; key: TsigKey; mac: Buffer },
): string | null {
  const flags = reply.readUInt16BE(2);
  if (reply.readUInt16BE(0) !== id || (flags & 0xf800) !== updateReply) return 'replied to something else';
  const code = flags & 0xf;
  const signature = checkReply(reply, key, mac, nowSeconds());
  // An error without a signature is still a failure, and its code says more.
  if (signature !== null && (code === 0 || signature !== 'unsigned')) return signatureProblems[signature];
  return code === 0 ? null : (codes[code] ?? `refuses the update with code ${code}`);
}

/** Signatures are compared with the clocks of other machines, so they never follow a clock of tests. */
function nowSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

/**
 * Returns the bytes of an update without signature (RFC 2136): for each change the records of its name and type are deleted, and then
 * those that shall be there are added.
 */
function writeUpdate(id: number, zone: string, changes: RecordChange[]): Buffer {
  const records = changes.flatMap((change) => [
    writeDeletion(change),
    ...(change.values ?? []).map((value) => writeRecord(change, value)),
  ]);
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(id, 0);
  header.writeUInt16BE(updateOpcode, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 8);
  const zoneSection = encode({ questions: [{ name: zone || '.', type: 'SOA' }] }).subarray(headerBytes);
  return Buffer.concat([header, zoneSection, ...records]);
}

/** The name, type and class of a question, followed by a TTL of 0 and no data. */
function writeDeletion({ name, type }: RecordChange): Buffer {
  const start = encode({ questions: [{ name, type, class: 'ANY' }] }).subarray(headerBytes);
  return Buffer.concat([start, Buffer.alloc(6)]);
}

function writeRecord(
  { name, type, ttl }: RecordChange,
  { value, priority }: { value: string; priority: number | null },
): Buffer {
  const base = { name, ttl };
  const answers: Record<RecordChange['type'], () => Answer> = {
    A: () => ({ ...base, type: 'A', data: value }),
    AAAA: () => ({ ...base, type: 'AAAA', data: value }),
    CNAME: () => ({ ...base, type: 'CNAME', data: plainName(value) }),
    MX: () => ({
      ...base,
      type: 'MX',
      data: { preference: priority ?? 0, exchange: plainName(value) || '.' },
    }),
    TXT: () => ({ ...base, type: 'TXT', data: splitText(value) }),
  };
  return encode({ answers: [answers[type]()] }).subarray(headerBytes);
}
