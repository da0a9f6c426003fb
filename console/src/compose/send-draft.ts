import type { Draft, Message, Postrider, SendReceipt } from 'postrider';
import { errorCode } from '../lib/problem.ts';
import { readFields, readFiles, readPurpose } from './draft-fields.ts';

const referencesMax = 50;

interface SendOptions {
  /** Whether to reply even though the message is automatic. */
  force?: boolean;
}

/** The notice about a message that was sent. */
export type Receipt = Pick<SendReceipt, 'id' | 'thread_id' | 'dropped' | 'idempotent' | 'delivery_status'>;

/**
 * Sends a draft as it was saved, at most once. The API sends a draft once, whatever its `client_id`. A forward, or a reply to an automatic
 * message, is a different message from its draft, so its `client_id` stays the same even if the draft changes: after a lost response,
 * nobody knows whether it was sent.
 */
export async function sendDraft(
  api: Postrider,
  draft: Draft,
  { force = false }: SendOptions = {},
): Promise<Receipt> {
  const purpose = readPurpose(draft);
  if (purpose.kind === 'forward')
    return sendApart(api, draft, (id) => forward(api, draft, purpose.messageId, id));
  if (purpose.kind === 'reply' && force)
    return sendApart(api, draft, (id) => answerAnyway(api, draft, purpose.messageId, id));
  return api.drafts.send(draft.id, { client_id: `${draft.id}/${draft.updated_at}` });
}

/** How often the provider has refused the message of a draft. A refused message was not sent, so the next one needs another id. */
const rejections = new Map<string, number>();

/** Sends the message of a draft by another request than that of the draft, and deletes the draft then. */
async function sendApart(
  api: Postrider,
  { id }: Draft,
  send: (clientId: string) => PromiseLike<Receipt>,
): Promise<Receipt> {
  const rejected = rejections.get(id) ?? 0;
  try {
    const receipt = await send(`${id}/${rejected}`);
    // The message is sent, so a draft that stays is not a failure. Sending it again returns the same message.
    await api.drafts.delete(id).then(undefined, () => undefined);
    return receipt;
  } catch (error) {
    if (errorCode(error) === 'message_rejected') rejections.set(id, rejected + 1);
    throw error;
  }
}

function forward(api: Postrider, draft: Draft, messageId: string, client_id: string) {
  const { to, cc, bcc, text, html, withFiles } = readFields(draft);
  const fields = { to, cc, bcc, client_id, include_attachments: withFiles };
  return api.messages.forward(messageId, {
    ...fields,
    ...(text !== '' && { text }),
    ...(html !== '' && { html }),
  });
}

async function answerAnyway(api: Postrider, draft: Draft, messageId: string, client_id: string) {
  const original = await api.messages.get(messageId);
  return api.messages.send({ ...(await asMessage(api, draft, original)), client_id });
}

/** Drafts cannot be sent as an answer to an automatic message, so their content is sent as a message of its thread. */
async function asMessage(api: Postrider, draft: Draft, original: Message) {
  const { inboxId, to, cc, bcc, subject, text, html, files } = readFields(draft);
  return {
    inbox_id: inboxId,
    to,
    cc,
    bcc,
    subject,
    // Of a draft that has only a formatted version, an empty text is not a version of it.
    ...((text !== '' || html === '') && { text }),
    ...(html !== '' && { html }),
    in_reply_to: original.message_id,
    references: [...original.references, original.message_id].slice(-referencesMax),
    ...(files.length > 0 && { attachments: await readFiles(api, files) }),
  };
}
