const endOfData = Buffer.from('\r\n.\r\n');
const lineEnd = Buffer.from('\r\n');

/** Collects the content of one SMTP message up to its final dot (RFC 5321, section 4.1.1.4). */
export class DotReader {
  /** The number of bytes so far, including the final dot. */
  bytes = 0;
  readonly #chunks: Buffer[] = [];
  // The line end of the DATA command, so that a message of nothing but the dot ends like any other.
  #tail = lineEnd;

  /** Takes a chunk. Once the final dot came, it returns the message without dot stuffing, and what followed it. */
  push(chunk: Buffer): { raw: Buffer; rest: Buffer } | null {
    const before = this.bytes;
    const seam = Buffer.concat([this.#tail, chunk]);
    const end = seam.indexOf(endOfData);
    this.bytes += chunk.length;
    this.#chunks.push(chunk);
    if (end < 0) {
      this.#tail = Buffer.from(seam.subarray(1 - endOfData.length));
      return null;
    }
    const whole = Buffer.concat(this.#chunks);
    const cut = before - this.#tail.length + end + lineEnd.length;
    return {
      raw: unstuff(whole.subarray(0, cut)),
      rest: whole.subarray(cut + endOfData.length - lineEnd.length),
    };
  }
}

function unstuff(stuffed: Buffer): Buffer {
  const text = stuffed.toString('latin1');
  return Buffer.from(text.replaceAll('\r\n..', '\r\n.').replace(/^\.\./, '.'), 'latin1');
}
