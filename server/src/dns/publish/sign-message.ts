/* Transaction signatures of DNS messages, TSIG with HMAC-SHA-256 (RFC 8945). */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** A key that both sides know. */
export interface TsigKey {
  name: string;
  secret: Buffer;
}

/** The reason why a reply does not count, or the TSIG error that it reports. */
export type TsigProblem = 'unsigned' | 'forged' | 'late' | 'BADSIG' | 'BADKEY' | 'BADTIME';

interface Signature {
  /** The position of the record in the message. */
  start: number;
  timeSeconds: number;
  fudgeSeconds: number;
  mac: Buffer;
  originalId: number;
  error: number;
  other: Buffer;
}

const tsigType = 250;
const anyClass = 255;
const fudgeSeconds = 300;
const algorithm = nameBytes('hmac-sha256');
const errors: Record<number, TsigProblem> = { 16: 'BADSIG', 17: 'BADKEY', 18: 'BADTIME' };

/** Returns a message with a signature at its end, and the MAC that the reply's signature refers to. */
export function signMessage(
  message: Buffer,
  key: TsigKey,
  nowSeconds: number,
): { bytes: Buffer; mac: Buffer } {
  const fields = { timeSeconds: nowSeconds, fudgeSeconds, error: 0, other: Buffer.alloc(0) };
  const mac = hmac(key, message, variables(key, fields));
  const data = Buffer.concat([
    algorithm,
    timeBytes(nowSeconds),
    ...[uint16(fudgeSeconds), uint16(mac.length), mac],
    ...[message.subarray(0, 2), uint16(0), uint16(0)],
  ]);
  const head = [
    nameBytes(key.name),
    uint16(tsigType),
    uint16(anyClass),
    Buffer.alloc(4),
    uint16(data.length),
  ];
  const bytes = Buffer.concat([message, ...head, data]);
  bytes.writeUInt16BE(message.readUInt16BE(10) + 1, 10);
  return { bytes, mac };
}

/**
 * Checks the signature of a reply to a message with the MAC `requestMac`. Returns null if it is right and reports no error.
 *
 * @throws RangeError if the reply ends too early.
 */
export function checkReply(
  reply: Buffer,
  key: TsigKey,
  requestMac: Buffer,
  nowSeconds: number,
): TsigProblem | null {
  const signature = readSignature(reply);
  if (signature === null) return 'unsigned';
  const reported = errors[signature.error];
  // A server that does not know the key or the signature cannot sign that it does not.
  if (reported === 'BADKEY' || reported === 'BADSIG') return reported;
  const message = Buffer.from(reply.subarray(0, signature.start));
  message.writeUInt16BE(signature.originalId, 0);
  message.writeUInt16BE(reply.readUInt16BE(10) - 1, 10);
  const expected = hmac(key, uint16(requestMac.length), requestMac, message, variables(key, signature));
  const { mac } = signature;
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return 'forged';
  if (signature.error !== 0) return reported ?? 'forged';
  return Math.abs(nowSeconds - signature.timeSeconds) > signature.fudgeSeconds ? 'late' : null;
}

/** Returns the signature of a message: its last record, if that is a TSIG. */
function readSignature(bytes: Buffer): Signature | null {
  const [questions = 0, ...others] = [4, 6, 8, 10].map((at) => bytes.readUInt16BE(at));
  const count = others.reduce((sum, one) => sum + one);
  if (bytes.readUInt16BE(10) === 0) return null;
  let start = 12;
  for (let at = 0; at < questions; at += 1) start = endOfName(bytes, start) + 4;
  for (let at = 1; at < count; at += 1) start = endOfRecord(bytes, start);
  const fieldsStart = endOfName(bytes, start);
  if (bytes.readUInt16BE(fieldsStart) !== tsigType) return null;
  const algorithmEnd = endOfName(bytes, fieldsStart + 10);
  const macStart = algorithmEnd + 10;
  const macEnd = macStart + bytes.readUInt16BE(algorithmEnd + 8);
  const otherLength = bytes.readUInt16BE(macEnd + 4);
  return {
    start,
    timeSeconds: bytes.readUIntBE(algorithmEnd, 6),
    fudgeSeconds: bytes.readUInt16BE(algorithmEnd + 6),
    mac: bytes.subarray(macStart, macEnd),
    originalId: bytes.readUInt16BE(macEnd),
    error: bytes.readUInt16BE(macEnd + 2),
    other: bytes.subarray(macEnd + 6, macEnd + 6 + otherLength),
  };
}

function endOfRecord(bytes: Buffer, start: number): number {
  const end = endOfName(bytes, start);
  return end + 10 + bytes.readUInt16BE(end + 8);
}

function endOfName(bytes: Buffer, start: number): number {
  let at = start;
  for (let length = bytes.readUInt8(at); length !== 0; length = bytes.readUInt8(at)) {
    if (length >= 0xc0) return at + 2;
    at += 1 + length;
  }
  return at + 1;
}

function variables(
  key: TsigKey,
  fields: Pick<Signature, 'timeSeconds' | 'fudgeSeconds' | 'error' | 'other'>,
): Buffer {
  return Buffer.concat([
    ...[nameBytes(key.name), uint16(anyClass), Buffer.alloc(4), algorithm],
    ...[timeBytes(fields.timeSeconds), uint16(fields.fudgeSeconds), uint16(fields.error)],
    ...[uint16(fields.other.length), fields.other],
  ]);
}

function hmac(key: TsigKey, ...parts: Buffer[]): Buffer {
  const digest = createHmac('sha256', key.secret);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

function nameBytes(name: string): Buffer {
  const labels = name.toLowerCase().split('.');
  return Buffer.concat([
    ...labels.flatMap((label) => [Buffer.of(label.length), Buffer.from(label)]),
    Buffer.of(0),
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
