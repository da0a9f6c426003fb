import { type Control, consoleLimits, type PauseEntry, type Waiting } from '@postrider/contract/console';
import { type RawBuilder, sql } from 'kysely';
import { acrossWorkspaces } from '../db/scoped.ts';
import { findWorkspacePolicy, type ReadingContext } from './list-policies.ts';
import { subjectName } from './subject-name.ts';

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
    .select(['level', 'subject_id', 'reason', 'paused_at', 'paused_by', 'people.name as doer'])
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
