import type { Message, Thread } from 'postrider';
import * as z from 'zod';
import type { CallContext } from '../context.ts';
import { withId } from '../ids/find-meant.ts';
import { readingInbox } from '../ids/inbox-of.ts';
import { isNearly } from '../ids/is-nearly.ts';
import { Budget } from '../reading/budget.ts';
import { cutPage } from '../reading/cut-page.ts';
import { MessageView, shortenList, viewMessage } from '../reading/message-view.ts';
import { type CursorScope, strangeCursor } from '../reading/sign-cursor.ts';
import { defineTool } from '../tool.ts';
import { Cursor, charsMax, InboxId, Limit, maxChars, NextCursor } from './fields.ts';
import type { TextPlace } from './get-message.ts';

const ThreadView = z.object({
  thread_id: z.string(),
  inbox_id: z.string(),
  subject: z.string(),
  participants: z.string(),
  message_count: z.int(),
  last_message_at: z.string(),
  labels: z.array(z.string()).optional(),
  best_message: z.object({ message_id: z.string(), snippet: z.string() }).optional(),
});

const subjectShown = 300;

function view({ fence }: CallContext, thread: Thread): z.infer<typeof ThreadView> {
  const { participants, labels, messages } = thread;
  const [best] = messages ?? [];
  return {
    thread_id: thread.id,
    inbox_id: thread.inbox_id,
    subject: fence.line(thread.subject.slice(0, subjectShown)),
    participants: fence.line(shortenList(participants)),
    message_count: thread.message_count,
    last_message_at: thread.last_message_at,
    ...(labels.length > 0 && { labels: labels.map(({ name }) => name) }),
    ...(best !== undefined && { best_message: { message_id: best.id, snippet: fence.line(best.snippet) } }),
  };
}

export const listThreads = defineTool({
  name: 'list_threads',
  title: 'List or search threads',
  description:
    'Lists conversations, latest activity first or, with query, best matches first. Use it for an overview; then get_thread. To ' +
    'wait for mail: search_messages.',
  effect: 'read',
  input: z.strictObject({
    inbox_id: InboxId.optional(),
    query: z.string().optional(),
    read: z.boolean().optional(),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({ threads: z.array(ThreadView), next_cursor: NextCursor }),
  run: (ctx, { cursor, limit, ...args }) =>
    readingInbox(ctx, args.inbox_id, async (inbox_id) => {
      // Threads are ordered by their last activity and move while they are listed, so their ids do not tell their order.
      const wanted = { scope: { tool: 'list_threads', args }, cursor, limit, isByTime: false };
      const read = async (page: string | null, most: number) => {
        const query = { ...args, inbox_id, limit: most, ...(page !== null && { cursor: page }) };
        const { threads, next_cursor: next } = await ctx.client.threads.list(query, { signal: ctx.signal });
        return { items: threads, next };
      };
      const { views, next_cursor } = await cutPage(ctx.signer, wanted, read, (thread) => view(ctx, thread));
      return { threads: views, next_cursor };
    }),
});

/** The place where a thread continues: after this message. */
interface ThreadPlace {
  /** The given id. The thread may have been merged into another one. */
  given: string;
  thread: string;
  id: string;
  created_at: string;
}

export const getThread = defineTool({
  name: 'get_thread',
  title: 'Read a thread',
  description:
    'Reads a conversation, newest mail first, without quoted history. Use it before you reply. For older mail, pass next_cursor as cursor.',
  effect: 'read',
  input: z.strictObject({ thread_id: z.string(), max_chars: maxChars(charsMax.message), cursor: Cursor }),
  output: z.object({
    thread: ThreadView.optional(),
    messages: z.array(MessageView),
    next_cursor: NextCursor,
  }),
  run: (ctx, { thread_id, max_chars, cursor }) =>
    withId(ctx, { kind: 'thread', id: thread_id, writes: false }, async (id) => {
      const found = cursor === undefined ? await readFirst(ctx, id) : await readOlder(ctx, id, cursor);
      const budget = new Budget(charsMax.answer, found.thread ?? '');
      const messages: MessageView[] = [];
      for (const message of found.messages) {
        const wanted = { max: Math.min(max_chars, budget.left) };
        const shown = shorten(viewMessage(ctx, message, wanted, continueIn(ctx)), message, found.messages);
        if (!budget.take(shown)) break;
        messages.push(shown);
      }
      const last = found.messages[messages.length - 1];
      const isEnd = last === undefined || (messages.length === found.messages.length && !found.hasMore);
      const next: ThreadPlace | null = isEnd
        ? null
        : { given: id, thread: last.thread_id, id: last.id, created_at: last.created_at };
      return {
        ...(found.thread && { thread: found.thread }),
        messages,
        next_cursor: next && ctx.signer.sign(scope, next),
      };
    }),
});

/** A mistyped id stands for the thread that it led to, so the cursor itself says which thread it belongs to. */
const scope: CursorScope = { tool: 'get_thread', args: {} };

interface Part {
  thread?: z.infer<typeof ThreadView>;
  /** Newest first. */
  messages: Message[];
  hasMore: boolean;
}

async function readFirst(ctx: CallContext, id: string): Promise<Part> {
  const thread = await ctx.client.threads.get(id, { signal: ctx.signal });
  await ctx.scope.check(thread.inbox_id, 'thread');
  const { messages, messages_truncated: hasMore, ...rest } = thread;
  return { thread: view(ctx, rest), messages: messages.toReversed(), hasMore };
}

const pageOlder = 50;

/** Ids distinguish messages of the same millisecond. */
async function readOlder(ctx: CallContext, id: string, cursor: string): Promise<Part> {
  const { client, signal, signer } = ctx;
  const place = signer.read<ThreadPlace>(scope, cursor);
  if (place.given !== id && !isNearly(id, place.given)) throw strangeCursor();
  const before = new Date(Date.parse(place.created_at) + 1).toISOString();
  const page = await client.messages.list({ thread_id: place.thread, before, limit: pageOlder }, { signal });
  const shown = page.messages.findIndex((message) => message.id === place.id);
  const messages = page.messages.slice(shown + 1);
  if (messages[0]) await ctx.scope.check(messages[0].inbox_id, 'thread');
  return { messages, hasMore: page.next_cursor !== null };
}

/** Another tool reads the rest of a text. */
function continueIn({ signer }: CallContext) {
  return ({ id }: Message, from: number) =>
    signer.sign({ tool: 'get_message', args: { id, with_quotes: false, attachment_id: undefined } }, {
      from,
    } satisfies TextPlace);
}

/** Facts that all messages of a thread share are not repeated for each message. */
function shorten(
  { thread_id: _, inbox_id: __, subject, ...shown }: MessageView,
  message: Message,
  all: Message[],
): MessageView {
  const newer = all[all.indexOf(message) - 1];
  const isSame = newer !== undefined && bareSubject(newer) === bareSubject(message);
  return withSeen({ ...shown, ...(!isSame && { subject }) }, message, all);
}

function bareSubject({ subject }: Message): string {
  return subject.replace(/^(?:\s*(?:re|aw|fwd?|wg)\s*:)+/i, '').trim();
}

/** Whether the sender wrote before in this thread. If not, they may have elsewhere, so nothing is said. */
function withSeen(shown: MessageView, message: Message, all: Message[]): MessageView {
  if (shown.sender === undefined) return shown;
  const earlier = all.slice(all.indexOf(message) + 1);
  const isSeen = earlier.some(
    ({ direction, from_addr: from }) => direction === 'inbound' && from === message.from_addr,
  );
  return isSeen ? { ...shown, sender: { ...shown.sender, seen_before: true } } : shown;
}
