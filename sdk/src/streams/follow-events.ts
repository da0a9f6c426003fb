/*
 * Follows the event log by the realtime socket, which is fast, and by the log itself, which is reliable. Each
 * socket begins after the last event that was returned. The log is read if a socket is silent for a long
 * time, and after the end of each socket, to find events that it missed. If reading the log fails, the stream
 * fails with the same error.
 */
import type { Caller } from '../calls/call.ts';
import { delayMs } from '../calls/retry.ts';
import { realtime } from '../generated/brand.ts';
import type { Event } from '../generated/types.ts';
import { pause } from '../pause.ts';
import { EventSocket } from './event-socket.ts';
import type { LogReader } from './log-reader.ts';

/** How long the server may take to accept a socket. */
const connectMsMax = 10_000;
const silentMsMaxDefault = 30_000;
/** The longest delay before a socket is tried again. The delays grow, and polls are used meanwhile. */
const retryMsMax = 300_000;

/** How the log is followed. */
export interface FollowSettings {
  usesSocket: boolean;
  /**
   * A socket that is silent for this many milliseconds may be dead. Programs do not see the pings of the
   * server.
   */
  silentMsMax?: number;
}

/** Yields the events after the place of the reader, without end. */
export async function* followEvents(
  caller: Caller,
  log: LogReader,
  { usesSocket, silentMsMax = silentMsMaxDefault }: FollowSettings,
  signal: AbortSignal,
): AsyncGenerator<Event, void, undefined> {
  /** The number of sockets in a row that failed, or ended soon without an event. */
  let failures = 0;
  let nextSocketMs = 0;
  for (;;) {
    // A socket begins after an event, so it cannot be opened at the beginning of the log, as in an empty one.
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

/** Yields events that were read, and records the place after each. */
async function* give(log: LogReader, events: Event[]): AsyncGenerator<Event, void, undefined> {
  for (const event of events) {
    log.given = event.id;
    yield event;
  }
  // This place is also after the events that the filters left out.
  log.given = log.after;
}

/** Returns a socket that begins after the last event that was read, or null if it cannot be opened. */
async function openSocket(caller: Caller, log: LogReader, signal: AbortSignal): Promise<EventSocket | null> {
  try {
    const socket = new EventSocket(await caller.openSocket(log.query), signal);
    await socket.wait(connectMsMax, () => socket.isConnected);
    if (socket.isConnected) return socket;
    socket.close();
  } catch {
    // A request for the log fails with a better error.
    signal.throwIfAborted();
  }
  return null;
}

/**
 * Yields the events of a socket until it ends, or until the log has an event that the socket did not deliver.
 */
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
