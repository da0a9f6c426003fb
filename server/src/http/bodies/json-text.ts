const byteOrderMark = [0xef, 0xbb, 0xbf];

/**
 * Returns the value of a UTF-8 body. An empty body is `{}`, because clients send one if they have nothing to say.
 *
 * @throws SyntaxError if it is not JSON.
 */
export function parseJson(bytes: Buffer): unknown {
  const hasMark = byteOrderMark.every((byte, at) => bytes[at] === byte);
  const text = bytes.toString('utf8', hasMark ? byteOrderMark.length : 0);
  return text === '' ? {} : JSON.parse(text);
}

/** The limits of a JSON text. */
export interface JsonShapeLimits {
  /** Commas and opening brackets outside strings. Each costs far more memory once parsed than its one byte. */
  valuesMax: number;
  /** Bytes outside strings: white space, numbers, and anything that is not JSON. */
  outsideStringsBytesMax: number;
  depthMax: number;
}

const quote = 0x22;
const backslash = 0x5c;
/** Most texts end within this many bytes. A native search for the end of a longer one is ten times as fast as a look at each byte. */
const shortBytes = 64;
/** The depth of the texts of a request's files, in an object in a list in an object. No other texts have this depth. */
const fileDepth = 3;

/**
 * Counts the parts of a JSON text while its bytes arrive, so that it can be refused before it is parsed. It does not check whether the text
 * is JSON.
 */
export class JsonShape {
  /** Bytes of the texts of files so far. */
  fileTextBytes = 0;
  #values = 0;
  #outsideStrings = 0;
  #depth = 0;
  #isTooDeep = false;
  #inString = false;
  #isEscaped = false;
  readonly #limits: JsonShapeLimits;

  constructor(limits: JsonShapeLimits) {
    this.#limits = limits;
  }

  /** Counts more bytes. Returns a message about the limit that is exceeded by now, or null. */
  add(bytes: Buffer): string | null {
    let at = 0;
    while (at < bytes.length) at = this.#inString ? this.#passString(bytes, at) : this.#count(bytes, at);
    return this.#problem();
  }

  /** Counts from `from` to the next text, and returns where that begins. */
  #count(bytes: Buffer, from: number): number {
    let at = from;
    for (; at < bytes.length; at += 1) {
      switch (bytes[at]) {
        case quote:
          this.#inString = true;
          this.#outsideStrings += at - from;
          return at + 1;
        case 0x2c: // ,
          this.#values += 1;
          break;
        case 0x5b: // [
        case 0x7b: // {
          this.#values += 1;
          this.#depth += 1;
          if (this.#depth > this.#limits.depthMax) this.#isTooDeep = true;
          break;
        case 0x5d: // ]
        case 0x7d: // }
          this.#depth -= 1;
          break;
      }
    }
    this.#outsideStrings += at - from;
    return at;
  }

  /** Returns where the text ends, which may be beyond these bytes. */
  #passString(bytes: Buffer, from: number): number {
    const end = this.#endOfString(bytes, from);
    if (this.#depth === fileDepth) this.fileTextBytes += end - from;
    return end;
  }

  #endOfString(bytes: Buffer, from: number): number {
    let at = from;
    if (this.#isEscaped) {
      this.#isEscaped = false;
      at += 1;
    }
    for (;;) {
      for (const near = Math.min(bytes.length, at + shortBytes); at < near; at += 1) {
        const byte = bytes[at];
        if (byte === quote) return this.#endString(at);
        if (byte !== backslash) continue;
        if (at + 1 >= bytes.length) this.#isEscaped = true;
        at += 1;
      }
      if (at >= bytes.length) return bytes.length;
      const found = bytes.indexOf(quote, at);
      const end = found < 0 ? bytes.length : found;
      const isEscape = backslashesBefore(bytes, end, at) % 2 === 1;
      if (found < 0) {
        this.#isEscaped = isEscape;
        return end;
      }
      if (!isEscape) return this.#endString(end);
      at = end + 1;
    }
  }

  #endString(at: number): number {
    this.#inString = false;
    return at + 1;
  }

  #problem(): string | null {
    const { valuesMax, outsideStringsBytesMax, depthMax } = this.#limits;
    if (this.#isTooDeep) return `must be at most ${depthMax} levels deep`;
    if (this.#values > valuesMax) return `must have at most ${valuesMax} values`;
    return this.#outsideStrings > outsideStringsBytesMax
      ? `must have at most ${outsideStringsBytesMax} bytes outside strings`
      : null;
  }
}

function backslashesBefore(bytes: Buffer, end: number, start: number): number {
  let at = end;
  while (at > start && bytes[at - 1] === backslash) at -= 1;
  return end - at;
}
