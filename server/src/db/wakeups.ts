import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { afterCommit, type Connections, leaveTransaction, requireNoTransaction } from './connections.ts';

/** Channels of Postgres belong to one database, so the name need not be unique beyond it. */
const channel = 'wakeups';
const notifyDelayMs = 5;
/** The time between two notices while changes arrive without a pause. Each notice costs as much as a look-up. */
const notifyRestMs = 25;
const reconnectDelayMs = 1_000;
const namesPerNoticeMax = 150;

/**
 * The subject of a wake-up: rows of the workspace; events of its log, which get their order a moment later, and with an empty workspace
 * those of any that has webhooks; its API keys, of which one was revoked; its webhooks, of which one was stopped or deleted; its drafts,
 * of which one was scheduled; its deliveries, of which some became due; its domains; its files, whose texts are to be read for the search;
 * its search index, which took in messages; its messages whose mail is still to be parsed; what people allow to be sent, of which an empty
 * workspace is the whole server; the certificates of the server, with an empty workspace; or jobs, of which the name stands in place of a
 * workspace.
 */
export type WakeupTopic =
  | 'rows'
  | 'log'
  | 'keys'
  | 'webhooks'
  | 'drafts'
  | 'deliveries'
  | 'domains'
  | 'files'
  | 'search'
  | 'unparsed'
  | 'control'
  | 'certificates'
  | 'jobs';

const anyWorkspace: Record<WakeupTopic, symbol> = {
  rows: Symbol('rows of any workspace'),
  log: Symbol('log of any workspace'),
  keys: Symbol('keys of any workspace'),
  webhooks: Symbol('webhooks of any workspace'),
  drafts: Symbol('drafts of any workspace'),
  deliveries: Symbol('deliveries of any workspace'),
  domains: Symbol('domains of any workspace'),
  files: Symbol('files of any workspace'),
  search: Symbol('search index of any workspace'),
  unparsed: Symbol('unparsed messages of any workspace'),
  control: Symbol('control of any workspace'),
  certificates: Symbol('certificates of the server'),
  jobs: Symbol('jobs of any name'),
};

/** Tells waiters that a change of a workspace was committed. A hint only: a waiter that wakes up reads the database again. */
export interface Wakeups {
  /** Call after commit. */
  wake(workspaceId: string, topic?: WakeupTopic): void;
  /** Wakes once the transaction of the caller has committed. */
  wakeOnCommit(workspaceId: string, topic?: WakeupTopic): void;
  /** Calls `listener` after every wake-up of the workspace until the returned function is called. */
  listen(workspaceId: string, listener: () => void, topic?: WakeupTopic): () => void;
  /** Same as `listen`, for wake-ups of every workspace. */
  listenToAll(listener: () => void, topic?: WakeupTopic): () => void;
  /** Wakes every waiter of this process when it is unknown what has changed. */
  wakeAll(): void;
  /** Sends the wake-ups that are due, and ends. */
  close(): Promise<void>;
}

/** Returns the workspace alone for its rows, which most wake-ups are about, or the workspace after a topic. */
function wakeupName(workspaceId: string, topic: WakeupTopic): string {
  return topic === 'rows' ? workspaceId : `${topic}:${workspaceId}`;
}
function parseName(name: string): [workspaceId: string, topic: WakeupTopic] {
  const [topic, workspaceId] = name.split(':');
  return workspaceId === undefined ? [name, 'rows'] : [workspaceId, topic as WakeupTopic];
}

/** Creates wake-ups within one process. */
export function createLocalWakeups(): Wakeups {
  const emitter = new EventEmitter().setMaxListeners(0);
  const listen = (name: string | symbol, listener: () => void) => {
    emitter.on(name, listener);
    return () => void emitter.off(name, listener);
  };
  const wake: Wakeups['wake'] = (workspaceId, topic = 'rows') => {
    emitter.emit(wakeupName(workspaceId, topic));
    emitter.emit(anyWorkspace[topic]);
  };
  return {
    wake,
    wakeOnCommit: (...names) => afterCommit(() => wake(...names)),
    wakeAll: () => {
      for (const name of emitter.eventNames()) emitter.emit(name);
    },
    listen: (workspaceId, listener, topic = 'rows') => listen(wakeupName(workspaceId, topic), listener),
    listenToAll: (listener, topic = 'rows') => listen(anyWorkspace[topic], listener),
    close: async () => {},
  };
}

/**
 * Creates wake-ups across processes by LISTEN and NOTIFY. They are sent after the commit: 5 ms after it if it is quiet, otherwise once in
 * 25 ms. A NOTIFY within the writing transaction would hold a lock of the whole server until the commit (a quarter of the intake rate,
 * measured).
 */
export function createSharedWakeups(
  pool: Pick<Connections, 'query'>,
  connect: () => Promise<pg.Client>,
  onError: (error: unknown) => void,
): Wakeups {
  const local = createLocalWakeups();
  const self = randomUUID();
  const due = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let flushedAt = -notifyRestMs;
  const nextInMs = () => Math.max(notifyDelayMs, flushedAt + notifyRestMs - performance.now());
  const notify = async () => {
    flushedAt = performance.now();
    const names = [...due].slice(0, namesPerNoticeMax);
    for (const name of names) due.delete(name);
    await pool.query('select pg_notify($1, $2)', [channel, [self, ...names].join(' ')]).catch(onError);
  };
  const flush = () => {
    void notify();
    timer = due.size > 0 ? setTimeout(flush, notifyDelayMs) : null;
  };
  const listener = keepListening(connect, {
    onPayload: (payload) => {
      const [sender, ...names] = payload.split(' ');
      // Waiters in this process were woken at once.
      if (sender !== self) for (const name of names) local.wake(...parseName(name));
    },
    // Notices are lost while nobody listens, so all waiters read again.
    onListening: local.wakeAll,
    onError,
  });
  const wake: Wakeups['wake'] = (workspaceId, topic = 'rows') => {
    local.wake(workspaceId, topic);
    due.add(wakeupName(workspaceId, topic));
    // A timer inherits the mark of the transaction that it is set in, and would then be refused a connection.
    timer ??= leaveTransaction(() => setTimeout(flush, nextInMs()));
  };
  return {
    wake,
    wakeOnCommit: (...names) => afterCommit(() => wake(...names)),
    listen: local.listen,
    listenToAll: local.listenToAll,
    wakeAll: local.wakeAll,
    close: async () => {
      if (timer) clearTimeout(timer);
      while (due.size > 0) await notify();
      await listener.close();
    },
  };
}

interface Listening {
  onPayload(payload: string): void;
  /** Called whenever listening begins, also after a broken connection. */
  onListening(): void;
  onError(error: unknown): void;
}

/** Keeps one connection that listens, and opens a new one whenever it breaks. */
function keepListening(
  connect: () => Promise<pg.Client>,
  { onPayload, onListening, onError }: Listening,
): { close(): Promise<void> } {
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
}
