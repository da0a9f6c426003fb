/*
 * A hostname belongs to the workspace that proved last that it controls the DNS of it. Who added it first does not matter: any workspace
 * may add a hostname, and the check of its records decides. A verified hostname also covers the names below it, except those that were
 * verified before. An owner whose records are gone loses the hostname to a workspace that verifies it.
 */

import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { lock, lockShared } from '../db/locks.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { registrableDomain } from './records/expected-records.ts';

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

/** Returns the other workspace's domain that covers a hostname: one that proves it if there is any, or else the one of this very name. */
export async function findHolder(claimant: Claimant, hostname: string): Promise<Holder | null> {
  const rows = await acrossWorkspaces(claimant, 'a hostname has one owner over all workspaces')
    .selectFrom('verified_hostnames as v')
    .leftJoin('domains as d', (on) =>
      on.onRef('d.workspace_id', '=', 'v.workspace_id').onRef('d.id', '=', 'v.domain_id'),
    )
    .select(['v.hostname', 'v.workspace_id', 'v.domain_id', 'd.status', 'd.kind'])
    .where('v.hostname', 'in', withParents(hostname))
    .where('v.workspace_id', '<>', claimant.workspaceId)
    .execute();
  const holders = rows.map((row) => ({
    hostname: row.hostname,
    workspaceId: row.workspace_id,
    domainId: row.domain_id,
    // The DNS of a dedicated subdomain is the service's own, so its records prove nothing about its owner.
    isProven: row.kind === 'subdomain' || (row.status !== null && row.status !== 'failed'),
  }));
  return (
    holders.find(({ isProven }) => isProven) ?? holders.find((holder) => holder.hostname === hostname) ?? null
  );
}

/** Makes claims and deletions of one organisation's names wait for each other. A transaction takes it before the lock of a domain. */
export async function lockHostname(tx: Claimant, hostname: string): Promise<void> {
  const db = acrossWorkspaces(tx, 'a hostname has one owner over all workspaces');
  await lock({ db }, 'hostname', registrableDomain(hostname));
}

/**
 * Makes the caller's domain the owner of its hostname, which is locked. Returns false if another workspace's domain covers it. Addresses of
 * inboxes that are on the domain belong to its workspace from then on, also if another owner had freed them.
 */
export async function claimHostname(
  tx: Claimant,
  { id, hostname }: { id: string; hostname: string },
): Promise<boolean> {
  const db = acrossWorkspaces(tx, 'a hostname has one owner over all workspaces');
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
  await sql`insert into addresses (address, workspace_id, inbox_id)
    select address, workspace_id, id from inboxes
      where workspace_id = ${tx.workspaceId} and domain_id = ${id} and deleted_at is null
    on conflict do nothing`.execute(db);
  return true;
}

/** Keeps a domain from being deleted or taken while an inbox on it is created (`shared`), or the other way round. */
export async function lockDomain(tx: Claimant, id: string, how: 'shared' | 'exclusively'): Promise<void> {
  await (how === 'shared' ? lockShared : lock)(tx, 'domain', id);
}

/** Frees the addresses at a domain: those of its inboxes, and those of deleted inboxes that are held for its workspace. */
export async function freeAddresses(
  tx: Claimant,
  owner: { workspaceId: string; domainId: string; hostname: string },
): Promise<void> {
  const db = acrossWorkspaces(tx, 'addresses follow the owner of their hostname');
  const { workspaceId, domainId, hostname } = owner;
  await sql`delete from addresses a using inboxes i
    where i.workspace_id = ${workspaceId} and i.domain_id = ${domainId} and a.address = i.address
      and a.workspace_id = i.workspace_id`.execute(db);
  // The row of a deleted inbox may already be removed.
  await sql`delete from addresses where workspace_id = ${workspaceId} and held_until is not null
    and split_part(address, '@', -1) = ${hostname}`.execute(db);
}

/** Takes a hostname from its former owner, whose inboxes can still be read. A check of its domain that is under way does not count. */
async function takeFrom(tx: Claimant, { workspaceId, domainId, hostname }: Holder): Promise<void> {
  await lockDomain(tx, domainId, 'exclusively');
  await freeAddresses(tx, { workspaceId, domainId, hostname });
  await acrossWorkspaces(tx, 'addresses follow the owner of their hostname')
    .updateTable('domains')
    .set({ verified_at: null, failing_since: null, status: 'failed', fence: sql`fence + 1` })
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', domainId)
    .execute();
}
