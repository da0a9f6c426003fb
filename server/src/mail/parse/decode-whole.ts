import { Transform, type TransformCallback } from 'node:stream';

/** A stream that collects its input and, at its end, emits the result of `decode` for all of it. */
export class DecodeWhole extends Transform {
  readonly #chunks: Buffer[] = [];
  readonly #decode: (bytes: Buffer) => Buffer;

  constructor(decode: (bytes: Buffer) => Buffer) {
    super();
    this.#decode = decode;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#chunks.push(chunk);
    done();
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#decode(Buffer.concat(this.#chunks)));
  }
}
