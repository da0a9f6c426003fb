import { anyText, prepared } from '../../db/prepared.ts';
import { type RowsContext, scoped } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import type { EventRow } from '../../events/read-log.ts';
import { wholeWorkspace } from '../../lib/scope.ts';
import { readTraceparents } from '../../messages/message-traces.ts';
import type { EventPayload, EventPayloads, serializeEvents } from '../../messages/render-events.ts';
import type { ClaimedDelivery } from '../delivery.ts';
import { sampleEvent } from '../delivery-body.ts';
import { openSecret, type SigningKeys, signingKeys } from '../sign-delivery.ts';
import type { WebhookRow } from '../webhook.view.ts';

/** A body to post, and its webhook. */
export interface PreparedDelivery {
  url: string;
  /** Null if they cannot be read, because the root secret of the server has changed. */
  keys: SigningKeys | null;
  kind: string;
  body: Buffer;
  /** The `traceparent` of the message that the event is about. */
  cause: string | null;
}

/** The deliveries that can be posted now, those that exceeded the limit, and the bytes of the bodies. */
export interface PreparedPart {
  prepared: Map<ClaimedDelivery, PreparedDelivery | null>;
  rest: ClaimedDelivery[];
  bytes: number;
}

/**
 * Prepares deliveries of one workspace with the current webhook and the event as `render` returns it. A delivery that must not be posted
 * is null: its webhook was deleted or stopped, or its inbox or event is gone. Of many large events only the first are prepared, at
 * least one.
 */
export async function prepareDeliveries(
  deps: Deps,
  workspaceId: string,
  deliveries: ClaimedDelivery[],
  render: typeof serializeEvents,
): Promise<PreparedPart> {
  const ctx = { ...deps, workspaceId, scope: wholeWorkspace };
  const webhookIds = [...new Set(deliveries.map((delivery) => delivery.webhook_id))];
  const rows = new Map(deliveries.flatMap(({ event }) => (event ? [[event.id, event]] : [])));
  const messageIds = [...new Set([...rows.values()].flatMap(({ message_id }) => message_id ?? []))];
  const [payloads, webhooks, causes] = await Promise.all([
    render(ctx, [...rows.values()]),
    selectWebhooks(ctx, { workspaceId, webhookIds }),
    readTraceparents(deps, workspaceId, messageIds),
  ]);
  const gone = await deletedInboxes(ctx, [...rows.values()], payloads);
  const isGone = (payload: EventPayload, { event }: ClaimedDelivery) =>
    !payload.hasMessage && event !== null && gone.has(event.inbox_id);
  const keys = new Map(webhooks.map((webhook) => [webhook.id, readKeys(deps, webhook)]));
  const prepare = (delivery: ClaimedDelivery): PreparedDelivery | null => {
    const webhook = webhooks.find(({ id }) => id === delivery.webhook_id);
    const signing = keys.get(delivery.webhook_id) ?? null;
    if (!webhook || (!webhook.enabled && delivery.origin === 'log')) return null;
    const posted = {
      url: webhook.url,
      keys: signing,
      cause: causes.get(delivery.event?.message_id ?? '') ?? null,
    };
    if (delivery.origin === 'sample') {
      const event = sampleEvent(delivery);
      return { ...posted, kind: event.event, body: Buffer.from(JSON.stringify(event)) };
    }
    const payload = payloads.get(delivery.event_id);
    // Readers of the log still see the event of a deleted inbox, but its deliveries were cancelled.
    if (!payload || (delivery.origin === 'log' && isGone(payload, delivery))) return null;
    return { ...posted, kind: payload.kind, body: payload.bytes };
  };
  const isRendered = ({ event }: ClaimedDelivery) => !event || payloads.has(event.id);
  let bytes = 0;
  for (const payload of payloads.values()) bytes += payload.bytes.length;
  return {
    prepared: new Map(deliveries.filter(isRendered).map((delivery) => [delivery, prepare(delivery)])),
    rest: deliveries.filter((delivery) => !isRendered(delivery)),
    bytes,
  };
}

/** Returns the deleted inboxes among those of events without a message. Of the others, only the message was deleted. */
async function deletedInboxes(
  ctx: RowsContext,
  events: EventRow[],
  payloads: EventPayloads,
): Promise<Set<string>> {
  const bare = events.filter(({ id }) => payloads.get(id)?.hasMessage === false);
  const inboxIds = new Set(bare.map(({ inbox_id }) => inbox_id));
  if (inboxIds.size === 0) return inboxIds;
  const live = await scoped(ctx)
    .selectFrom('inboxes')
    .select('id')
    .where('id', 'in', [...inboxIds])
    .where('deleted_at', 'is', null)
    .execute();
  for (const { id } of live) inboxIds.delete(id);
  return inboxIds;
}

const selectWebhooks = prepared(
  (db, { workspaceId, webhookIds }: { workspaceId: string; webhookIds: string[] }) =>
    scoped({ db, workspaceId, scope: wholeWorkspace })
      .selectFrom('webhooks')
      .select(['id', 'url', 'enabled', 'secret', 'previous_secret', 'previous_secret_until'])
      .where('id', '=', anyText(webhookIds))
      .compile(),
) as (
  ctx: Pick<Deps, 'db'>,
  values: { workspaceId: string; webhookIds: string[] },
) => Promise<SignedWebhook[]>;

type SignedWebhook = Pick<
  WebhookRow,
  'id' | 'url' | 'enabled' | 'secret' | 'previous_secret' | 'previous_secret_until'
>;

function readKeys(deps: Deps, webhook: SignedWebhook): SigningKeys | null {
  const { secret, previous_secret: previous, previous_secret_until: until } = webhook;
  const current = readSecret(deps, webhook, secret);
  const signsToo = previous !== null && until !== null && until > deps.clock.now();
  return current === null
    ? null
    : signingKeys(current, signsToo ? readSecret(deps, webhook, previous) : null);
}

function readSecret({ keys, log }: Deps, { id }: SignedWebhook, sealed: string): string | null {
  try {
    return openSecret(keys, id, sealed);
  } catch (error) {
    log.error({ err: error, webhookId: id }, 'the secret of a webhook cannot be read: rotate it');
    return null;
  }
}
