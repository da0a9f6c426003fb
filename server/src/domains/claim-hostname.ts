/*
 * A hostname belongs to the workspace that proved last that it controls the DNS of it. Who added it first does not matter: any workspace may
 * add a hostname, and the check of its records decides. A verified hostname also covers the names below it, except those that were verified
 * before. An owner whose records are gone loses the hostname to a workspace that verifies it.
 */
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { zoneOf } from './records/relative-name.ts';

type Claimant = Pick<Context, 'db' | 'workspaceId'>;

/** The hostname that stands in the way of a claim, and whose domain it is. */
export interface Holder {
  hostname: string;
  workspaceId: string;
  domainId: string;
  /** Whether its records still prove it. */
  isProven: boolean;
}

/** Returns the hostname and the ones above it, down to two labels. */
export function withParents(hostname: string): string[] {
  const labels = hostname.split('.');
  return labels.slice(0, -1).map((_, count) => labels.slice(count).join('.'));
}

/** Returns the other workspace's domain that covers a hostname, or null. */
export async function findHolder(claimant: Claimant, hostname: string): Promise<Holder | null> {
  const row = await acrossWorkspaces(claimant, 'a hostname has one owner over all workspaces')
    .selectFrom('verified_hostnames as v')
    .leftJoin('domains as d', (on) =>
      on.onRef('d.workspace_id', '=', 'v.workspace_id').onRef('d.id', '=', 'v.domain_id'),
    )
    .select(['v.hostname', 'v.workspace_id', 'v.domain_id', 'd.status'])
    .where('v.hostname', 'in', withParents(hostname))
    .where('v.workspace_id', '<>', claimant.workspaceId)
    .orderBy(sql`length(v.hostname)`, 'desc')
    .limit(1)
    .executeTakeFirst();
  return row
    ? {
        hostname: row.hostname,
        workspaceId: row.workspace_id,
        domainId: row.domain_id,
        isProven: row.status !== null && row.status !== 'failed',
      }
    : null;
}

/**
 * Makes the caller's domain the owner of its hostname. Returns false if another workspace's domain covers it. Claims of one organisation's
 * names wait for each other, so that a name and the one above it cannot be claimed at once.
 */
export async function claimHostname(
  tx: Claimant,
  { id, hostname }: { id: string; hostname: string },
): Promise<boolean> {
  const db = acrossWorkspaces(tx, 'a hostname has one owner over all workspaces');
  await sql`select pg_advisory_xact_lock(hashtextextended(${`hostname:${zoneOf(hostname)}`}, 0))`.execute(db);
  const holder = await findHolder(tx, hostname);
  if (holder?.isProven) return false;
  if (holder?.hostname === hostname) await takeFrom(tx, holder);
  await db
    .insertInto('verified_hostnames')
    .values({ hostname, workspace_id: tx.workspaceId, domain_id: id })
    .onConflict((conflict) =>
      conflict.column('hostname').doUpdateSet({ workspace_id: tx.workspaceId, domain_id: id }),
    )
    .execute();
  return true;
}

/** Frees the addresses of the former owner, which mail no longer reaches. Its inboxes can still be read. */
async function takeFrom(tx: Claimant, { workspaceId, domainId }: Holder): Promise<void> {
  const db = acrossWorkspaces(tx, 'addresses follow the owner of their hostname');
  await sql`delete from addresses a using inboxes i
    where i.workspace_id = ${workspaceId} and i.domain_id = ${domainId} and a.address = i.address
      and a.workspace_id = i.workspace_id`.execute(db);
  await db
    .updateTable('domains')
    .set({ verified_at: null, status: 'failed' })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', domainId)
    .execute();
}
