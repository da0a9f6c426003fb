import { type Answer, encode } from 'dns-packet';
import { plainName } from '../dns-message.ts';
import { type RecordChange, splitText } from './publish-records.ts';

const updateOpcode = 0x2800;
const headerBytes = 12;

/**
 * Returns the bytes of an update without signature (RFC 2136): for each change the records of its name and type are deleted, and then
 * those that shall be there are added.
 */
export function writeUpdate(id: number, zone: string, changes: RecordChange[]): Buffer {
  const records = changes.flatMap((change) => [
    deletionOf(change),
    ...(change.values ?? []).map((value) => recordOf(change, value)),
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
function deletionOf({ name, type }: RecordChange): Buffer {
  const start = encode({ questions: [{ name, type, class: 'ANY' }] }).subarray(headerBytes);
  return Buffer.concat([start, Buffer.alloc(6)]);
}

function recordOf(
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
