import type { Webhook, WebhookWithSecret } from '@postrider/contract';
import type { WebhookRow } from './find-webhook.ts';

/** A webhook as the API shows it. */
export const viewWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: row.events,
  inbox_ids: row.inbox_ids,
  enabled: row.enabled,
  created_at: row.created_at.toISOString(),
});

/** A webhook with its secret, for the responses that show it. */
export const viewWithSecret = ({ row, secret }: { row: WebhookRow; secret: string }): WebhookWithSecret => ({
  ...viewWebhook(row),
  secret,
});
