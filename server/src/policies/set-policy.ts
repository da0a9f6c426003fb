import { type Disclosure, limits, type PolicyIn, type PolicyLevel } from '@postrider/contract';
import type { HeldWebhook } from '@postrider/contract/console';
import { sql } from 'kysely';
import { type AuditActor, appendAudit } from '../audit/append-audit.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../lib/api-error.ts';
import { normalizeAddress, parseDomain } from '../lib/email-address.ts';
import { isId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { type ChangeContext, changeSending } from './change-sending.ts';
import { holdsKey } from './require-unheld.ts';

/**
 * Sets the policy of a workspace, an inbox or a key, and replaces the previous one. Without settings, there is no policy. It applies to
 * every send that is not stored when this returns; what was accepted before continues. Also returns the enabled webhooks of keys under the
 * policy.
 *
 * @throws ApiError `not_found` if the workspace has no such inbox or key.
 */
export async function setPolicy(
  ctx: ChangeContext,
  place: PolicyPlace,
  lines: PolicyIn,
  actor: AuditActor,
): Promise<{ lines: PolicyIn; heldWebhooks: HeldWebhook[] }> {
  const after = normalized(lines);
  const { workspaceId, level, subjectId } = place;
  const scope = { workspaceId };
  const { result } = await changeSending(ctx, scope, ['queued', 'sending'], async (tx) => {
    await requireSubject(tx, place);
    const before = await policyAt(tx, place);
    await storePolicy(tx, place, after, actor.id);
    const act = {
      action: `policy.${level}_changed`,
      target: subjectId,
      before: { ...before },
      after: { ...after },
    };
    await appendAudit(tx, workspaceId, actor, act);
    return { lines: after, heldWebhooks: await findHeldWebhooks(tx, place) };
  });
  ctx.wakeups.wake(workspaceId, 'control');
  return result;
}

const prefixes = { workspace: 'wsp', inbox: 'inb', key: 'key' } as const;

/**
 * Checks that a place is the workspace, or an inbox or a key of it.
 *
 * @throws ApiError `not_found`.
 */
export async function requireSubject(
  tx: Pick<ChangeContext, 'db'>,
  { workspaceId, level, subjectId }: PolicyPlace,
): Promise<void> {
  if (!isId(prefixes[level], subjectId)) throw notFound('id');
  if (level === 'workspace') {
    if (subjectId !== workspaceId) throw notFound('id');
    return;
  }
  const rows = scoped({ db: tx.db, workspaceId, scope: wholeWorkspace });
  const table = level === 'inbox' ? 'inboxes' : 'api_keys';
  const found = await rows
    .selectFrom(table)
    .select(`${table}.id`)
    .where(`${table}.id`, '=', subjectId)
    .$if(level === 'inbox', (of) => of.where(sql`deleted_at`, 'is', null))
    .executeTakeFirst();
  if (!found) throw notFound(level === 'inbox' ? 'inbox_id' : 'key_id');
}

/**
 * Returns the enabled webhooks created by keys under the policy of a place. They were allowed when they were created and stay active, so
 * people who set a policy are told about them.
 */
export async function findHeldWebhooks(
  ctx: Pick<Deps, 'db'>,
  { workspaceId, level, subjectId }: PolicyPlace,
): Promise<HeldWebhook[]> {
  const { rows } = await sql<HeldWebhook>`select w.id, w.url, k.id as key_id, k.name as key_name
    from webhooks w join api_keys k on k.workspace_id = w.workspace_id and k.id = w.actor_id
    where w.workspace_id = ${workspaceId} and w.enabled and k.revoked_at is null and exists (
      select from policies p where p.workspace_id = ${workspaceId} and p.level = ${level} and p.subject_id = ${subjectId} and ${holdsKey})
    order by w.id`.execute(acrossWorkspaces(ctx, 'the query names the workspace'));
  return rows;
}

/** Where a policy is set. The subject is the id of the workspace, the inbox or the key. */
export interface PolicyPlace {
  workspaceId: string;
  level: PolicyLevel;
  subjectId: string;
}

/** Returns the lines that are set at a place. */
export async function policyAt(ctx: Pick<ChangeContext, 'db'>, place: PolicyPlace): Promise<PolicyIn> {
  const row = await scoped({ db: ctx.db, workspaceId: place.workspaceId })
    .selectFrom('policies')
    .select('lines')
    .where('level', '=', place.level)
    .where('subject_id', '=', place.subjectId)
    .executeTakeFirst();
  return row?.lines ?? {};
}

/** Stores the lines of a place, as `normalized` returns them, in place of those before. Without lines there is no policy. */
export async function storePolicy(
  tx: Pick<ChangeContext, 'db' | 'clock'>,
  { workspaceId, level, subjectId }: PolicyPlace,
  lines: PolicyIn,
  updatedBy: string | null,
): Promise<void> {
  const rows = scoped({ db: tx.db, workspaceId });
  await rows.deleteFrom('policies').where('level', '=', level).where('subject_id', '=', subjectId).execute();
  if (Object.keys(lines).length === 0) return;
  await tx.db
    .insertInto('policies')
    .values({
      workspace_id: workspaceId,
      level,
      subject_id: subjectId,
      lines,
      updated_at: tx.clock.now(),
      updated_by: updatedBy,
    })
    .execute();
}

/** Normalises addresses and domains for comparison, and leaves out settings that limit nothing. */
export function normalized(lines: PolicyIn): PolicyIn {
  const isLoose = (value: unknown) =>
    value === null || value === undefined || value === 'allow' || value === 'anyone';
  return Object.fromEntries(Object.entries(withPatterns(lines)).filter(([, value]) => !isLoose(value)));
}

/** Writes addresses and domains as they are compared. */
export function withPatterns({ recipients, ...others }: PolicyIn): PolicyIn {
  if (recipients === undefined) return others;
  if (!Array.isArray(recipients)) return { ...others, recipients };
  const patterns = [...new Set(recipients.map(normalizePattern))].slice(0, limits.policyPatternsMax);
  return { ...others, recipients: patterns };
}

function normalizePattern(text: string): string {
  return (text.includes('@') ? normalizeAddress(text) : parseDomain(text)) ?? text.toLowerCase();
}

/** Sets how recipients are told that an AI wrote a message. It applies to every message that a key writes and that is not stored yet. */
export async function setDisclosure(
  ctx: ChangeContext,
  workspaceId: string,
  disclosure: Disclosure,
  actor: AuditActor,
): Promise<void> {
  await changeSending(ctx, { workspaceId }, [], async (tx) => {
    const workspaces = acrossWorkspaces(tx, 'a workspace is no row of itself');
    const before = await workspaces
      .selectFrom('workspaces')
      .select('disclosure')
      .where('id', '=', workspaceId)
      .forUpdate()
      .executeTakeFirstOrThrow();
    await workspaces.updateTable('workspaces').set({ disclosure }).where('id', '=', workspaceId).execute();
    await appendAudit(tx, workspaceId, actor, {
      action: 'workspace.disclosure_changed',
      target: workspaceId,
      before: { ...before },
      after: { disclosure },
    });
  });
  ctx.wakeups.wake(workspaceId, 'control');
}
