import type { Draft, Message, Postrider, SendReceipt } from 'postrider';
import { fieldsOf, purposeOf } from './draft-fields.ts';
import { readFiles } from './draft-store.ts';

const referencesMax = 50;

interface SendOptions {
  /** Whether an automatic message is answered all the same. */
  force?: boolean;
}

/** What the person is told about a message that was sent. */
export type Receipt = Pick<SendReceipt, 'id' | 'thread_id' | 'dropped'>;

/**
 * Sends a draft as it was saved, at most once: every request has a `client_id` that stays the same until the draft changes, so a repeat
 * after a lost response returns the first message.
 */
export async function sendDraft(
  api: Postrider,
  draft: Draft,
  { force = false }: SendOptions = {},
): Promise<Receipt> {
  const purpose = purposeOf(draft);
  const client_id = `${draft.id}/${draft.updated_at}`;
  if (purpose.kind === 'forward') {
    const { to, cc, bcc, text, withFiles } = fieldsOf(draft);
    const recipients = { to, cc, bcc, client_id, include_attachments: withFiles };
    const sent = await api.messages.forward(purpose.messageId, {
      ...recipients,
      ...(text !== '' && { text }),
    });
    await removeDraft(api, draft);
    return sent;
  }
  if (purpose.kind === 'reply' && force) {
    const original = await api.messages.get(purpose.messageId);
    const sent = await api.messages.send({ ...(await messageOf(api, draft, original)), client_id });
    await removeDraft(api, draft);
    return sent;
  }
  return api.drafts.send(draft.id, { client_id });
}

/** Drafts cannot be sent as an answer to an automatic message, so their content is sent as a message of its thread. */
async function messageOf(api: Postrider, draft: Draft, original: Message) {
  const { inboxId, to, cc, bcc, subject, text, files } = fieldsOf(draft);
  return {
    inbox_id: inboxId,
    to,
    cc,
    bcc,
    subject,
    text,
    in_reply_to: original.message_id,
    references: [...original.references, original.message_id].slice(-referencesMax),
    ...(files.length > 0 && { attachments: await readFiles(api, files) }),
  };
}

async function removeDraft(api: Postrider, { id }: Draft): Promise<void> {
  // The message is sent, so a draft that stays is not a failure of the send. Sending it again returns the same message.
  await api.drafts.delete(id).then(undefined, () => undefined);
}
