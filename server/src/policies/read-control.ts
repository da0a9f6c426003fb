import {
  type Control,
  consoleLimits,
  type PauseEntry,
  type PolicyEntry,
  type Waiting,
} from '@postrider/contract/console';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '../context.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import { decodeTimeCursor, type Page, pageOf } from '../lib/cursor.ts';

/** Waiting messages are counted up to this number, so that a long queue costs no more than others. */
const countedMax = 1_001;

/** Returns what people have set for the whole workspace, the pauses in force, and what waits for their end. */
export async function readControl(ctx: ReadingContext): Promise<Control> {
  const [policy, pauses, { disclosure }] = await Promise.all([
    findWorkspacePolicy(ctx),
    listPauseEntries(ctx),
    acrossWorkspaces(ctx, 'a workspace is no row of itself')
      .selectFrom('workspaces')
      .select('disclosure')
      .where('id', '=', ctx.workspaceId)
      .executeTakeFirstOrThrow(),
  ]);
  const isPaused = pauses.some(({ level }) => level === 'server' || level === 'workspace');
  return { policy, disclosure, pauses, waiting: isPaused ? await countWaiting(ctx) : null };
}

/** A pause of a key that is revoked is listed, because what the key sent before waits for its end. */
async function listPauseEntries(ctx: ReadingContext): Promise<PauseEntry[]> {
  const rows = await acrossWorkspaces(ctx, 'a pause of the server concerns all')
    .selectFrom('pauses')
    .leftJoin('people', 'people.id', 'pauses.paused_by')
    .leftJoin('admin_tokens', 'admin_tokens.id', 'pauses.paused_by')
    .select(['level', 'subject_id', 'reason', 'paused_at', 'paused_by'])
    .select(({ fn }) => fn.coalesce('people.name', 'admin_tokens.name').as('doer'))
    .select(subjectName(ctx).as('name'))
    .where((is) => is.or([is('pauses.workspace_id', '=', ctx.workspaceId), is('level', '=', 'server')]))
    .where(subjectName(ctx), 'is not', null)
    .orderBy(sql`array_position(array['server', 'workspace'], level)`)
    .orderBy('paused_at', 'desc')
    .limit(consoleLimits.pausesListedMax)
    .execute();
  return rows.map(({ level, subject_id, name, reason, paused_at, paused_by, doer }) => ({
    level,
    subject_id,
    name: name ?? '',
    reason,
    paused_at: paused_at.toISOString(),
    paused_by: paused_by === null ? null : { id: paused_by, name: doer },
  }));
}

async function countWaiting(ctx: ReadingContext): Promise<Waiting> {
  const { workspaceId } = ctx;
  const count = (rows: RawBuilder<unknown>) =>
    sql`(select count(*)::int from (select ${rows} limit ${countedMax}) counted)`;
  const recipients = sql`from message_recipients where workspace_id = ${workspaceId}`;
  const { rows } = await sql<Waiting>`select
    ${count(sql`${recipients} and status = 'sending'`)} as under_way,
    ${count(sql`${recipients} and status = 'queued'`)}
      + ${count(sql`${recipients} and status = 'deferred' and resume_at is not null`)} as recipients,
    ${count(sql`from drafts where workspace_id = ${workspaceId} and message_id is null and scheduled_at is not null`)}
      as scheduled_drafts,
    ${count(sql`from approvals where workspace_id = ${workspaceId} and state = 'held'`)} as held`.execute(
    ctx.db,
  );
  return rows[0] ?? { under_way: 0, recipients: 0, scheduled_drafts: 0, held: 0 };
}

/** The context in which the settings of a workspace are read. */
export type ReadingContext = Pick<Context, 'db' | 'workspaceId'>;

/** Returns a page of the policies of the inboxes and keys that there are, the one changed last first. */
export async function listPolicies(
  ctx: ReadingContext,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<PolicyEntry>> {
  let rows = selectPolicies(ctx)
    .where('level', '<>', 'workspace')
    .where(subjectName(ctx), 'is not', null)
    .where((is) => is.not(isOfRevokedKey(ctx)))
    .orderBy('policies.updated_at', 'desc')
    .orderBy('subject_id', 'desc')
    .limit(limit + 1);
  if (cursor) {
    const { at, key } = decodeTimeCursor(cursor);
    rows = rows.where((is) =>
      is.or([
        is('policies.updated_at', '<', at),
        is.and([is('policies.updated_at', '=', at), is('subject_id', '<', key)]),
      ]),
    );
  }
  const page = pageOf(await rows.execute(), limit, (row) => [row.updated_at.toISOString(), row.subject_id]);
  return { ...page, rows: page.rows.map(viewPolicy) };
}

/** Returns the policy of the workspace; null without one. */
export async function findWorkspacePolicy(ctx: ReadingContext): Promise<PolicyEntry | null> {
  const row = await selectPolicies(ctx).where('level', '=', 'workspace').executeTakeFirst();
  return row ? viewPolicy(row) : null;
}

function selectPolicies(ctx: ReadingContext) {
  return scoped(ctx)
    .selectFrom('policies')
    .leftJoin('people', 'people.id', 'policies.updated_by')
    .leftJoin('admin_tokens', 'admin_tokens.id', 'policies.updated_by')
    .select(['level', 'subject_id', 'lines', 'policies.updated_at', 'updated_by'])
    .select(({ fn }) => fn.coalesce('people.name', 'admin_tokens.name').as('doer'))
    .select(subjectName(ctx).as('name'));
}

type PolicyRow = Awaited<ReturnType<ReturnType<typeof selectPolicies>['executeTakeFirstOrThrow']>>;

function viewPolicy(row: PolicyRow): PolicyEntry {
  const { level, subject_id, name, lines, updated_at, updated_by, doer } = row;
  return {
    level,
    subject_id,
    name: name ?? '',
    lines,
    updated_at: updated_at.toISOString(),
    updated_by: updated_by === null ? null : { id: updated_by, name: doer },
  };
}

/**
 * Returns the name of what a row of `policies` or `pauses` is about: the address of an inbox, the name of a key or the title of a
 * workspace. It is empty for the server, and null for an inbox that is deleted.
 */
export function subjectName({ workspaceId }: { workspaceId: string }): RawBuilder<string | null> {
  return sql<string | null>`case level
    when 'workspace' then (select w.title from workspaces w where w.id = ${workspaceId})
    when 'inbox' then
      (select i.address from inboxes i where i.workspace_id = ${workspaceId} and i.id = subject_id and i.deleted_at is null)
    when 'key' then
      (select k.name from api_keys k where k.workspace_id = ${workspaceId} and k.id = subject_id)
    else '' end`;
}

/** Returns whether a row of `policies` is about a key that is revoked. */
export function isOfRevokedKey({ workspaceId }: { workspaceId: string }): RawBuilder<boolean> {
  return sql<boolean>`exists (select from api_keys k
    where k.workspace_id = ${workspaceId} and k.id = subject_id and k.revoked_at is not null)`;
}
