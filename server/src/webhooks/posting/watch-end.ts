import { EventEmitter } from 'node:events';
import { groupedQuery } from '../../db/grouped-query.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Wakeups } from '../../db/wakeups.ts';
import type { Deps } from '../../deps.ts';
import type { Post } from '../../egress/post.ts';
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
  const hear = (state: WebhookState) => {
    if (state === 'deleted' || (state === 'stopped' && origin === 'log')) end('webhook ended');
  };
  const look = async () => {
    try {
      hear(await stateOf(deps, webhook_id));
    } catch (error) {
      deps.log.warn({ err: error, webhookId: webhook_id }, 'it is not known whether a webhook was deleted');
      end('cut');
    }
  };
  const onCut = () => end('cut');
  const here = watchesOf(deps.wakeups).on(webhook_id, hear);
  const unlisten = deps.wakeups.listen(webhook_id, () => {
    if (!watch.ended) watch.looking = look();
  });
  cut?.addEventListener('abort', onCut);
  const watch: EndWatch = {
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
};

type WebhookState = 'enabled' | 'stopped' | 'deleted';

/** The watches of this process, which hear of an end before it is answered; those of others are woken and look it up. */
const watches = new WeakMap<Wakeups, EventEmitter>();

const watchesOf = (wakeups: Wakeups): EventEmitter => {
  const known = watches.get(wakeups) ?? new EventEmitter().setMaxListeners(0);
  watches.set(wakeups, known);
  return known;
};

/** Call after commit: what is under way to a webhook that was deleted or stopped is cut, here at once. */
export const endWatches = (
  { wakeups }: Pick<Deps, 'wakeups'>,
  webhookId: string,
  state: 'stopped' | 'deleted',
): void => {
  watchesOf(wakeups).emit(webhookId, state);
  // No workspace has such an id.
  wakeups.wake(webhookId);
};

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
