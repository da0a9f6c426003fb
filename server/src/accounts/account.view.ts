import type { Account } from '@postrider/contract';
import type { Context } from '../context.ts';
import { planLimits } from '../workspaces/plan.ts';
import { monthEnd } from '../workspaces/usage.ts';
import type { AccountDetails } from './read-account.ts';

/** Returns the account as the caller sees it, with the figures of the plan that was read with its key. */
export function viewAccount(ctx: Context, { workspace, usage, at }: AccountDetails): Account {
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
