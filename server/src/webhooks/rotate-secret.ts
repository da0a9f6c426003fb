import { limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import type { WebhookRow } from './find-webhook.ts';
import { makeSecret, sealSecret } from './webhook-secret.ts';

/**
 * Gives a webhook a new secret, which signs from now on. The previous one also signs for 24 hours.
 *
 * @throws ApiError `not_found`.
 */
export async function rotateSecret(ctx: Context, id: string): Promise<{ row: WebhookRow; secret: string }> {
  if (!isId('whk', id)) throw notFound('id');
  const secret = makeSecret();
  const row = await scoped(ctx)
    .updateTable('webhooks')
    .set((webhook) => ({
      secret: sealSecret(ctx.keys, id, secret),
      previous_secret: webhook.ref('secret'),
      previous_secret_until: ctx.timeScale.after(ctx.clock.now(), limits.webhookSecretOverlapMs),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw notFound('id');
  return { row, secret };
}
