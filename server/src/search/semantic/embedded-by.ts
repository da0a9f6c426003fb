import type { Context } from '../../context.ts';
import { scoped } from '../../db/scoped.ts';
import { wait } from '../../lib/concurrency/wait.ts';

const lookAgainMs = 20;

/** Waits until mail of the workspace that has just come is embedded, for at most `timeoutMs`. Usually none waits. */
export async function embeddedBy(
  ctx: Pick<Context, 'db' | 'workspaceId' | 'scope' | 'timeScale' | 'stopping'>,
  timeoutMs: number,
): Promise<void> {
  const waiting = scoped(ctx).selectFrom('embedding_pending').where('is_live', '=', true);
  const newest = await waiting.select('message_id').orderBy('message_id', 'desc').limit(1).executeTakeFirst();
  if (!newest) return;
  const until = performance.now() + ctx.timeScale.scaleMs(timeoutMs);
  while (performance.now() < until && !ctx.stopping.aborted) {
    await wait(lookAgainMs, ctx.stopping);
    const left = waiting.select('message_id').where('message_id', '<=', newest.message_id).limit(1);
    if (!(await left.executeTakeFirst())) return;
  }
}
