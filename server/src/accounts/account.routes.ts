import { type Account, contract } from '@postrider/contract';
import type { Selectable } from 'kysely';
import { type Context, contextOf } from '../context.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { defineRoutes } from '../routes.ts';
import { type AccountUsage, readAccountUsage } from '../workspaces/account-usage.ts';
import { planLimits } from '../workspaces/usage.ts';

/** The caller's workspace and its usage. */
interface AccountDetails {
  workspace: Selectable<Tables['workspaces']>;
  usage: AccountUsage;
}

/** Handlers of `/account`. */
export const accountRoutes = defineRoutes(contract.account, {
  get: async ({ res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: viewAccount(ctx, await readAccount(ctx)) };
  },
});

/** Returns the account as the caller sees it, with the figures of the plan that was read with its key. */
function viewAccount(ctx: Context, { workspace, usage }: AccountDetails): Account {
  return {
    workspace: {
      id: workspace.id,
      name: workspace.name,
      title: workspace.title,
      test: workspace.is_test,
      created_at: workspace.created_at.toISOString(),
    },
    plan: ctx.plan,
    limits: planLimits(ctx),
    usage,
  };
}

/** Returns the workspace of the caller's key, and its current usage. */
async function readAccount(ctx: Context): Promise<AccountDetails> {
  const [workspace, usages] = await Promise.all([
    acrossWorkspaces(ctx, 'a workspace is known by its own id')
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', ctx.workspaceId)
      .executeTakeFirstOrThrow(),
    readAccountUsage(ctx, [ctx.workspaceId], ctx.clock.now()),
  ]);
  const usage = usages.get(workspace.id);
  if (!usage) throw new Error(`The usage of ${workspace.id} was not read.`);
  return { workspace, usage };
}
