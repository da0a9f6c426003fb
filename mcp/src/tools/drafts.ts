import { CreateDraft, DraftStatus } from '@postrider/contract';
import type { Draft } from 'postrider';
import * as z from 'zod';
import type { CallContext } from '../context.ts';
import { readingInbox, writingInbox } from '../ids/inbox-of.ts';
import { cutPage } from '../reading/cut-page.ts';
import { cutText } from '../reading/cut-text.ts';
import { makeDraft } from '../sending/as-draft.ts';
import { FileInputs, readFiles } from '../sending/attachments.ts';
import { viewRecipients } from '../sending/sent-view.ts';
import { maySchedule } from '../settings.ts';
import { defineTool } from '../tool.ts';
import { fenceQuoted, fenceSubject } from '../untrusted/own-words.ts';
import { Cursor, charsMax, InboxId, Limit, NextCursor, sendFields } from './fields.ts';

const DraftView = z.object({
  draft_id: z.string(),
  inbox_id: z.string(),
  to: z.string(),
  cc: z.string().optional(),
  bcc: z.string().optional(),
  subject: z.string(),
  text: z.string(),
  status: z.string(),
  scheduled_at: z.string().nullable(),
  /** The reason why it could not be sent at its scheduled time. */
  failure: z.string().optional(),
  files: z.int(),
});

/** The recipients and the subject of a reply come from the original mail. */
function view(ctx: CallContext, draft: Draft): z.infer<typeof DraftView> {
  const { text, rest } = cutText(draft.text ?? '', 0, charsMax.listed);
  return {
    draft_id: draft.id,
    inbox_id: draft.inbox_id,
    ...viewRecipients(ctx, draft),
    subject: fenceSubject(ctx.fence, draft.subject ?? '', draft.reply_to_message_id !== null),
    text: fenceQuoted(ctx.fence, text, rest !== null),
    status: draft.status,
    scheduled_at: draft.scheduled_at,
    ...(draft.failure !== null && { failure: draft.failure }),
    files: draft.attachments.length,
  };
}

const { to: _, client_id: __, subject, ...mail } = sendFields;
const { to, reply_to_message_id, reply_all, scheduled_at } = CreateDraft.shape;

export const createDraft = defineTool({
  name: 'create_draft',
  title: 'Create a draft',
  description:
    'Writes an email without sending it, for a person to check or for send_draft. reply_to_message_id fills in recipients and ' +
    'subject. scheduled_at sends it at that time.',
  effect: 'write',
  // With a time, it is sent automatically.
  destructive: true,
  input: z.strictObject({
    inbox_id: InboxId,
    to: to.meta({ description: undefined }),
    subject: subject.optional(),
    ...mail,
    attachments: FileInputs,
    reply_to_message_id: reply_to_message_id.meta({ description: undefined }),
    reply_all: reply_all.meta({ description: undefined }),
    scheduled_at: scheduled_at.meta({ description: 'ISO time with zone.' }),
  }),
  output: DraftView,
  run: async (ctx, { attachments: files, ...args }) => {
    if (args.scheduled_at && !maySchedule(ctx.settings)) {
      ctx.note('It is not scheduled, because this server does not send drafts automatically.');
      args.scheduled_at = null;
    }
    return writingInbox(ctx, args.inbox_id, async (inbox_id) => {
      const attachments = await readFiles(ctx, files);
      return view(ctx, await makeDraft(ctx, { ...args, inbox_id, attachments }));
    });
  },
});

export const listDrafts = defineTool({
  name: 'list_drafts',
  title: 'List drafts',
  description: 'Lists drafts, newest first, with their recipients and text. Use it before send_draft.',
  effect: 'read',
  input: z.strictObject({
    inbox_id: InboxId.optional(),
    status: DraftStatus.optional().meta({ description: undefined }),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({ drafts: z.array(DraftView), next_cursor: NextCursor }),
  run: (ctx, { cursor, limit, ...args }) =>
    readingInbox(ctx, args.inbox_id, async (inbox_id) => {
      const read = async (page: string | null, most: number) => {
        const query = { ...args, inbox_id, limit: most, ...(page !== null && { cursor: page }) };
        const { drafts, next_cursor: next } = await ctx.client.drafts.list(query, { signal: ctx.signal });
        return { items: drafts, next };
      };
      const wanted = { scope: { tool: 'list_drafts', args }, cursor, limit, isByTime: true };
      const { views, next_cursor } = await cutPage(ctx.signer, wanted, read, (draft) => view(ctx, draft));
      return { drafts: views, next_cursor };
    }),
});
