import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import type { SesReport } from '../mail/aws/ses-notification.ts';
import { type RecipientKey, recordOutcome } from './record-outcome.ts';
import { decideSesOutcome } from './ses-outcome.ts';

/**
 * Records a report of Amazon SES on a message, once for each recipient however often it arrives. Resolves once that is durable.
 * Returns false if no recipient has this id of the provider, or none yet.
 */
export async function recordSesReport(deps: Deps, report: SesReport): Promise<boolean> {
  const keys = await findRecipients(deps, report.providerMessageId);
  const at = deps.clock.now();
  const found = report.outcomes.flatMap(({ address, outcome }) =>
    keys
      .filter((key) => address === null || key.address === address)
      .map((key) => ({ key, change: decideSesOutcome(outcome, { recipient: key.address, at }) })),
  );
  if (keys.length > 0 && found.length === 0) {
    const { providerMessageId } = report;
    deps.log.info({ providerMessageId }, 'Amazon SES reported on addresses that the message was not sent to');
  }
  await Promise.all(
    found.map(async ({ key, change }) => {
      const changed = await recordOutcome(deps, key, change, at, null);
      const { messageId, address: recipient } = key;
      deps.log.info({ messageId, recipient, status: change.status, changed }, 'Amazon SES reported');
    }),
  );
  return keys.length > 0;
}

async function findRecipients(deps: Deps, providerMessageId: string): Promise<RecipientKey[]> {
  const rows = await acrossWorkspaces(deps, 'a provider knows a message by its own id, and no workspace')
    .selectFrom('message_recipients')
    .select(['workspace_id', 'message_id', 'address'])
    .where('provider_message_id', '=', providerMessageId)
    .execute();
  return rows.map((row) => ({
    workspaceId: row.workspace_id,
    messageId: row.message_id,
    address: row.address,
  }));
}
