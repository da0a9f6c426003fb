/**
 * Returns the bytes of a table, little-endian: the number of words, the dimensions and the length of the text as uint32; a float32 scale
 * for each word; an int8 row for each word; and the words themselves with line feeds between, the most frequent first.
 */
export function encodeTable(words: string[], rows: Float64Array, dimensions: number): Buffer {
  const text = Buffer.from(words.join('\n'), 'ascii');
  const head = Buffer.alloc(12 + 4 * words.length);
  head.writeUInt32LE(words.length, 0);
  head.writeUInt32LE(dimensions, 4);
  head.writeUInt32LE(text.length, 8);
  const quantised = new Int8Array(rows.length);
  for (const index of words.keys()) {
    const row = rows.subarray(index * dimensions, (index + 1) * dimensions);
    const scale = Math.fround(row.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127);
    head.writeFloatLE(scale, 12 + 4 * index);
    for (const [at, value] of row.entries())
      quantised[index * dimensions + at] = Math.max(-127, Math.min(127, Math.round(value / scale)));
  }
  return Buffer.concat([head, Buffer.from(quantised.buffer), text]);
}
