import type { PolicyEntry } from '@postrider/contract/console';
import type { Context } from '../context.ts';
import { scoped } from '../db/scoped.ts';
import { decodeTimeCursor, type Page, pageOf } from '../lib/cursor.ts';
import { isOfRevokedKey, subjectName } from './subject-name.ts';

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
    .select(['level', 'subject_id', 'lines', 'policies.updated_at', 'updated_by', 'people.name as doer'])
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
