import { Transform, type TransformCallback } from 'node:stream';
import type { SmtpReply } from './smtp-callbacks.ts';
import { replies } from './smtp-replies.ts';

/** A message in transit is refused for what it is; `reply` is what the client hears. */
export class MessageRefused extends Error {
  override readonly name = 'MessageRefused';
  readonly reply: SmtpReply;
  readonly reason: 'size' | 'loop';

  constructor(reason: 'size' | 'loop') {
    const reply = reason === 'size' ? replies.tooLarge : replies.mailLoop;
    super(reply.text);
    this.reply = reply;
    this.reason = reason;
  }
}

/** What is let through of a message. */
export interface IntakeLimits {
  bytesMax: number;
  receivedLinesMax: number;
}

const newline = 0x0a;
const receivedName = 'received:';
/** A header section this long is not a path of relays any more, and counting stops. */
const headerBytesMax = 1_048_576;

/**
 * Passes a message through while it counts its bytes and the `Received:` lines of its header (RFC 5321, section 6.3), and
 * fails with MessageRefused at the first byte or line too many: whoever stores what comes out has not stored it then.
 */
export class MessageIntake extends Transform {
  readonly #limits: IntakeLimits;
  #bytes = 0;
  #receivedLines = 0;
  #inHeader = true;
  /** The start of the line that a chunk ended in, as far as it matters for recognising it. */
  #lineStart = '';
  #ended = false;

  constructor(limits: IntakeLimits) {
    super();
    this.#limits = limits;
  }

  /** Why the message was refused, null while it is not. */
  get refusal(): MessageRefused | null {
    return this.errored instanceof MessageRefused ? this.errored : null;
  }

  /** Whether the client sent the message to its end. */
  get complete(): boolean {
    return this.#ended;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#bytes += chunk.length;
    if (this.#inHeader) this.#countReceived(chunk);
    if (this.#bytes > this.#limits.bytesMax) done(new MessageRefused('size'));
    else if (this.#receivedLines > this.#limits.receivedLinesMax) done(new MessageRefused('loop'));
    else done(null, chunk);
  }

  override _flush(done: TransformCallback): void {
    this.#ended = true;
    done();
  }

  #countReceived(chunk: Buffer): void {
    if (this.#bytes > headerBytesMax) {
      this.#inHeader = false;
      return;
    }
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = this.#lineStart + startOf(chunk, start, end, this.#lineStart);
      this.#lineStart = '';
      start = end + 1;
      if (line === '' || line === '\r') {
        this.#inHeader = false;
        return;
      }
      if (line.toLowerCase() === receivedName) this.#receivedLines += 1;
    }
    this.#lineStart += startOf(chunk, start, chunk.length, this.#lineStart);
  }
}

function startOf(chunk: Buffer, start: number, end: number, known: string): string {
  return chunk.toString('latin1', start, Math.min(end, start + receivedName.length - known.length));
}
