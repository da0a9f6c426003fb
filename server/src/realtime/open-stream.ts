import { eventStream, ListEvents } from '@postrider/contract';
import type { Request, RequestHandler, Response } from 'express';
import { contextOf } from '../context.ts';
import { whenClosed } from '../lib/concurrency/client-gone.ts';
import { admitChannel, type FollowRequest, readQuery } from './admit-channel.ts';
import type { EventChannel } from './event-channel.ts';
import type { SocketHub } from './socket-hub.ts';

/** A comment, which keeps the connection from being closed by proxies. */
const comment = ':\n\n';
/** After so many comments a client is told of its place, if there was no event that it wanted. */
const commentsForPlace = 4;
/** Codes from here on are those of the contract. The other codes of a socket say the same as the end of a response. */
const firstOwnCode = 4_000;

/**
 * Responds to `GET /events` with a stream of server-sent events, as in the HTML standard, if the request asks for one. The stream follows
 * the log as a realtime socket does, and counts as one.
 */
export function openStream(hub: SocketHub): RequestHandler {
  return async (req, res, next) => {
    if (req.method !== 'GET' || !wantsStream(req)) return next();
    await admitChannel(contextOf(res), hub, readRequest(req), () => (res.closed ? null : streamChannel(res)));
  };
}

/** Returns whether `Accept` names the type of streams. One with `*` does not. */
function wantsStream({ headers }: Request): boolean {
  return (headers.accept ?? '').split(',').some((range) => {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === eventStream.contentType && !parameters.some((one) => /^q=0(\.0*)?$/.test(one));
  });
}

/** Returns the request of a stream. A client that connects again keeps its URL, so what it has is in the header. */
function readRequest(req: Request): FollowRequest {
  const { events, inbox_id, after } = readQuery(ListEvents, req);
  const last = req.get(eventStream.resumeHeader);
  if (!last) return { events, inbox_id, after };
  return { events, inbox_id, after: last, afterField: eventStream.resumeHeader.toLowerCase() };
}

/** Begins a response of server-sent events, and returns its channel. */
export function streamChannel(res: Response): EventChannel {
  // Express would add a charset, which the type does not have.
  res.setHeader('Content-Type', eventStream.contentType);
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Accel-Buffering', 'no');
  res.flushHeaders();
  return new EventStream(res);
}

/** A response of server-sent events. */
class EventStream implements EventChannel {
  readonly kind = 'stream';
  readonly #res: Response;
  /** The id that the client has. */
  #lastId: string | null = null;
  #comments = 0;
  /** The bytes that were waiting at the last comment; null once that has left the process. */
  #waited: number | null = null;
  #code: number | undefined;

  constructor(res: Response) {
    this.#res = res;
  }

  get isOpen(): boolean {
    return !this.#res.writableEnded && !this.#res.destroyed;
  }

  get waitingBytes(): number {
    return this.#res.writableLength;
  }

  begin(_workspaceId: string, cursor: string | null): void {
    this.#write(comment);
    this.#tellPlace(cursor);
  }

  send(json: Buffer, { id, event }: { id: string; event: string }): void {
    this.#lastId = id;
    this.#write(`id: ${id}\nevent: ${event}\ndata: `);
    this.#write(json);
    this.#write('\n\n');
  }

  beat(cursor: string | null): void {
    // One that has ended has a time limit like any response.
    if (!this.isOpen) return;
    if (this.#waited !== null && this.waitingBytes >= this.#waited) {
      this.cut();
      return;
    }
    this.#waited = this.waitingBytes;
    this.#comments += 1;
    if (this.#comments % commentsForPlace === 0) this.#tellPlace(cursor);
    this.whenSent(() => {
      this.#waited = null;
    });
  }

  whenSent(then: () => void): void {
    this.#write(comment, then);
  }

  cork(): void {
    this.#res.cork();
  }

  uncork(): void {
    this.#res.uncork();
  }

  end(code: number): void {
    if (!this.isOpen) return;
    this.#code = code;
    if (code >= firstOwnCode)
      this.#write(`event: ${eventStream.endEvent}\ndata: ${JSON.stringify({ code })}\n\n`);
    this.#res.end();
  }

  cut(): void {
    this.#res.destroy();
  }

  onceClosed(then: (code?: number) => void): void {
    whenClosed(this.#res, () => then(this.#code));
  }

  /** An `id` without data is no event, and is where the client continues from if it connects again. */
  #tellPlace(cursor: string | null): void {
    if (cursor === null || cursor === this.#lastId) return;
    this.#lastId = cursor;
    this.#write(`id: ${cursor}\n\n`);
  }

  /** Writes to an open stream. Node has no other answer to a write after the end than an error. */
  #write(part: string | Buffer, sent: () => void = () => {}): void {
    if (this.isOpen) this.#res.write(part, () => sent());
  }
}
