import { createHmac, timingSafeEqual } from 'node:crypto';
import { type RawRecord, readName, type UpdateMessage } from './update-message.ts';

/** A key that the server accepts updates with; the secret is in base64. */
export interface TsigKey {
  name: string;
  secret: string;
}

/** The server's verdict on a signature, and what it needs to sign its reply. */
export interface CheckedSignature {
  /** 0 if it is right, 16 BADSIG, 17 BADKEY, 18 BADTIME; null if there is none. */
  error: number | null;
  mac: Buffer;
}

const tsigType = 250;
const algorithm = 'hmac-sha256';
const fudgeSeconds = 300;

/** Checks the TSIG record of an update (RFC 8945, section 5.2). */
export function checkSignature(bytes: Buffer, message: UpdateMessage, key: TsigKey): CheckedSignature {
  const record = message.additionals.at(-1);
  if (record?.type !== tsigType) return { error: null, mac: Buffer.alloc(0) };
  const signature = readSignature(bytes, record);
  if (record.name !== key.name.toLowerCase() || signature.algorithm !== algorithm)
    return { error: 17, mac: Buffer.alloc(0) };
  const unsigned = Buffer.from(bytes.subarray(0, record.start));
  unsigned.writeUInt16BE(signature.originalId, 0);
  unsigned.writeUInt16BE(message.additionals.length - 1, 10);
  const { timeSeconds, mac } = signature;
  const expected = hmac(key, unsigned, variables(key, timeSeconds, signature.fudge, 0, Buffer.alloc(0)));
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected))
    return { error: 16, mac: Buffer.alloc(0) };
  return { error: Math.abs(Date.now() / 1_000 - timeSeconds) > signature.fudge ? 18 : 0, mac };
}

/** Adds a TSIG record to a reply. A reply about a wrong key or signature is not signed (RFC 8945, section 5.3.2). */
export function signReply(reply: Buffer, key: TsigKey, { error, mac }: CheckedSignature): Buffer {
  const nowSeconds = Math.floor(Date.now() / 1_000);
  const other = error === 18 ? timeBytes(nowSeconds) : Buffer.alloc(0);
  const isSigned = error === 0 || error === 18;
  const parts = [uint16(mac.length), mac, reply, variables(key, nowSeconds, fudgeSeconds, error ?? 0, other)];
  const ownMac = isSigned ? hmac(key, ...parts) : Buffer.alloc(0);
  const data = Buffer.concat([
    nameBytes(algorithm),
    timeBytes(nowSeconds),
    ...[uint16(fudgeSeconds), uint16(ownMac.length), ownMac],
    ...[reply.subarray(0, 2), uint16(error ?? 0), uint16(other.length), other],
  ]);
  const head = Buffer.concat([
    nameBytes(key.name),
    uint16(tsigType),
    uint16(255),
    Buffer.alloc(4),
    uint16(data.length),
  ]);
  const signed = Buffer.concat([reply, head, data]);
  signed.writeUInt16BE(reply.readUInt16BE(10) + 1, 10);
  return signed;
}

function readSignature(bytes: Buffer, { dataStart }: RawRecord) {
  const { text, end } = readName(bytes, dataStart);
  const macEnd = end + 10 + bytes.readUInt16BE(end + 8);
  return {
    algorithm: text,
    timeSeconds: bytes.readUIntBE(end, 6),
    fudge: bytes.readUInt16BE(end + 6),
    mac: bytes.subarray(end + 10, macEnd),
    originalId: bytes.readUInt16BE(macEnd),
  };
}

function variables(key: TsigKey, timeSeconds: number, fudge: number, error: number, other: Buffer): Buffer {
  const start = [
    nameBytes(key.name),
    uint16(255),
    Buffer.alloc(4),
    nameBytes(algorithm),
    timeBytes(timeSeconds),
  ];
  return Buffer.concat([...start, uint16(fudge), uint16(error), uint16(other.length), other]);
}

function hmac(key: TsigKey, ...parts: Buffer[]): Buffer {
  return createHmac('sha256', Buffer.from(key.secret, 'base64')).update(Buffer.concat(parts)).digest();
}

function nameBytes(name: string): Buffer {
  const labels = name.toLowerCase().split('.');
  return Buffer.concat([
    ...labels.map((label) => Buffer.from(`${String.fromCharCode(label.length)}${label}`)),
    Buffer.alloc(1),
  ]);
}

function timeBytes(seconds: number): Buffer {
  const bytes = Buffer.alloc(6);
  bytes.writeUIntBE(seconds, 0, 6);
  return bytes;
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
