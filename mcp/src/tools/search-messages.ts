import { ListMessages, SearchMode } from '@postrider/contract';
import * as z from 'zod';
import type { CallContext } from '../context.ts';
import { withId } from '../ids/find-meant.ts';
import { inboxOf } from '../ids/inbox-of.ts';
import { Budget } from '../reading/budget.ts';
import { MessageView, viewMessage } from '../reading/message-view.ts';
import { waitForMessages } from '../reading/wait-for-messages.ts';
import { defineTool } from '../tool.ts';
import { Cursor, charsMax, InboxId, Limit, maxChars, NextCursor } from './fields.ts';

const filters = ListMessages.shape;
const plain = { description: undefined };

const input = z.strictObject({
  query: filters.query.meta(plain),
  mode: SearchMode.optional().meta(plain),
  inbox_id: InboxId.optional(),
  thread_id: z.string().optional(),
  label_id: z.string().optional(),
  direction: filters.direction.meta(plain),
  from: filters.from.meta({ description: 'Address or domain.' }),
  to: filters.to.meta(plain),
  subject: filters.subject.meta(plain),
  has_attachment: z.boolean().optional(),
  read: z.boolean().optional(),
  after: z.string().optional().meta({ description: 'ISO time with zone, or a message id: only later mail.' }),
  before: filters.before.meta(plain),
  wait_seconds: z.int().min(0).max(55).optional(),
  max_chars: maxChars(charsMax.listed),
  limit: Limit,
  cursor: Cursor,
});

export const searchMessages = defineTool({
  name: 'search_messages',
  title: 'Search, list or wait for messages',
  description:
    'Finds mail: the newest, or with query the best (words, "phrases", -word, from:, subject:, has:attachment…). wait_seconds waits for ' +
    'a match. For a reply: thread_id, direction inbound, after = the last message_id. For a code: inbox_id and after, then read code or ' +
    'sign_in_link. An empty answer means not yet: call again. Texts are cut: see get_message.',
  effect: 'read',
  input,
  output: z.object({
    messages: z.array(MessageView),
    next_cursor: NextCursor,
    mode_used: z.string().optional(),
    fallback_reason: z.string().optional(),
    ranked_within: z.string().optional(),
  }),
  run: async (ctx, args) => {
    const named = await inboxOf(ctx, args.inbox_id);
    const find = (inbox_id: string | undefined) => search(ctx, { ...args, inbox_id });
    return named === undefined
      ? find(undefined)
      : withId(ctx, { kind: 'inbox', id: named, writes: false }, find);
  },
});

type SearchArgs = z.output<typeof input>;

/** Where a search goes on: a page of the API, and how many of its messages were shown. */
interface SearchPlace {
  page: string | null;
  shown: number;
}

async function search(ctx: CallContext, { max_chars, cursor, after, ...args }: SearchArgs) {
  const scope = { tool: 'search_messages', args: { ...args, after } };
  const place: SearchPlace = cursor === undefined ? { page: null, shown: 0 } : ctx.signer.read(scope, cursor);
  const query = {
    ...args,
    ...(await laterThan(ctx, after)),
    ...(place.page !== null && { cursor: place.page }),
  };
  const page = await waitForMessages(ctx, query as ListMessages);
  const rest = page.messages.slice(place.shown);
  const budget = new Budget(charsMax.answer);
  const messages: MessageView[] = [];
  for (const message of rest) {
    const view = viewMessage(ctx, message, { max: Math.min(max_chars, budget.left) }, () => undefined);
    if (!budget.take(view)) break;
    messages.push(view);
  }
  const shown = place.shown + messages.length;
  const next =
    messages.length < rest.length
      ? { page: place.page, shown }
      : page.next_cursor === null
        ? null
        : { page: page.next_cursor, shown: 0 };
  return {
    messages,
    next_cursor: next && ctx.signer.sign(scope, next satisfies SearchPlace),
    mode_used: page.mode_used,
    ...(page.fallback_reason && { fallback_reason: page.fallback_reason }),
    ...(page.ranked_within && { ranked_within: page.ranked_within }),
  };
}

/** `after` is a time, or the id of a message, after whose time mail counts. */
async function laterThan({ client, scope, signal }: CallContext, after: string | undefined) {
  if (after === undefined) return {};
  if (!after.startsWith('msg_')) return { after };
  const message = await client.messages.get(after, { signal });
  await scope.check(message.inbox_id, 'message');
  return { after: new Date(Date.parse(message.created_at) + 1).toISOString() };
}
