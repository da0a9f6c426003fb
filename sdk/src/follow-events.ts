/*
 * Follows the event log by the realtime socket, which is quick, on top of the log itself, which is sure: each socket is opened
 * behind the last event that was given, the log is read where a socket says nothing for long, and after each socket it is the log
 * that tells what was missed and whether anything is wrong: an error of it is the error of the stream.
 */
import type { Caller } from './call.ts';
import { EventSocket } from './event-socket.ts';
import { realtime } from './generated/brand.ts';
import type { Event } from './generated/types.ts';
import type { LogReader } from './log-reader.ts';
import { pause } from './pause.ts';
import { delayMs } from './retry.ts';

/** How long the server may take to accept a socket. */
const connectMsMax = 10_000;
const silentMsMaxDefault = 30_000;
/** Where no socket can be opened it is tried again, ever more rarely, and polls are as good. */
const retryMsMax = 300_000;

/** How the log is followed. */
export interface FollowSettings {
  usesSocket: boolean;
  /** A socket that is silent for so long may be dead: what the server sends to keep it alive is not shown to programs. */
  silentMsMax?: number;
}

/** Gives the events behind the place of the reader, one after the other, without end. */
export async function* followEvents(
  caller: Caller,
  log: LogReader,
  { usesSocket, silentMsMax = silentMsMaxDefault }: FollowSettings,
  signal: AbortSignal,
): AsyncGenerator<Event, void, undefined> {
  /** Sockets in a row that brought nothing and were soon over. */
  let failures = 0;
  let nextSocketMs = 0;
  for (;;) {
    // A socket has no name for the beginning of the log, where an empty one is followed from.
    const mayOpen = usesSocket && log.after !== null && performance.now() >= nextSocketMs;
    const socket = mayOpen ? await openSocket(caller, log, signal) : null;
    if (socket === null) {
      if (mayOpen) {
        failures += 1;
        nextSocketMs = performance.now() + delayMs(failures, retryMsMax);
      }
      yield* give(log, await log.poll());
      continue;
    }
    const before = log.after;
    const openedMs = performance.now();
    yield* readSocket(caller, socket, log, silentMsMax);
    const pauseMs = delayMs(failures + 1);
    const isGood = log.after !== before || performance.now() - openedMs > pauseMs;
    failures = isGood ? 0 : failures + 1;
    if (socket.end?.code === realtime.tooSlowCode) continue;
    yield* give(log, await log.poll(0));
    if (failures > 0) await pause(pauseMs, signal);
  }
}

/** Gives events that were read, and keeps note of how far. */
async function* give(log: LogReader, events: Event[]): AsyncGenerator<Event, void, undefined> {
  for (const event of events) {
    log.given = event.id;
    yield event;
  }
  // What the filters left out lies behind it.
  log.given = log.after;
}

/** Opens a socket behind the last event that was given; null when that fails. */
async function openSocket(caller: Caller, log: LogReader, signal: AbortSignal): Promise<EventSocket | null> {
  try {
    const socket = new EventSocket(await caller.openSocket(log.query), signal);
    await socket.wait(connectMsMax, () => socket.isConnected);
    if (socket.isConnected) return socket;
    socket.close();
  } catch {
    // The log tells better what is wrong.
    signal.throwIfAborted();
  }
  return null;
}

/** Gives what comes over a socket until it ends, or until the log has something that it did not bring. */
async function* readSocket(
  caller: Caller,
  socket: EventSocket,
  log: LogReader,
  silentMsMax: number,
): AsyncGenerator<Event, void, undefined> {
  try {
    for (;;) {
      const event = await socket.next(silentMsMax);
      if (event !== undefined) {
        log.after = event.id;
        caller.read.noteEvent(event);
        yield* give(log, [event]);
      } else if (socket.end !== null) return;
      else {
        const missed = await log.poll(0);
        if (missed.length > 0) socket.close();
        yield* give(log, missed);
        if (missed.length > 0) return;
      }
    }
  } finally {
    socket.close();
  }
}
