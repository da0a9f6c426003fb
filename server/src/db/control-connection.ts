import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';

const controlling = new AsyncLocalStorage<{ isOver: boolean }>();

/**
 * Runs a change of what may be sent on a connection of its own: the people who stop a busy server do not wait behind the callers that they
 * stop. Anything that it leaves running goes back to the pool.
 */
export async function onControlConnection<T>(work: () => Promise<T>): Promise<T> {
  const state = { isOver: false };
  try {
    return await controlling.run(state, work);
  } finally {
    state.isOver = true;
  }
}

/**
 * Gives `onControlConnection` a connection beside those of a pool, which may all be in use. It is closed when nobody has used it for a
 * while.
 */
export function keepForControl(pool: pg.Pool, onError: (error: unknown) => void): void {
  const { connect, end } = pool;
  const kept = new pg.Pool({ ...pool.options, min: 0, max: 1 });
  kept.on('error', onError);
  pool.connect = function connectFor(...args: unknown[]) {
    const isControl = controlling.getStore()?.isOver === false;
    const [from, how] = isControl ? [kept, kept.connect] : [pool, connect];
    return (how as (...args: unknown[]) => never).apply(from, args);
  } as typeof pool.connect;
  pool.end = (async () => {
    await kept.end();
    await (end as () => Promise<void>).call(pool);
  }) as typeof pool.end;
}
