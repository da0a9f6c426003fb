import type { Event } from './generated/types.ts';

/** What a frame may be: the first one, or an event. */
type Frame = Event | { event: 'connected' };

/** How much is kept for a consumer that is slower than the socket; then the socket is closed, and opened again behind it. */
const queueEventsMax = 1_000;
const queueCharactersMax = 8_000_000;

/** Why a socket is read no further; the code is that of its closing. */
export interface SocketEnd {
  code: number;
}

/** The events of one realtime socket, in the order in which they came, kept until they are taken. */
export class EventSocket {
  /** Why it ended; null while it is open. What had come by then can still be taken. */
  end: SocketEnd | null = null;
  /** Whether the server has accepted it. */
  isConnected = false;
  readonly #socket: WebSocket;
  readonly #signal: AbortSignal;
  readonly #queue: { event: Event; characters: number }[] = [];
  #characters = 0;
  #wake = () => {};

  /** Takes over a socket that opens; it is closed at once when the signal is aborted. */
  constructor(socket: WebSocket, signal: AbortSignal) {
    this.#socket = socket;
    this.#signal = signal;
    socket.addEventListener('message', this.#take);
    socket.addEventListener('close', this.#closed);
    socket.addEventListener('error', this.#failed);
    signal.addEventListener('abort', this.close);
    if (signal.aborted) this.close();
  }

  /** Waits until there is an event to take, the server has accepted the socket, or it ended; at most so long. */
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

  /** The next event, within a time; undefined when none came. */
  async next(ms: number): Promise<Event | undefined> {
    await this.wait(ms, () => this.#queue.length > 0);
    const first = this.#queue.shift();
    this.#characters -= first?.characters ?? 0;
    return first?.event;
  }

  /** Closes the socket; a peer that is gone is not waited for. */
  readonly close = (): void => {
    this.#finish(1000);
    this.#socket.close();
  };

  readonly #take = ({ data }: MessageEvent): void => {
    const frame = frameOf(data);
    if (frame?.event === 'connected') this.isConnected = true;
    else if (frame !== null) this.#keep(frame, String(data).length);
    // What is no frame comes from something else than the server.
    else this.close();
    this.#wake();
  };

  #keep(event: Event, characters: number): void {
    this.#queue.push({ event, characters });
    this.#characters += characters;
    if (this.#queue.length >= queueEventsMax || this.#characters >= queueCharactersMax) this.close();
  }

  readonly #closed = ({ code }: CloseEvent): void => this.#finish(code);

  // Node.js 22 closes a socket that could not be opened only much later.
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

function frameOf(data: unknown): Frame | null {
  try {
    const frame: unknown = JSON.parse(String(data));
    return typeof frame === 'object' && frame !== null && 'event' in frame ? (frame as Frame) : null;
  } catch {
    return null;
  }
}
