import type { CallContext } from '../context.ts';
import { ToolError } from '../tool-error.ts';
import { withId } from './find-meant.ts';

/** Calls `use` with the inbox that a tool reads; undefined for all inboxes. */
export async function readingInbox<T>(
  ctx: CallContext,
  named: string | undefined,
  use: (id: string | undefined) => Promise<T>,
): Promise<T> {
  const id = named === undefined ? soleInbox(await ctx.scope.ids()) : await findInboxId(ctx, named);
  return id === undefined ? use(undefined) : withId(ctx, { kind: 'inbox', id, writes: false }, use);
}

/** Calls `use` with the inbox that a tool sends from or changes. */
export async function writingInbox<T>(
  ctx: CallContext,
  named: string,
  use: (id: string) => Promise<T>,
): Promise<T> {
  return withId(ctx, { kind: 'inbox', id: await findInboxId(ctx, named), writes: true }, use);
}

/** Returns the id of an inbox, given its id or its address. @throws ToolError `not_found` if the tools cannot use it. */
async function findInboxId(ctx: CallContext, named: string): Promise<string> {
  const text = named.trim();
  if (!text.includes('@')) {
    await ctx.scope.check(text, 'inbox');
    return text;
  }
  const { inboxes } = await ctx.client.inboxes.list({ address: text }, { signal: ctx.signal });
  const [inbox] = inboxes;
  if (inbox === undefined || !(await ctx.scope.has(inbox.id)))
    throw new ToolError(
      'not_found',
      'There is no inbox with this address.',
      'Use list_inboxes to see the existing inboxes.',
    );
  return inbox.id;
}

/** If none is given, it is the only inbox that the tools can use. */
function soleInbox(allowed: string[] | null): string | undefined {
  if (allowed === null || allowed.length === 1) return allowed?.[0];
  throw new ToolError(
    'invalid_request',
    'inbox_id: is required, because you can use several inboxes but not all.',
    `Pass one of ${allowed.join(', ')}.`,
  );
}
