import { ListMessages, SearchMode } from '@postrider/contract';
import { type Message, NotFoundError } from 'postrider';
import * as z from 'zod';
import type { CallContext } from '../context.ts';
import { readingInbox } from '../ids/inbox-of.ts';
import { cutPage } from '../reading/cut-page.ts';
import { deliveryFields } from '../reading/delivery-text.ts';
import { MessageView, viewMessage } from '../reading/message-view.ts';
import type { CursorScope } from '../reading/sign-cursor.ts';
import { type Waited, waitForMessages } from '../reading/wait-for-messages.ts';
import { defineTool } from '../tool.ts';
import { ToolError } from '../tool-error.ts';
import { Cursor, charsMax, InboxId, Limit, maxChars, NextCursor } from './fields.ts';

const filters = ListMessages.shape;
const plain = { description: undefined };

const input = z.strictObject({
  query: filters.query.meta(plain),
  mode: SearchMode.optional().meta(plain),
  inbox_id: InboxId.optional(),
  thread_id: z.string().optional(),
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
    'Finds mail: the newest or, with query, the best matches (words, "phrases", -word, from:, subject:, has:attachment…). ' +
    'wait_seconds waits for a match. For a reply: thread_id, direction inbound, after = the last message_id. For a code: inbox_id ' +
    'and after, then read code or sign_in_link. An empty result means not yet: call again, unless delivery says that your mail ' +
    'failed. Texts are cut: see get_message.',
  effect: 'read',
  input,
  output: z.object({
    messages: z.array(MessageView),
    next_cursor: NextCursor,
    /** The state of the sent mail whose reply is awaited. */
    delivery: z.string().optional(),
    mode_used: z.string().optional(),
    fallback_reason: z.string().optional(),
    ranked_within: z.string().optional(),
  }),
  run: (ctx, args) =>
    readingInbox(ctx, args.inbox_id, (inbox_id) =>
      search(ctx, { ...args, inbox_id }, { tool: 'search_messages', args }),
    ),
});

async function search(
  ctx: CallContext,
  { max_chars: max, cursor, after, limit, ...args }: z.output<typeof input>,
  scope: CursorScope,
) {
  const query = { ...args, ...(await laterThan(ctx, after)) };
  let outcome: Omit<Waited, 'messages' | 'next_cursor'> | undefined;
  const { views, next_cursor } = await cutPage(
    ctx.signer,
    { scope, cursor, limit, isByTime: args.query === undefined },
    async (page, most) => {
      const asked = { ...query, limit: most, ...(page !== null && { cursor: page }) };
      const { messages, next_cursor: next, ...rest } = await waitForMessages(ctx, asked as ListMessages);
      outcome = rest;
      return { items: messages, next };
    },
    (message, left) => viewMessage(ctx, message, { max: Math.min(max, left) }, () => undefined),
  );
  return {
    messages: views,
    next_cursor,
    ...(outcome?.failed && describeFailure(ctx, outcome.failed)),
    mode_used: outcome?.mode_used,
    ...(outcome?.fallback_reason && { fallback_reason: outcome.fallback_reason }),
    ...(outcome?.ranked_within && { ranked_within: outcome.ranked_within }),
  };
}

/** Says that there is nothing to wait for, and why. */
function describeFailure({ fence }: CallContext, failed: Message): { delivery: string } {
  return {
    delivery: `Your mail ${failed.id} in this thread has failed. ${deliveryFields(fence, failed).delivery}`,
  };
}

/** `after` is a time, or the id of a message whose time counts. */
async function laterThan({ client, scope, signal }: CallContext, after: string | undefined) {
  if (after === undefined) return {};
  if (!after.startsWith('msg_')) return { after };
  const message = await client.messages.get(after, { signal }).catch((error: unknown) => {
    throw error instanceof NotFoundError ? unknownAfter() : error;
  });
  await scope.check(message.inbox_id, 'message');
  return { after: new Date(Date.parse(message.created_at) + 1).toISOString() };
}

function unknownAfter(): ToolError {
  return new ToolError(
    'not_found',
    'after: there is no message with this id.',
    'Pass the id of a message, or a time.',
  );
}
