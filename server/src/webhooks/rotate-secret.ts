import { limits } from '@postrider/contract';
import { recordAct } from '../audit/record-act.ts';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { inTransaction } from '../db/transaction.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { requireUnheld } from '../workspaces/require-unheld.ts';
import type { WebhookRow } from './find-webhook.ts';
import { auditedUrl } from './webhook.view.ts';
import { makeSecret, sealSecret } from './webhook-secret.ts';

/**
 * Gives a webhook a new secret, which signs from now on. The previous one also signs for 24 hours.
 *
 * @throws ApiError `not_found`, `sending_not_allowed` for a key that a policy holds.
 */
export async function rotateSecret(ctx: Context, id: string): Promise<{ row: WebhookRow; secret: string }> {
  if (!isId('whk', id)) throw notFound('id');
  const secret = makeSecret();
  return inTransaction(ctx, async (tx) => {
    await requireUnheld(tx);
    const previous_secret_until = tx.timeScale.after(tx.clock.now(), limits.webhookSecretOverlapMs);
    const row = await scoped(tx)
      .updateTable('webhooks')
      .set((webhook) => ({
        secret: sealSecret(tx.keys, id, secret),
        previous_secret: webhook.ref('secret'),
        previous_secret_until,
      }))
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw notFound('id');
    const after = { url: auditedUrl(row.url), previous_secret_until };
    await recordAct(tx, { action: 'webhook.secret_rotated', target: id, after });
    return { row, secret };
  });
}
