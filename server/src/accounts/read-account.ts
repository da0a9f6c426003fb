import type { Selectable } from 'kysely';
import type { Context } from '../context.ts';
import type { Tables } from '../db/database.ts';
import { acrossWorkspaces, scoped } from '../db/scoped.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { readMailBytes } from '../workspaces/mail-room.ts';
import { readUsage, type Usage } from '../workspaces/usage.ts';

/** The caller's workspace and its usage. */
export interface AccountDetails {
  workspace: Selectable<Tables['workspaces']>;
  usage: Usage & { inboxes: number; mail_bytes: number };
  /** When the usage was read. */
  at: Date;
}

/** Returns the workspace of the caller's key, and its current usage. */
export async function readAccount(ctx: Context): Promise<AccountDetails> {
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
