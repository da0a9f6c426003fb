import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { leaveTransaction, requireNoTransaction } from './transaction-guard.ts';

/** Of this database alone, as channels of Postgres are. */
const channel = 'wakeups';
const notifyDelayMs = 5;
/** Where changes come without a pause, so much time lies between two notices: each costs what a look-up costs. */
const notifyRestMs = 25;
const reconnectDelayMs = 1_000;
const namesPerNoticeMax = 150;

/**
 * What a wake-up is about: rows of the workspace; events of its log, which have their order a moment later; or its API keys, of
 * which one was revoked.
 */
export type WakeupTopic = 'rows' | 'log' | 'keys';

const anyWorkspace = {
  rows: Symbol('rows of any workspace'),
  log: Symbol('log of any workspace'),
  keys: Symbol('keys of any workspace'),
};

/** Tells whoever waits for a change of a workspace that something was committed. A hint, never the truth: who wakes, looks again. */
export interface Wakeups {
  /** Call after commit. */
  wake(workspaceId: string, topic?: WakeupTopic): void;
  /** Calls `listener` after every wake-up of the workspace until the answered function is called. */
  listen(workspaceId: string, listener: () => void, topic?: WakeupTopic): () => void;
  /** As `listen`, for wake-ups of every workspace. */
  listenToAll(listener: () => void, topic?: WakeupTopic): () => void;
  close(): Promise<void>;
}

/** A workspace alone for its rows, which is most of them, or a topic before it. */
const nameOf = (workspaceId: string, topic: WakeupTopic): string =>
  topic === 'rows' ? workspaceId : `${topic}:${workspaceId}`;
const parseName = (name: string): [workspaceId: string, topic: WakeupTopic] => {
  const [topic, workspaceId] = name.split(':');
  return workspaceId === undefined ? [name, 'rows'] : [workspaceId, topic as WakeupTopic];
};

/** Wake-ups within one process, for the embedded database. */
export const createLocalWakeups = (): Wakeups & { wakeAll(): void } => {
  const emitter = new EventEmitter().setMaxListeners(0);
  const listen = (name: string | symbol, listener: () => void) => {
    emitter.on(name, listener);
    return () => void emitter.off(name, listener);
  };
  return {
    wake: (workspaceId, topic = 'rows') => {
      emitter.emit(nameOf(workspaceId, topic));
      emitter.emit(anyWorkspace[topic]);
    },
    wakeAll: () => {
      for (const name of emitter.eventNames()) emitter.emit(name);
    },
    listen: (workspaceId, listener, topic = 'rows') => listen(nameOf(workspaceId, topic), listener),
    listenToAll: (listener, topic = 'rows') => listen(anyWorkspace[topic], listener),
    close: async () => {},
  };
};

/**
 * Wake-ups across processes by LISTEN and NOTIFY. They go out after commit, 5 ms after it where it is quiet and once in 25 ms where
 * it is not, because a NOTIFY within the writing transaction holds a lock of the whole server until commit (a quarter of the
 * intake rate, measured).
 */
export const createSharedWakeups = (
  pool: pg.Pool,
  connect: () => Promise<pg.Client>,
  onError: (error: unknown) => void,
): Wakeups => {
  const local = createLocalWakeups();
  const self = randomUUID();
  const due = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let flushedAt = -notifyRestMs;
  const nextInMs = () => Math.max(notifyDelayMs, flushedAt + notifyRestMs - performance.now());
  const flush = () => {
    timer = null;
    flushedAt = performance.now();
    const names = [...due].slice(0, namesPerNoticeMax);
    for (const name of names) due.delete(name);
    if (due.size > 0) timer = setTimeout(flush, notifyDelayMs);
    pool.query('select pg_notify($1, $2)', [channel, [self, ...names].join(' ')]).catch(onError);
  };
  const listener = keepListening(connect, {
    onPayload: (payload) => {
      const [sender, ...names] = payload.split(' ');
      // Who waits here was woken at once.
      if (sender !== self) for (const name of names) local.wake(...parseName(name));
    },
    // What was said while nobody listened is lost, so all look again.
    onListening: local.wakeAll,
    onError,
  });
  return {
    wake: (workspaceId, topic = 'rows') => {
      local.wake(workspaceId, topic);
      due.add(nameOf(workspaceId, topic));
      // A timer inherits the mark of the transaction that it is set in, and would then be refused a connection.
      timer ??= leaveTransaction(() => setTimeout(flush, nextInMs()));
    },
    listen: local.listen,
    listenToAll: local.listenToAll,
    close: async () => {
      if (timer) clearTimeout(timer);
      await listener.close();
    },
  };
};

interface Listening {
  onPayload(payload: string): void;
  /** Called whenever listening begins, also after a break. */
  onListening(): void;
  onError(error: unknown): void;
}

/** One connection that listens, made anew whenever it breaks. */
const keepListening = (
  connect: () => Promise<pg.Client>,
  { onPayload, onListening, onError }: Listening,
): { close(): Promise<void> } => {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let closed = false;
  const openLater = () => {
    client = null;
    if (!closed) timer = setTimeout(open, reconnectDelayMs);
  };
  const listen = async () => {
    client = await connect();
    client.on('notification', (notice) => onPayload(notice.payload ?? ''));
    client.on('error', () => {});
    await client.query(`listen ${channel}`);
    client.once('end', openLater);
    onListening();
  };
  let opening: Promise<void>;
  const open = () => {
    opening = listen().catch(async (error: unknown) => {
      if (!closed) onError(error);
      await client?.end().catch(() => {});
      openLater();
    });
  };
  requireNoTransaction('Listening');
  open();
  return {
    close: async () => {
      closed = true;
      if (timer) clearTimeout(timer);
      await opening;
      await client?.end().catch(() => {});
    },
  };
};
