import type { CallContext } from '../context.ts';
import { ToolError } from '../tool-error.ts';

/**
 * Returns the id of an inbox that is named by its id or its address; without a name, the only one that the tools may use. An inbox that they
 * may not use is `not_found`.
 */
export async function inboxOf(ctx: CallContext, named: string | undefined): Promise<string | undefined> {
  const allowed = await ctx.scope.ids();
  if (named === undefined) return onlyOf(allowed);
  const text = named.trim();
  if (!text.includes('@')) {
    await ctx.scope.check(text, 'inbox');
    return text;
  }
  const { inboxes } = await ctx.client.inboxes.list({ address: text }, { signal: ctx.signal });
  const [inbox] = inboxes;
  if (inbox === undefined || (allowed !== null && !allowed.includes(inbox.id)))
    throw new ToolError(
      'not_found',
      'There is no inbox with this address.',
      'Use list_inboxes to see those that there are.',
    );
  return inbox.id;
}

function onlyOf(allowed: string[] | null): string | undefined {
  if (allowed === null || allowed.length === 1) return allowed?.[0];
  throw new ToolError(
    'invalid_request',
    'inbox_id: is needed, because you may use several inboxes but not all.',
    `Pass one of ${allowed.join(', ')}.`,
  );
}
