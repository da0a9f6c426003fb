import type { Webhook, WebhookWithSecret } from '@postrider/contract';
import type { WebhookRow } from './find-webhook.ts';

/** A webhook as the API shows it. */
export function viewWebhook(row: WebhookRow): Webhook {
  return {
    id: row.id,
    url: row.url,
    events: row.events,
    inbox_ids: row.inbox_ids,
    enabled: row.enabled,
    created_at: row.created_at.toISOString(),
  };
}

/** What the audit log shows of a webhook. */
export function auditedWebhook({ url, events, inbox_ids, enabled }: WebhookRow) {
  return { url: auditedUrl(url), events, inbox_ids, enabled };
}

/** Returns the URL of a webhook as the audit log shows it: without the values of its query, which may be secrets. */
export function auditedUrl(url: string): string {
  return url.replace(/\?.*$/s, (query) => query.replace(/(^\?|&)([^&=]*=)?[^&]*/g, '$1$2…'));
}

/** A webhook with its secret, for the responses that show it. */
export function viewWithSecret({ row, secret }: { row: WebhookRow; secret: string }): WebhookWithSecret {
  return {
    ...viewWebhook(row),
    secret,
  };
}
