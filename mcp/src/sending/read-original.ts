import type { Message } from 'postrider';
import type { CallContext } from '../context.ts';

/** Returns the original mail of a reply or forward if the settings restrict what can be sent; otherwise null, because it is not needed. */
export async function readOriginal(ctx: CallContext, id: string): Promise<Message | null> {
  const { draftsOnly, inboxes, recipients } = ctx.settings;
  if (!draftsOnly && inboxes === null && recipients === null) return null;
  const original = await ctx.client.messages.get(id, { signal: ctx.signal });
  await ctx.scope.check(original.inbox_id, 'message');
  return original;
}
