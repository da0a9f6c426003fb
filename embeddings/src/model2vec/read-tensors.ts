/** Numbers with their shape. */
export interface Tensor {
  shape: number[];
  values: Float32Array | Int8Array;
}

interface Entry {
  dtype: string;
  shape: number[];
  data_offsets: [number, number];
}

const lengthBytes = 8;
const headerBytesMax = 1_048_576;

/**
 * Reads the tensors with some of the names from a safetensors file: the length of a JSON header as uint64, the header, and the numbers,
 * little-endian.
 *
 * @throws Error that says what is wrong with the file.
 */
export function readTensors(file: Buffer, names: string[]): Map<string, Tensor> {
  const headerBytes = file.length < lengthBytes ? 0n : file.readBigUInt64LE(0);
  if (headerBytes === 0n || headerBytes > headerBytesMax || lengthBytes + Number(headerBytes) > file.length)
    throw new Error('The file has no header of safetensors.');
  const start = lengthBytes + Number(headerBytes);
  const entries = JSON.parse(file.toString('utf8', lengthBytes, start)) as Record<string, unknown>;
  const found = Object.entries(entries).filter(([name]) => names.includes(name));
  return new Map(
    found.map(([name, entry]) => {
      if (!isEntry(entry)) throw new Error(`The header does not describe the tensor "${name}".`);
      return [name, readTensor(name, entry, file.subarray(start))];
    }),
  );
}

function isEntry(value: unknown): value is Entry {
  const { dtype, shape, data_offsets: offsets } = (value ?? {}) as Partial<Entry>;
  const isNatural = (number: unknown) => Number.isSafeInteger(number) && Number(number) >= 0;
  return (
    typeof dtype === 'string' &&
    Array.isArray(shape) &&
    shape.every(isNatural) &&
    Array.isArray(offsets) &&
    offsets.length === 2 &&
    offsets.every(isNatural)
  );
}

function readTensor(name: string, { dtype, shape, data_offsets: [from, to] }: Entry, data: Buffer): Tensor {
  const reader = readers.get(dtype);
  if (!reader)
    throw new Error(
      `The tensor "${name}" has numbers of type ${dtype}, and not ${[...readers.keys()].join(', ')}.`,
    );
  const count = shape.reduce((product, length) => product * length, 1);
  if (to > data.length || to - from !== count * reader.bytes)
    throw new Error(`The tensor "${name}" is not whole.`);
  const view = new DataView(data.buffer, data.byteOffset + from, to - from);
  const values = dtype === 'I8' ? new Int8Array(count) : new Float32Array(count);
  for (let at = 0; at < count; at += 1) values[at] = reader.read(view, at * reader.bytes);
  return { shape, values };
}

interface Reader {
  bytes: number;
  read(view: DataView, at: number): number;
}

const readers = new Map(
  Object.entries<Reader>({
    F32: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
    F16: { bytes: 2, read: (view, at) => halfToNumber(view.getUint16(at, true)) },
    I8: { bytes: 1, read: (view, at) => view.getInt8(at) },
    F64: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
    // Numbers of rows, which a float32 holds exactly up to 16 million.
    I32: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
    I64: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
  }),
);

/** Reads a float16 (IEEE 754 binary16): one bit of sign, five of exponent, ten of fraction. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >>> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1_024) * 2 ** (exponent - 15);
}
