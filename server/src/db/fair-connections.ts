/*
 * The embedded database has one connection. If requests got it in their order, the owner with the most requests would have most of it.
 * Instead, the owner that has had the least of it lately, relative to its share, goes first. Owners are workspaces, the look-ups of keys,
 * SMTP, people who change what may be sent, and the server itself, to which all other work belongs. The share of a workspace is the rate of
 * its plan.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { plans } from '@postrider/contract';
import pg from 'pg';
import { LeastUsedFirst } from '../lib/concurrency/least-used-first.ts';

/** An owner of the connection, and its share relative to other owners. */
export interface Owner {
  name: string;
  share: number;
}

/** The largest share: that of a workspace on the largest plan, and of work for all workspaces. */
export const largestShare = plans.business.requests_per_second;
/** The owner of look-ups of recipients, and of storing mail whose sender waits. */
export const smtpOwner: Owner = { name: 'smtp', share: largestShare };
/** The owner of changes of what may be sent. The people who stop a busy server do not wait for their turn among its callers. */
export const controlOwner: Owner = { name: 'control', share: 8 * largestShare };
const serverOwner: Owner = { name: 'server', share: largestShare };
/**
 * The owner of look-ups of keys. They are short, and a request has no owner before its own look-up, so they go before nearly everything
 * else.
 */
export const keysOwner: Owner = { name: 'keys', share: 4 * largestShare };
/** Returns the owner of the downloads of a workspace, whose links come without its key and plan. */
export function downloadsOf(workspaceId: string): Owner {
  return {
    name: `files ${workspaceId}`,
    share: plans.free.requests_per_second,
  };
}

/** The time after which half of an owner's use is forgotten, and whether owners are distinguished. */
export const connectionTurns: { halfLifeMs: number; byOwner: boolean } = { halfLifeMs: 2_000, byOwner: true };

interface Asked {
  owner: Owner;
  isOver: boolean;
}

const asking = new AsyncLocalStorage<Asked>();

/**
 * Runs work on behalf of an owner. Anything that it leaves running, such as a loop that serves everybody, belongs to the server once the
 * work is done.
 */
export async function onBehalfOf<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
  const asked = { owner, isOver: false };
  try {
    return await asking.run(asked, work);
  } finally {
    asked.isOver = true;
  }
}

function currentOwner(): Owner {
  const asked = asking.getStore();
  return connectionTurns.byOwner && asked && !asked.isOver ? asked.owner : serverOwner;
}

/** Gives `controlOwner` a connection of its own beside those of a pool, which may all be in use. It is closed when nobody has used it for a while. */
export function keepForControl(pool: pg.Pool, onError: (error: unknown) => void): void {
  const { connect, end } = pool;
  const kept = new pg.Pool({ ...pool.options, min: 0, max: 1 });
  kept.on('error', onError);
  pool.connect = function connectFor(...args: unknown[]) {
    const [from, how] = currentOwner() === controlOwner ? [kept, kept.connect] : [pool, connect];
    return (how as (...args: unknown[]) => never).apply(from, args);
  } as typeof pool.connect;
  pool.end = (async () => {
    await kept.end();
    await (end as () => Promise<void>).call(pool);
  }) as typeof pool.end;
}

type Connect = (error: Error | undefined, client?: pg.PoolClient, release?: pg.PoolClient['release']) => void;

/**
 * Makes the users of a pool with one connection take turns by the time that they have had. A user that waits too long gets the same error
 * as in any pool.
 */
export function shareConnection(pool: pg.Pool, waitMsMax: number): void {
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>;
  const line = new LeastUsedFirst<() => void>(connectionTurns);
  let isTaken = false;
  const takeTurn = ({ name }: Owner): Promise<void> | undefined => {
    if (!isTaken) {
      isTaken = true;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const start = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        line.remove(name, start);
        reject(new Error('timeout exceeded when trying to connect'));
      }, waitMsMax).unref();
      line.push(name, start);
    });
  };
  const giveTurn = () => {
    const next = line.shift();
    if (next) next.item();
    else isTaken = false;
  };
  const acquire = async (owner: Owner): Promise<pg.PoolClient> => {
    await takeTurn(owner);
    const begunMs = performance.now();
    try {
      const client = await connect();
      const release = client.release.bind(client);
      client.release = (error) => {
        const { totalCount } = pool;
        release(error);
        line.note(owner.name, performance.now() - begunMs, owner.share);
        // A broken client may still have messages under way, which must not mix with those of the next one.
        if (pool.totalCount < totalCount) pool.once('remove', giveTurn);
        else giveTurn();
      };
      return client;
    } catch (error) {
      giveTurn();
      throw error;
    }
  };
  pool.connect = ((callback?: Connect) => {
    const acquired = acquire(currentOwner());
    if (!callback) return acquired;
    acquired.then(
      (client) => callback(undefined, client, client.release),
      (error: Error) => callback(error),
    );
  }) as typeof pool.connect;
}
