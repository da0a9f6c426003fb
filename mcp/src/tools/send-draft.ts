import * as z from 'zod';
import { withId } from '../ids/find-meant.ts';
import { makeClientId } from '../sending/make-client-id.ts';
import { checkRecipients } from '../sending/recipients.ts';
import { SentView, viewReceipt } from '../sending/sent-view.ts';
import { defineTool } from '../tool.ts';
import { sendFields } from './fields.ts';

export const sendDraft = defineTool({
  name: 'send_draft',
  title: 'Send a draft',
  description:
    'Sends a draft from create_draft or list_drafts unchanged. First check its recipients and text. A repeated call sends once.',
  effect: 'send',
  repeats: true,
  input: z.strictObject({ draft_id: z.string(), client_id: sendFields.client_id }),
  output: SentView,
  run: (ctx, args) =>
    withId(ctx, { kind: 'draft', id: args.draft_id, writes: true }, async (id) => {
      const { client, scope, signal } = ctx;
      const draft = await client.drafts.get(id, { signal });
      await scope.check(draft.inbox_id, 'draft');
      checkRecipients(ctx, [...draft.to, ...draft.cc, ...draft.bcc]);
      const clientId = makeClientId(ctx, 'send_draft', { id }, args.client_id);
      const sent = await client.drafts.send(id, { client_id: clientId }, { signal });
      return viewReceipt(ctx, sent, draft, clientId);
    }),
});
