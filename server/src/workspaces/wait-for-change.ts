import { limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { ApiError } from '../lib/api-error.ts';
import { wait } from '../lib/wait.ts';

/** How long a missed wake-up can hide a change. */
const lookAgainMs = 5_000;

/**
 * Calls `look` until it finds something, for at most `waitSeconds`, and answers what the last look found. Between looks no
 * connection is held; a look follows each wake-up of the workspace. Ends at once when the server stops, when the client is
 * gone, or when the key is revoked.
 *
 * @throws ApiError `limit_reached` when too many requests of the workspace wait, `invalid_token` once the key is revoked.
 */
export const waitForChange = async <T>(
  ctx: Context,
  waitSeconds: number,
  clientGone: AbortSignal,
  look: () => Promise<{ result: T; found: boolean }>,
): Promise<T> => {
  const until = performance.now() + waitSeconds * 1_000;
  // Only who really has to wait takes one of the places.
  let leave: (() => void) | null = null;
  let woken = new AbortController();
  const unlisten = ctx.wakeups.listen(ctx.workspaceId, () => woken.abort());
  try {
    for (;;) {
      woken = new AbortController();
      const { result, found } = await look();
      const leftMs = until - performance.now();
      if (found || leftMs <= 0 || ctx.stopping.aborted || clientGone.aborted) return result;
      leave ??= enter(ctx.waitingRequests, ctx.workspaceId);
      await wait(Math.min(leftMs, lookAgainMs), AbortSignal.any([woken.signal, ctx.stopping, clientGone]));
      await requireLiveKey(ctx);
    }
  } finally {
    unlisten();
    leave?.();
  }
};

const enter = (waiting: Map<string, number>, workspaceId: string): (() => void) => {
  const count = waiting.get(workspaceId) ?? 0;
  if (count >= limits.waitingRequestsPerWorkspaceMax) {
    throw new ApiError('limit_reached', { limit: limits.waitingRequestsPerWorkspaceMax });
  }
  waiting.set(workspaceId, count + 1);
  return () => {
    const left = (waiting.get(workspaceId) ?? 1) - 1;
    if (left === 0) waiting.delete(workspaceId);
    else waiting.set(workspaceId, left);
  };
};

const requireLiveKey = async (ctx: Context): Promise<void> => {
  const live = await acrossWorkspaces(ctx, 'a key is global')
    .selectFrom('api_keys')
    .select('id')
    .where('id', '=', ctx.apiKeyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  if (!live) throw new ApiError('invalid_token');
};
