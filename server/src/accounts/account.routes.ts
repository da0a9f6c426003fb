import { type Account, contract } from '@postrider/contract';
import type { Selectable } from 'kysely';
import { type Context, contextOf } from '../context.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import type { Tables } from '../db/tables.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { defineRoutes } from '../routes.ts';
import { monthEnd, planLimits, readMailBytes, readUsage, type Usage } from '../workspaces/usage.ts';

/** The caller's workspace and its usage. */
interface AccountDetails {
  workspace: Selectable<Tables['workspaces']>;
  usage: Usage & { inboxes: number; mail_bytes: number };
  /** When the usage was read. */
  at: Date;
}

/** Handlers of `/account`. */
export const accountRoutes = defineRoutes(contract.account, {
  get: async ({ res }) => {
    const ctx = contextOf(res);
    return { status: 200, body: viewAccount(ctx, await readAccount(ctx)) };
  },
});

/** Returns the account as the caller sees it, with the figures of the plan that was read with its key. */
function viewAccount(ctx: Context, { workspace, usage, at }: AccountDetails): Account {
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
    usage: {
      inboxes: usage.inboxes,
      emails_this_month: usage.emails,
      storage_bytes: usage.storage_bytes,
      mail_bytes: usage.mail_bytes,
      month_ends_at: monthEnd(at).toISOString(),
    },
  };
}

/** Returns the workspace of the caller's key, and its current usage. */
async function readAccount(ctx: Context): Promise<AccountDetails> {
  const at = ctx.clock.now();
  const [workspace, { inboxes }, usage, mail_bytes] = await Promise.all([
    acrossWorkspaces(ctx, 'a workspace is known by its own id')
      .selectFrom('workspaces')
      .selectAll()
      .where('id', '=', ctx.workspaceId)
      .executeTakeFirstOrThrow(),
    scoped({ ...ctx, scope: wholeWorkspace })
      .selectFrom('inboxes')
      .select((select) => select.fn.countAll<number>().as('inboxes'))
      .where('deleted_at', 'is', null)
      .executeTakeFirstOrThrow(),
    readUsage(ctx, at),
    readMailBytes(ctx),
  ]);
  return { workspace, usage: { ...usage, inboxes, mail_bytes }, at };
}
