import { EventEmitter } from 'node:events';
import type { Context } from '../../context.ts';
import { batchedQuery } from '../../db/batched.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import type { Post } from '../../egress/egress.ts';
import { perServer } from '../../lib/memory.ts';
import type { ClaimedDelivery } from '../delivery.ts';

/** Watches whether a delivery can continue. */
export interface WebhookWatch {
  /** The reason why it cannot continue; null while it can. */
  ended: 'webhook ended' | 'cut' | null;
  /** Resolves once it is known whether the webhook ended. Nothing is posted before. */
  looking: Promise<void> | null;
  /** Aborted as soon as it cannot continue. */
  post: Post | null;
  stop(): void;
}

/** Watches the webhook of a delivery until `stop` is called. For a manual delivery, a webhook that was stopped before is no end. */
export function watchWebhookState(
  deps: Deps,
  { workspace_id, webhook_id, origin }: ClaimedDelivery,
  cut?: AbortSignal,
): WebhookWatch {
  const end = (why: WebhookWatch['ended']) => {
    watch.ended ??= why;
    watch.post?.abort('ended');
  };
  const hear = (state: WebhookState) => {
    if (state === 'deleted' || (state === 'stopped' && origin === 'log')) end('webhook ended');
  };
  const look = async () => {
    try {
      hear(await readState(deps, webhook_id));
    } catch (error) {
      deps.log.warn({ err: error, webhookId: webhook_id }, 'it is not known whether a webhook was deleted');
      end('cut');
    }
  };
  const onCut = () => end('cut');
  const here = localWatches(deps).on(webhook_id, hear);
  const onWake = () => {
    if (!watch.ended) watch.looking = look();
  };
  const unlisten = deps.wakeups.listen(workspace_id, onWake, 'webhooks');
  cut?.addEventListener('abort', onCut);
  const watch: WebhookWatch = {
    ended: cut?.aborted ? 'cut' : null,
    looking: null,
    post: null,
    stop: () => {
      here.off(webhook_id, hear);
      unlisten();
      cut?.removeEventListener('abort', onCut);
    },
  };
  return watch;
}

type WebhookState = 'enabled' | 'stopped' | 'deleted';

/** The watches of this process, which learn of an end before its request is answered. Other processes are woken and read it. */
const localWatches = perServer(() => new EventEmitter().setMaxListeners(0));

/** Cuts posts to a webhook that was deleted or stopped, at once in this process. Call it after the commit. */
export function endWatches(
  ctx: Pick<Context, 'memory' | 'wakeups' | 'workspaceId'>,
  webhookId: string,
  state: 'stopped' | 'deleted',
): void {
  localWatches(ctx).emit(webhookId, state);
  ctx.wakeups.wake(ctx.workspaceId, 'webhooks');
}

const readState = batchedQuery(async (ctx, ids: string[]): Promise<WebhookState[]> => {
  const rows = await acrossWorkspaces(ctx, 'the id of a webhook is unique')
    .selectFrom('webhooks')
    .select(['id', 'enabled'])
    .where('id', 'in', [...new Set(ids)])
    .execute();
  return ids.map((id) => {
    const row = rows.find((each) => each.id === id);
    return row ? (row.enabled ? 'enabled' : 'stopped') : 'deleted';
  });
});
