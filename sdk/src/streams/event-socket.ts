import type { Event } from '../generated/types.ts';

/** A frame from the server: the first one, or an event. */
type Frame = Event | { event: 'connected' };

/**
 * The maximum that is buffered for a consumer that is slower than the socket. At the limit, the socket is closed, and another one is opened
 * once the buffer has been read.
 */
const queueEventsMax = 1_000;
const queueCharactersMax = 8_000_000;

/** The end of a socket, with its close code. */
export interface SocketEnd {
  code: number;
}

/** A connection over which the server sends events: a realtime socket or a stream of server-sent events. */
export interface EventConnection {
  /** Its end; null while it is open. Events that arrived before can still be taken. */
  readonly end: SocketEnd | null;
  /** Returns the next event, or undefined if none comes within `ms` milliseconds or before the end. */
  next(ms: number): Promise<Event | undefined>;
  /** Closes it, without waiting for the peer. */
  close(): void;
}

/** The events of one realtime socket, in order of arrival, buffered until they are taken. */
export class EventSocket implements EventConnection {
  /** The end of the socket; null while it is open. Events that arrived before can still be taken. */
  end: SocketEnd | null = null;
  /** Whether the server has accepted the socket. */
  isConnected = false;
  readonly #socket: WebSocket;
  readonly #signal: AbortSignal;
  readonly #queue: { event: Event; characters: number }[] = [];
  #characters = 0;
  #wake = () => {};

  /** Takes over a socket that is being opened. Closes it at once if the signal is already aborted. */
  constructor(socket: WebSocket, signal: AbortSignal) {
    this.#socket = socket;
    this.#signal = signal;
    socket.addEventListener('message', this.#take);
    socket.addEventListener('close', this.#closed);
    socket.addEventListener('error', this.#failed);
    signal.addEventListener('abort', this.close);
    if (signal.aborted) this.close();
  }

  /**
   * Waits until `isEnough` returns true or the socket has ended, but at most `ms` milliseconds. Rejects with
   * the reason of the signal when it is aborted.
   */
  async wait(ms: number, isEnough: () => boolean): Promise<void> {
    const endMs = performance.now() + ms;
    while (!isEnough() && this.end === null && performance.now() < endMs) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, endMs - performance.now());
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#signal.throwIfAborted();
  }

  /**
   * Returns the next event, or undefined if none comes within `ms` milliseconds or before the socket ends.
   */
  async next(ms: number): Promise<Event | undefined> {
    await this.wait(ms, () => this.#queue.length > 0);
    const first = this.#queue.shift();
    this.#characters -= first?.characters ?? 0;
    return first?.event;
  }

  /** Closes the socket, without waiting for the peer. */
  readonly close = (): void => {
    this.#finish(1000);
    this.#socket.close();
  };

  readonly #take = ({ data }: MessageEvent): void => {
    const frame = readFrame(data);
    if (frame?.event === 'connected') this.isConnected = true;
    else if (frame !== null) this.#keep(frame, String(data).length);
    // Anything that is not a frame did not come from the server.
    else this.close();
    this.#wake();
  };

  #keep(event: Event, characters: number): void {
    this.#queue.push({ event, characters });
    this.#characters += characters;
    if (this.#queue.length >= queueEventsMax || this.#characters >= queueCharactersMax) this.close();
  }

  readonly #closed = ({ code }: CloseEvent): void => this.#finish(code);

  // Node.js 22 takes a long time to close a socket that could not be opened.
  readonly #failed = (): void => this.#finish(1006);

  #finish(code: number): void {
    this.end ??= { code };
    this.#socket.removeEventListener('message', this.#take);
    this.#socket.removeEventListener('close', this.#closed);
    this.#socket.removeEventListener('error', this.#failed);
    this.#signal.removeEventListener('abort', this.close);
    this.#wake();
  }
}

function readFrame(data: unknown): Frame | null {
  try {
    const frame: unknown = JSON.parse(String(data));
    return typeof frame === 'object' && frame !== null && 'event' in frame ? (frame as Frame) : null;
  } catch {
    return null;
  }
}
