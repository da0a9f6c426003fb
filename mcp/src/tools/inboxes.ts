import { CreateInbox, limits } from '@postrider/contract';
import { type Inbox, NotFoundError } from 'postrider';
import * as z from 'zod';
import { writingInbox } from '../ids/inbox-of.ts';
import { defineTool } from '../tool.ts';
import { Cursor, InboxId, Limit, NextCursor } from './fields.ts';

const InboxView = z.object({
  inbox_id: z.string(),
  address: z.string(),
  display_name: z.string().nullable(),
  created_at: z.string(),
});

function view({ id, address, display_name, created_at }: Inbox): z.infer<typeof InboxView> {
  return { inbox_id: id, address, display_name, created_at };
}

const plain = { description: undefined };
const { local_part, display_name } = CreateInbox.shape;

export const createInbox = defineTool({
  name: 'create_inbox',
  title: 'Create an inbox',
  description:
    'Creates an address that can send and receive mail at once, or returns it if you already have it. Use it if a task needs its ' +
    'own address; otherwise list_inboxes. Next: send_message or search_messages.',
  effect: 'write',
  repeats: true,
  ofWorkspace: true,
  input: z.strictObject({
    local_part: local_part.meta({ description: 'Before the @.' }),
    display_name: display_name.optional().meta(plain),
    domain_id: z.string().optional().meta({ description: 'A verified domain.' }),
  }),
  output: InboxView,
  run: async ({ client, signal }, { domain_id, ...fields }) =>
    view(await client.inboxes.getOrCreate({ ...fields, domain_id: domain_id ?? null }, { signal })),
});

export const listInboxes = defineTool({
  name: 'list_inboxes',
  title: 'List inboxes',
  description:
    'Lists the inboxes that you can use, newest first, with ids and addresses. Call it first if you have no inbox_id.',
  effect: 'read',
  input: z.strictObject({ limit: Limit, cursor: Cursor }),
  output: z.object({ inboxes: z.array(InboxView), next_cursor: NextCursor }),
  run: async ({ client, scope, signal }, { limit, cursor }) => {
    const allowed = await scope.ids();
    if (allowed !== null) {
      const own = allowed.slice(0, limits.pageItemsMax).map(async (id) => {
        try {
          return [view(await client.inboxes.get(id, { signal }))];
        } catch (error) {
          // A deleted inbox must not hide the others.
          if (error instanceof NotFoundError) return [];
          throw error;
        }
      });
      return { inboxes: (await Promise.all(own)).flat(), next_cursor: null };
    }
    const page = await client.inboxes.list({ limit, cursor }, { signal });
    return { inboxes: page.inboxes.map(view), next_cursor: page.next_cursor };
  },
});

export const deleteInbox = defineTool({
  name: 'delete_inbox',
  title: 'Delete an inbox',
  description:
    'Permanently deletes an inbox with all its mail and drafts. Only if a person asked for exactly this, never to clean up after a task.',
  effect: 'delete',
  repeats: true,
  ofWorkspace: true,
  input: z.strictObject({ inbox_id: InboxId }),
  output: z.object({ deleted: z.string() }),
  run: (ctx, { inbox_id }) =>
    writingInbox(ctx, inbox_id, async (id) => {
      await ctx.client.inboxes.delete(id, { signal: ctx.signal });
      return { deleted: id };
    }),
});
