import { sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { leadsBack } from '../domains/mail-domain.ts';
import { domainOf } from '../lib/email-address.ts';
import { readReturnPath } from '../lib/signed-address.ts';
import type { RecipientKey } from './record-outcome.ts';

/** The recipient of a return path, and the inbox that sent its message. */
export interface ReturnedTo extends RecipientKey {
  inboxId: string;
  inboxAddress: string;
}

/** Returns the recipient of a return path. Returns null for a forged one, without a look-up, and if the inbox is gone. */
export async function findReturnPath(
  deps: Pick<Deps, 'db' | 'keys' | 'config'>,
  address: string,
): Promise<ReturnedTo | null> {
  const path = leadsBack(deps, address) && readReturnPath(address, domainOf(address), [deps.keys]);
  if (!path) return null;
  const { workspaceIds, messageId, position } = path;
  const db = acrossWorkspaces(deps, 'a return path leads to its workspace');
  const [row] = await selectRecipient({ db }, { ...workspaceIds, messageId, position });
  return row
    ? {
        workspaceId: row.workspace_id,
        messageId,
        address: row.address,
        inboxId: row.inbox_id,
        inboxAddress: row.inbox_address,
      }
    : null;
}

interface Row {
  workspace_id: string;
  address: string;
  inbox_id: string;
  inbox_address: string;
}

const selectRecipient = prepared(
  (db, path: { from: string; to: string; messageId: string; position: number }) =>
    sql<Row>`select r.workspace_id, r.address, i.id as inbox_id, i.address as inbox_address
    from workspaces w
    join message_recipients r on r.workspace_id = w.id and r.message_id = ${path.messageId} and r.position = ${path.position}
    join inboxes i on i.workspace_id = r.workspace_id and i.id = r.inbox_id and i.deleted_at is null
    where w.id between ${path.from} and ${path.to}`.compile(db),
);
