import { groupedQuery } from '../db/grouped-query.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import type { Post } from '../egress/post.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';

/** Hears when a delivery must not go on. */
export interface EndWatch {
  /** Why it must not; null while it may. */
  ended: 'webhook ended' | 'cut' | null;
  /** Something happened to the webhook: whether it ended is being looked up, and nothing is posted before that is known. */
  looking: Promise<void> | null;
  /** Ended as soon as it must not go on. */
  post: Post | null;
  stop(): void;
}

/** Follows the webhook of a delivery until `stop` is called. One that was stopped before is no news to who posts to it by hand. */
export const watchEnd = (
  deps: Deps,
  { webhook_id, origin }: ClaimedDelivery,
  cut?: AbortSignal,
): EndWatch => {
  const end = (why: EndWatch['ended']) => {
    watch.ended ??= why;
    watch.post?.abort('ended');
  };
  const look = async () => {
    const state = await stateOf(deps, webhook_id);
    if (state === 'deleted' || (state === 'stopped' && origin === 'log')) end('webhook ended');
  };
  const onCut = () => end('cut');
  const unlisten = deps.wakeups.listen(webhook_id, () => {
    watch.looking = look().catch((error: unknown) =>
      deps.log.warn({ err: error, webhookId: webhook_id }, 'it is not known whether a webhook was deleted'),
    );
  });
  cut?.addEventListener('abort', onCut);
  const watch: EndWatch = {
    ended: cut?.aborted ? 'cut' : null,
    looking: null,
    post: null,
    stop: () => {
      unlisten();
      cut?.removeEventListener('abort', onCut);
    },
  };
  return watch;
};

type WebhookState = 'enabled' | 'stopped' | 'deleted';

const stateOf = groupedQuery(async (ctx, ids: string[]): Promise<WebhookState[]> => {
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
