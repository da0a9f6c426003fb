import { type ManagedWorkspace, managementContract } from '@postrider/contract/management';
import { type AuditActor, appendAudit } from '../audit/append-audit.ts';
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
  createWorkspace,
  getWorkspace,
  RefusedChange,
  renameWorkspace,
  setPlan,
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
    const made = await inTransaction(ctx, async (tx) => {
      const row = await createWorkspace(tx, { name: body.name, plan: body.plan, isTest: body.test });
      const act = { action: 'workspace.created', target: row?.id ?? null, after: { ...body } };
      if (row) await appendAudit(tx, row.id, actorIn(ctx), act);
      return row;
    });
    if (!made) return { status: 200, body: viewWorkspace(await getWorkspace(ctx, body.name)) };
    await adoptWorkspaces(ctx);
    return { status: 201, body: viewWorkspace(made) };
  },
  get: async ({ params, res }) => ({
    status: 200,
    body: viewWorkspace(await findWorkspace(contextOf(res), params.id)),
  }),
  update: async ({ params, body: { name, plan }, res }) => {
    const ctx = contextOf(res);
    let workspace = await findWorkspace(ctx, params.id);
    const actor = actorIn(ctx);
    if (name !== undefined) workspace = await explained('name', renameWorkspace(ctx, workspace, name, actor));
    if (plan !== undefined) workspace = await explained('plan', setPlan(ctx, workspace.name, plan, actor));
    return { status: 200, body: viewWorkspace(workspace) };
  },
  delete: async ({ params, res }) => {
    const ctx = contextOf(res);
    await explained('id', deleteWorkspace(ctx, await findWorkspace(ctx, params.id), actorIn(ctx)));
    return { status: 204, body: undefined };
  },
});

/** Rejects with the reason for which a change is refused, as one about a field. */
async function explained<Result>(path: string, change: Promise<Result>): Promise<Result> {
  try {
    return await change;
  } catch (error) {
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

/** The operator's token, as the audit log of a workspace names it. */
function actorIn({ actor, clientAddress = null, requestId }: Context): AuditActor {
  return { kind: actor.kind, id: actor.id, address: clientAddress, requestId };
}

function viewWorkspace({ id, name, title, plan, is_test, created_at }: WorkspaceSummary): ManagedWorkspace {
  return { id, name, title, plan, test: is_test, created_at: created_at.toISOString() };
}
