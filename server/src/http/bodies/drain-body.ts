/*
 * Reads and drops the rest of a body after its request was answered, since a client that is cut off while it sends does not hear the
 * answer. It reads slowly: a refused request costs its sender nothing, and hundreds of megabytes a second would keep everybody else
 * waiting. All connections together are read at about 40 MB a second, in turns.
 */
import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { declaredBytesOf } from './declared-bytes.ts';

/** How many connections are read at each interval, up to 64 KB each. */
export const drainLimits = { everyMs: 10, partsAtOnce: 6 };
/** A smaller body comes in one read. */
const smallBytes = 65_536;

const draining = new WeakSet<IncomingMessage>();
const line = new Set<IncomingMessage>();
let timer: NodeJS.Timeout | null = null;

/** Reads the rest of a body in turns with others; `limitConnections` ends what takes too long. */
export const drainBody = (req: IncomingMessage): void => {
  if (draining.has(req)) return;
  draining.add(req);
  const readLater = () => {
    req.pause();
    line.add(req);
    timer ??= setInterval(readOn, drainLimits.everyMs);
  };
  req.on('data', readLater);
  // Node drops a body that nobody has begun to read, all of it at once. One that was paused stays so until it is resumed.
  if (req.isPaused()) readLater();
  else req.read(0);
};

const readOn = (): void => {
  for (const req of [...line].slice(0, drainLimits.partsAtOnce)) {
    line.delete(req);
    req.resume();
  }
  if (line.size > 0 || timer === null) return;
  clearInterval(timer);
  timer = null;
};

/** Drains bodies that nobody read before their requests were answered. */
export const drainUnread = (): RequestHandler => (req, res, next) => {
  const bytes = declaredBytesOf(req);
  if (bytes === null || bytes > smallBytes) res.once('prefinish', () => drainBody(req));
  next();
};
