/*
 * Lists of long texts and bytes as parameters of a statement. `pg` turns a list into one text, and both it and the database read each
 * character of that several times. It sends a Buffer unchanged, in the binary format of the parameter's type.
 */

const typeIds = { bytea: 17, int4: 23, text: 25 };
const intBytes = 4;
const headBytes = 20;
const lengthBytes = 4;
const nullLength = -1;

/** Returns a parameter of the type `text[]`. */
export function textList(texts: (string | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? nullLength : Buffer.byteLength(text)));
  return listOf('text', lengths, (list, index, at) => list.write(texts[index] as string, at));
}

/** Returns a parameter of the type `bytea[]`. */
export function byteaList(values: (Buffer | null)[]): Buffer {
  const lengths = values.map((value) => value?.length ?? nullLength);
  return listOf('bytea', lengths, (list, index, at) => (values[index] as Buffer).copy(list, at));
}

/** Returns a parameter of the type `int[]`. */
export function intList(values: (number | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? nullLength : intBytes));
  return listOf('int4', lengths, (list, index, at) => list.writeInt32BE(values[index] as number, at));
}

/**
 * Writes a list as `array_recv` of Postgres reads it: dimensions, whether there are nulls, type, size and first index, then each item after
 * its length.
 */
function listOf(
  type: keyof typeof typeIds,
  lengths: number[],
  write: (list: Buffer, index: number, at: number) => void,
): Buffer {
  const itemBytes = lengths.reduce((sum, length) => sum + lengthBytes + Math.max(0, length), 0);
  const list = Buffer.allocUnsafe(headBytes + itemBytes);
  const hasNulls = lengths.includes(nullLength);
  let at = 0;
  for (const field of [1, Number(hasNulls), typeIds[type], lengths.length, 1])
    at = list.writeInt32BE(field, at);
  for (const [index, length] of lengths.entries()) {
    at = list.writeInt32BE(length, at);
    if (length === nullLength) continue;
    write(list, index, at);
    at += length;
  }
  return list;
}
