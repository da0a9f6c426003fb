import type { Account } from '@postrider/contract';
import { sql } from 'kysely';
import { prepared } from '../db/prepared.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { monthEnd, monthOf, type Usage } from './usage.ts';

/** The usage of a workspace, as `GET /account` counts it. */
export type AccountUsage = Account['usage'];

/** Returns the usage of workspaces at a moment, by their ids. */
export async function readAccountUsage(
  deps: Pick<Deps, 'db'>,
  workspaceIds: string[],
  at: Date,
): Promise<Map<string, AccountUsage>> {
  const db = acrossWorkspaces(deps, 'an operator sees the usage of all workspaces');
  const rows = await selectUsage({ db }, { workspaceIds, month: monthOf(at) });
  const month_ends_at = monthEnd(at).toISOString();
  return new Map(
    rows.map(({ id, inboxes, used, mail_bytes }) => {
      const { emails: emails_this_month, storage_bytes } = used;
      return [
        id,
        { inboxes, emails_this_month, storage_bytes, mail_bytes: Number(mail_bytes), month_ends_at },
      ];
    }),
  );
}

interface UsageRow {
  id: string;
  inboxes: number;
  used: Usage;
  mail_bytes: number;
}

const selectUsage = prepared((db, { workspaceIds, month }: { workspaceIds: string[]; month: string }) =>
  sql<UsageRow>`select w.id, usage_of(w.id, ${month}::date) as used, mail_bytes_of(w.id) as mail_bytes,
    (select count(*) from inboxes i where i.workspace_id = w.id and i.deleted_at is null)::int as inboxes
    from unnest(${workspaceIds}::text[]) as w(id)`.compile(db),
);
