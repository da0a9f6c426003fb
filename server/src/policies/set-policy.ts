import { limits, type PolicyIn, type PolicyLevel } from '@postrider/contract';
import { sql } from 'kysely';
import { type AuditActor, appendAudit } from '../audit/append-audit.ts';
import { scoped } from '../db/scoped.ts';
import { notFound } from '../lib/api-error.ts';
import { normalizeAddress, parseDomain } from '../lib/email-address.ts';
import { isId } from '../lib/ids.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { type ChangeContext, changeSending } from '../workspaces/change-sending.ts';

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

/**
 * Sets the policy of a workspace, an inbox or a key, in place of that before. Without lines there is none. It holds for every send that is not
 * stored when it returns; what was accepted before goes on.
 *
 * @throws ApiError `not_found` if the workspace has no such inbox or key.
 */
export async function setPolicy(
  ctx: ChangeContext,
  place: PolicyPlace,
  lines: PolicyIn,
  actor: AuditActor,
): Promise<PolicyIn> {
  const after = normalized(lines);
  const { workspaceId, level, subjectId } = place;
  const scope = { workspaceId };
  const { result } = await changeSending(ctx, scope, ['queued', 'sending'], async (tx) => {
    await requireSubject(tx, place);
    const before = await policyAt(tx, place);
    await storeLines(tx, place, after, actor.id);
    const act = {
      action: `policy.${level}_changed`,
      target: subjectId,
      before: { ...before },
      after: { ...after },
    };
    await appendAudit(tx, workspaceId, actor, act);
    return after;
  });
  ctx.wakeups.wake(workspaceId, 'control');
  return result;
}

async function storeLines(
  tx: ChangeContext,
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

/** Writes addresses and domains as they are compared, and leaves out lines that hold nothing back. */
function normalized(lines: PolicyIn): PolicyIn {
  const { recipients, ...others } = lines;
  const patterns = Array.isArray(recipients)
    ? [...new Set(recipients.map(patternOf))].slice(0, limits.policyPatternsMax)
    : recipients;
  const all = { ...others, ...(patterns !== undefined && { recipients: patterns }) };
  const isLoose = (value: unknown) =>
    value === null || value === undefined || value === 'allow' || value === 'anyone';
  return Object.fromEntries(Object.entries(all).filter(([, value]) => !isLoose(value)));
}

function patternOf(text: string): string {
  return (text.includes('@') ? normalizeAddress(text) : parseDomain(text)) ?? text.toLowerCase();
}
