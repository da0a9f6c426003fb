const propertiesMax = 10_000;
const valuesMax = 1_000;
/** The bytes of the values that have a fixed length, by their type, filled up to four. */
const fixedBytes: Record<number, number> = {
  2: 4,
  3: 4,
  4: 4,
  5: 8,
  6: 8,
  7: 8,
  10: 4,
  11: 4,
  20: 8,
  64: 8,
  72: 16,
};
const variableTypes: Record<number, MapiValue['type']> = {
  13: 'object',
  30: 'text',
  31: 'unicode',
  258: 'binary',
};
const manyValues = 0x1000;
const firstNamed = 0x8000;
const guidBytes = 16;

/** A value: a number, or bytes. */
export interface MapiValue {
  type: 'number' | 'text' | 'unicode' | 'binary' | 'object';
  data: Buffer | number;
}

/** Values by the ids of their properties. */
export type MapiProperties = Map<number, MapiValue>;

/** Reads bytes in sequence. Past the end, there are none. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** Returns the next bytes, and skips what fills them up to a multiple of four. */
  take(length: number): Buffer {
    const taken = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += Math.ceil(length / 4) * 4;
    return taken.length === length ? taken : Buffer.alloc(0);
  }

  number(): number {
    const bytes = this.take(4);
    return bytes.length === 4 ? bytes.readUInt32LE(0) : 0;
  }
}

/**
 * Returns the properties of a list (MS-OXTNEF, section 2.1.3.4) up to the first that cannot be read. Of several values the first is kept.
 */
export function readProperties(bytes: Buffer): MapiProperties {
  const reader = new Reader(bytes);
  const found: MapiProperties = new Map();
  const count = Math.min(reader.number(), propertiesMax);
  for (let n = 0; n < count && !reader.isAtEnd; n += 1) {
    const tag = reader.number();
    const [type, id] = [tag & 0xffff, tag >>> 16];
    if (id >= firstNamed) skipName(reader);
    const value = readValue(reader, type);
    if (value === null) break;
    if (id < firstNamed && !found.has(id)) found.set(id, value);
  }
  return found;
}

function skipName(reader: Reader): void {
  reader.take(guidBytes);
  const isText = reader.number() === 1;
  const length = reader.number();
  if (isText) reader.take(length);
}

function readValue(reader: Reader, type: number): MapiValue | null {
  const single = type & ~manyValues;
  const variable = variableTypes[single];
  const fixed = fixedBytes[single];
  const isMany = single !== type;
  if (variable === undefined && fixed === undefined) return null;
  const count = isMany || variable !== undefined ? reader.number() : 1;
  if (count > valuesMax) return null;
  let first: MapiValue | null = null;
  for (let n = 0; n < Math.max(1, count) && (n === 0 || !reader.isAtEnd); n += 1) {
    const data =
      count === 0 ? Buffer.alloc(0) : reader.take(variable === undefined ? (fixed ?? 0) : reader.number());
    first ??= variable === undefined ? numberFrom(data) : { type: variable, data };
  }
  return first;
}

function numberFrom(data: Buffer): MapiValue {
  return { type: 'number', data: data.length >= 4 ? data.readUInt32LE(0) : 0 };
}
