import {
  type CreateWorkspace,
  type ManagedWorkspace,
  managementContract,
} from '@postrider/contract/management';
import { readActor, recordAct } from '../audit/append-audit.ts';
import { type Context, contextOf } from '../context.ts';
import { inTransaction } from '../db/connections.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import { invalidField, notFound } from '../lib/api-error.ts';
import { decodeCursor, pageOf } from '../lib/cursor.ts';
import { isId } from '../lib/ids.ts';
import { adoptWorkspaces } from '../people/first-owner.ts';
import { defineRoutes } from '../routes.ts';
import { deleteWorkspace } from '../workspaces/delete-workspace.ts';
import {
  changeWorkspace,
  createWorkspace,
  RefusedChange,
  UnknownWorkspace,
  type WorkspaceSummary,
} from '../workspaces/manage-workspaces.ts';

/** Handlers of workspaces, for tokens of the operator. */
export const workspacesRoutes = defineRoutes(managementContract.workspaces, {
  list: async ({ query, res }) => {
    let rows = selectWorkspaces(contextOf(res))
      .orderBy('id', 'desc')
      .limit(query.limit + 1);
    if (query.cursor) rows = rows.where('id', '<', decodeCursor(query.cursor, 1)[0] ?? '');
    const page = pageOf(await rows.execute(), query.limit, ({ id }) => [id]);
    return {
      status: 200,
      body: { workspaces: page.rows.map(viewWorkspace), next_cursor: page.nextCursor },
    };
  },
  create: async ({ body, res }) => {
    const ctx = contextOf(res);
    const { workspace, isNew } = await findOrCreate(ctx, body);
    if (isNew) await adoptWorkspaces(ctx);
    return { status: isNew ? 201 : 200, body: viewWorkspace(workspace) };
  },
  get: async ({ params, res }) => ({
    status: 200,
    body: viewWorkspace(await findWorkspace(contextOf(res), params.id)),
  }),
  update: async ({ params, body, res }) => {
    const ctx = contextOf(res);
    const workspace = await findWorkspace(ctx, params.id);
    const changed = await explained('name', changeWorkspace(ctx, workspace, body, readActor(ctx)));
    return { status: 200, body: viewWorkspace(changed) };
  },
  delete: async ({ params, res }) => {
    const ctx = contextOf(res);
    await explained('id', deleteWorkspace(ctx, await findWorkspace(ctx, params.id), readActor(ctx)));
    return { status: 204, body: undefined };
  },
});

/** Returns the workspace with a name, and creates it if there is none. */
async function findOrCreate(
  ctx: Context,
  body: CreateWorkspace,
): Promise<{ workspace: WorkspaceSummary; isNew: boolean }> {
  const made = await inTransaction(ctx, async (tx) => {
    const row = await createWorkspace(tx, { name: body.name, plan: body.plan, isTest: body.test });
    const act = { action: 'workspace.created', target: row?.id ?? null, after: { ...body } };
    if (row) await recordAct({ ...tx, workspaceId: row.id }, act);
    return row;
  });
  if (made) return { workspace: made, isNew: true };
  const found = await selectWorkspaces(ctx).where('name', '=', body.name).executeTakeFirst();
  // The one that had the name has been deleted or renamed meanwhile.
  return found ? { workspace: found, isNew: false } : findOrCreate(ctx, body);
}

/** Rejects with the reason why a change is refused, as an issue of a field; with `not_found` if the workspace was deleted. */
async function explained<Result>(path: string, change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (error) {
    if (error instanceof UnknownWorkspace) throw notFound('id');
    throw error instanceof RefusedChange ? invalidField(path, error.message) : error;
  }
}

type OneWorkspace = Pick<Context, 'db'>;

function selectWorkspaces(ctx: OneWorkspace) {
  return acrossWorkspaces(ctx, 'the operator manages all workspaces')
    .selectFrom('workspaces')
    .selectAll()
    .where('deleted_at', 'is', null);
}

async function findWorkspace(ctx: OneWorkspace, id: string): Promise<WorkspaceSummary> {
  if (!isId('wsp', id)) throw notFound('id');
  const row = await selectWorkspaces(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('id');
  return row;
}

function viewWorkspace({ id, name, title, plan, is_test, created_at }: WorkspaceSummary): ManagedWorkspace {
  return { id, name, title, plan, test: is_test, created_at: created_at.toISOString() };
}
