/* Reads RFC 2136 updates with code of its own, so that tests compare the server's with a second reading of the standard. */

/** One resource record as it is in a message. */
export interface RawRecord {
  name: string;
  type: number;
  class: number;
  /** Where the record and its data begin in the message, and where the data ends. */
  start: number;
  dataStart: number;
  dataEnd: number;
}

/** An update in its parts. */
export interface UpdateMessage {
  id: number;
  zone: string;
  prerequisites: RawRecord[];
  updates: RawRecord[];
  additionals: RawRecord[];
}

/** Reads an update. Throws if the bytes end too early, or if there is not exactly one zone. */
export function readUpdate(bytes: Buffer): UpdateMessage {
  const [zones = 0, prerequisites = 0, updates = 0, additionals = 0] = [4, 6, 8, 10].map((at) =>
    bytes.readUInt16BE(at),
  );
  if (zones !== 1) throw new Error('An update is for one zone.');
  const zone = readName(bytes, 12);
  let offset = zone.end + 4;
  const read = (count: number) =>
    Array.from({ length: count }, () => {
      const record = readRecord(bytes, offset);
      offset = record.dataEnd;
      return record;
    });
  const parts = {
    prerequisites: read(prerequisites),
    updates: read(updates),
    additionals: read(additionals),
  };
  return { id: bytes.readUInt16BE(0), zone: zone.text, ...parts };
}

/** Reads a name in lower case, and where the bytes after it begin. */
export function readName(bytes: Buffer, start: number): { text: string; end: number } {
  const labels: string[] = [];
  let end: number | null = null;
  let offset = start;
  for (let steps = 0; steps < 128; steps += 1) {
    const length = bytes.readUInt8(offset);
    if (length >= 0xc0) {
      end ??= offset + 2;
      offset = bytes.readUInt16BE(offset) & 0x3fff;
    } else if (length === 0) {
      return { text: labels.join('.').toLowerCase(), end: end ?? offset + 1 };
    } else {
      labels.push(bytes.toString('latin1', offset + 1, offset + 1 + length));
      offset += 1 + length;
    }
  }
  throw new Error('The name has no end.');
}

/** Returns the data of a record as tests write it: an address, a host, `10 mail.example.net`, a text, or the strings of one. */
export function textOfData(bytes: Buffer, { type, dataStart, dataEnd }: RawRecord): string | string[] {
  const data = bytes.subarray(dataStart, dataEnd);
  switch (type) {
    case 1:
      return [...data].join('.');
    case 28:
      return Array.from({ length: 8 }, (_, at) => data.readUInt16BE(at * 2).toString(16)).join(':');
    case 15:
      return `${data.readUInt16BE(0)} ${readName(bytes, dataStart + 2).text || '.'}`;
    case 16:
      return readTexts(data);
    default:
      return readName(bytes, dataStart).text;
  }
}

function readRecord(bytes: Buffer, start: number): RawRecord {
  const { text, end } = readName(bytes, start);
  const dataStart = end + 10;
  const dataEnd = dataStart + bytes.readUInt16BE(end + 8);
  if (dataEnd > bytes.length) throw new Error('The record ends after the message.');
  return {
    name: text,
    type: bytes.readUInt16BE(end),
    class: bytes.readUInt16BE(end + 2),
    start,
    dataStart,
    dataEnd,
  };
}

function readTexts(data: Buffer): string | string[] {
  const strings: string[] = [];
  for (let at = 0; at < data.length; at += 1 + data.readUInt8(at))
    strings.push(data.toString('utf8', at + 1, at + 1 + data.readUInt8(at)));
  return strings.length === 1 ? strings[0]! : strings;
}
