import type { Context } from '../../context.ts';
import { prepared } from '../../db/prepared.ts';
import { scoped } from '../../db/scoped.ts';
import { wait } from '../../lib/concurrency/wait.ts';

/** How long a message that was indexed by another process may stay unnoticed. */
const lookAgainMs = 50;

type WaitContext = Pick<Context, 'db' | 'workspaceId' | 'scope' | 'wakeups' | 'timeScale' | 'stopping'>;

/**
 * Waits until the messages of the workspace that are pending now are indexed, for at most `timeoutMs`. Returns whether they are, which is
 * usually so without waiting.
 */
export async function indexedBy(ctx: WaitContext, timeoutMs: number): Promise<boolean> {
  const { workspaceId } = ctx;
  const newest = await newestPending(ctx, { workspaceId });
  const last = newest[0]?.message_id;
  if (last === undefined) return true;
  const until = performance.now() + ctx.timeScale.scaleMs(timeoutMs);
  for (;;) {
    const woken = new AbortController();
    const stop = ctx.wakeups.listen(workspaceId, () => woken.abort(), 'search');
    try {
      if ((await oldestPending(ctx, { workspaceId, last })).length === 0) return true;
      const leftMs = until - performance.now();
      if (leftMs <= 0 || ctx.stopping.aborted) return false;
      await wait(Math.min(leftMs, lookAgainMs), AbortSignal.any([woken.signal, ctx.stopping]));
    } finally {
      stop();
    }
  }
}

const newestPending = prepared((db, { workspaceId }: { workspaceId: string }) =>
  scoped({ db, workspaceId })
    .selectFrom('search_pending')
    .select('message_id')
    .orderBy('message_id', 'desc')
    .limit(1)
    .compile(),
) as (ctx: Pick<Context, 'db'>, values: { workspaceId: string }) => Promise<{ message_id: string }[]>;

const oldestPending = prepared((db, { workspaceId, last }: { workspaceId: string; last: string }) =>
  scoped({ db, workspaceId })
    .selectFrom('search_pending')
    .select('message_id')
    .where('message_id', '<=', last)
    .limit(1)
    .compile(),
) as (
  ctx: Pick<Context, 'db'>,
  values: { workspaceId: string; last: string },
) => Promise<{ message_id: string }[]>;
