/*
 * Follows the event log by a connection, which is fast, and by the log itself, which is reliable. A connection
 * is the realtime socket or a stream of server-sent events. Each begins after the last event that was returned.
 * The log is read if a connection is silent for a long time, and after the end of each, to find events that it
 * missed. If reading the log fails, the stream fails with the same error.
 */
import type { Caller } from '../calls/call.ts';
import { delayMs } from '../calls/retry.ts';
import { realtime } from '../generated/brand.ts';
import type { Event } from '../generated/types.ts';
import { pause } from '../pause.ts';
import { EventResponse } from './event-response.ts';
import { type EventConnection, EventSocket } from './event-socket.ts';
import type { LogReader } from './log-reader.ts';

/** How long the server may take to accept a connection. */
const connectMsMax = 10_000;
const silentMsMaxDefault = 30_000;
/** The longest delay before a connection is tried again. The delays grow, and polls are used meanwhile. */
const retryMsMax = 300_000;

/** How the log is followed. */
export interface FollowSettings {
  transport: 'socket' | 'sse' | 'poll';
  /**
   * A connection without an event for this many milliseconds may be dead. Programs do not see the pings of the
   * server.
   */
  silentMsMax?: number;
}

/** Yields the events after the place of the reader, without end. */
export async function* followEvents(
  caller: Caller,
  log: LogReader,
  { transport, silentMsMax = silentMsMaxDefault }: FollowSettings,
  signal: AbortSignal,
): AsyncGenerator<Event, void, undefined> {
  /** The number of connections in a row that failed, or ended soon without an event. */
  let failures = 0;
  let nextTryMs = 0;
  const open = { socket: openSocket, sse: openResponse, poll: null }[transport];
  for (;;) {
    // A connection begins after an event, so it cannot be opened at the beginning of the log, as in an empty one.
    const mayOpen = open !== null && log.after !== null && performance.now() >= nextTryMs;
    const connection = mayOpen ? await open(caller, log, signal) : null;
    if (connection === null) {
      if (mayOpen) {
        failures += 1;
        nextTryMs = performance.now() + delayMs(failures, retryMsMax);
      }
      yield* give(log, await log.poll());
      continue;
    }
    const before = log.after;
    const openedMs = performance.now();
    yield* readConnection(caller, connection, log, silentMsMax);
    const pauseMs = delayMs(failures + 1);
    const isGood = log.after !== before || performance.now() - openedMs > pauseMs;
    failures = isGood ? 0 : failures + 1;
    if (connection.end?.code === realtime.tooSlowCode) continue;
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

/** Returns a stream of server-sent events that begins there, or null if it cannot be opened. */
async function openResponse(
  caller: Caller,
  log: LogReader,
  signal: AbortSignal,
): Promise<EventResponse | null> {
  const opening = new AbortController();
  const timer = setTimeout(() => opening.abort(), connectMsMax);
  try {
    const ended = AbortSignal.any([signal, opening.signal]);
    return new EventResponse(await caller.openStream(log.query, ended), signal);
  } catch {
    // A request for the log fails with a better error.
    signal.throwIfAborted();
    return null;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Yields the events of a connection until it ends, or until the log has an event that it did not deliver.
 */
async function* readConnection(
  caller: Caller,
  connection: EventConnection,
  log: LogReader,
  silentMsMax: number,
): AsyncGenerator<Event, void, undefined> {
  try {
    for (;;) {
      const event = await connection.next(silentMsMax);
      if (event !== undefined) {
        log.after = event.id;
        caller.read.noteEvent(event);
        yield* give(log, [event]);
      } else if (connection.end !== null) return;
      else {
        const missed = await log.poll(0);
        if (missed.length > 0) connection.close();
        yield* give(log, missed);
        if (missed.length > 0) return;
      }
    }
  } finally {
    connection.close();
  }
}
