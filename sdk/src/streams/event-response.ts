import { eventStream } from '../generated/brand.ts';
import type { Event } from '../generated/types.ts';
import type { EventConnection, SocketEnd } from './event-socket.ts';

/** The maximum size of one event. */
const eventCharactersMax = 8_000_000;

/** The end of a stream for which the server gave no reason, such as that of a broken connection. */
const broken: SocketEnd = { code: 1006 };

/**
 * The events of one stream of server-sent events, in order. It is read no faster than its events are taken, so
 * the server waits for a slow consumer.
 */
export class EventResponse implements EventConnection {
  end: SocketEnd | null = null;
  readonly #events: Event[] = [];
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #signal: AbortSignal;
  readonly #decoder = new TextDecoder();
  #reading: Promise<void> | null = null;
  #text = '';

  /** Reads the body of a response. The signal is the one of its request. */
  constructor(body: ReadableStream<Uint8Array>, signal: AbortSignal) {
    this.#reader = body.getReader();
    this.#signal = signal;
  }

  /** Returns the next event, or undefined if none comes within `ms` milliseconds or before the stream ends. */
  async next(ms: number): Promise<Event | undefined> {
    const endMs = performance.now() + ms;
    while (this.#events.length === 0 && this.end === null && performance.now() < endMs) {
      this.#reading ??= this.#read();
      await within(this.#reading, endMs - performance.now());
    }
    this.#signal.throwIfAborted();
    return this.#events.shift();
  }

  /** Closes the stream, without waiting for the peer. */
  readonly close = (): void => {
    this.end ??= { code: 1000 };
    void this.#reader.cancel().catch(() => {});
  };

  async #read(): Promise<void> {
    try {
      const { value, done } = await this.#reader.read();
      if (done) this.end ??= broken;
      else this.#take(this.#decoder.decode(value, { stream: true }));
    } catch {
      this.end ??= broken;
    }
    this.#reading = null;
  }

  #take(part: string): void {
    const blocks = (this.#text + part).split('\n\n');
    this.#text = blocks.pop() ?? '';
    for (const block of blocks) {
      const { event, data } = readFields(block);
      const value = data === undefined ? null : parse(data);
      if (value === null) continue;
      if (event === eventStream.endEvent) this.end ??= value as SocketEnd;
      else if ('event' in value) this.#events.push(value as Event);
    }
    if (this.#text.length > eventCharactersMax) this.close();
  }
}

/** Returns the fields of a block. A comment has no name. */
function readFields(block: string): Record<string, string> {
  return Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
    }),
  );
}

function parse(data: string): object | null {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}

/** Resolves with the work, or after `ms` milliseconds. */
async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
