import { limits } from '@postrider/contract';
import { appendAudit, serverItself } from '../../audit/append-audit.ts';
import { scoped } from '../../db/scoped.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Deps } from '../../deps.ts';
import { wholeWorkspace } from '../../lib/scope.ts';
import { cancelDeliveries } from '../cancel-deliveries.ts';
import { auditedUrl } from '../webhook.view.ts';

/** Stops a webhook that has had nothing but failures for 5 days, and cancels what is pending. One that has recovered meanwhile goes on. */
export async function stopFailing(
  deps: Deps,
  { workspace_id: workspaceId, webhook_id: id }: { workspace_id: string; webhook_id: string },
): Promise<void> {
  const failingFrom = deps.timeScale.before(deps.clock.now(), limits.webhookDisabledAfterMs);
  const isStopped = await inTransaction({ ...deps, workspaceId, scope: wholeWorkspace }, async (tx) => {
    const stopped = await scoped(tx)
      .updateTable('webhooks')
      .set({ enabled: false })
      .where('id', '=', id)
      .where('enabled', '=', true)
      .where('failing_since', '<=', failingFrom)
      .returning(['url', 'failing_since'])
      .executeTakeFirst();
    if (!stopped) return false;
    const { failing_since } = stopped;
    const url = auditedUrl(stopped.url);
    await appendAudit(tx, workspaceId, serverItself, {
      action: 'webhook.disabled',
      target: id,
      before: { url, enabled: true },
      after: { url, enabled: false, failing_since },
    });
    return true;
  });
  if (!isStopped) return;
  deps.log.warn({ webhookId: id }, 'a webhook was disabled after failing for 5 days');
  await cancelDeliveries(deps, id);
}
