import { limits } from '@postrider/contract';
import type { Context } from '../context.ts';
import { signerOf } from '../domains/domain-key.ts';
import { mailDomainOf } from '../domains/mail-domain.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { answerToStopped } from '../lib/concurrency/work-thread.ts';
import { parseMailbox } from '../lib/email-address.ts';
import { newId } from '../lib/ids.ts';
import type { OutgoingMail } from '../mail/compose/compose-mail.ts';
import { UnsafeHeader } from '../mail/compose/header-fields.ts';
import { parseFiles } from '../messages/originals.ts';
import { outboundRecord } from './outbound-record.ts';
import type { OutgoingRecipient, Sending } from './sending.ts';
import type { SendRecord } from './store-send.ts';

/** A message as it is stored and as it leaves this server. */
export interface Composed {
  record: SendRecord;
  raw: Buffer;
}

/**
 * Composes and signs a message.
 *
 * @throws ApiError as `composeMessage`.
 */
export async function compose(ctx: Context, sending: Sending): Promise<Composed> {
  const at = ctx.clock.now();
  const messageId = newId('msg', at);
  const { mail, raw } = await composeMessage(ctx, sending, { at, messageId });
  // Files are found again by their order in the composed mail, which the composer chooses.
  const files = mail.attachments?.length ? await parseFiles(ctx, raw) : [];
  return { record: outboundRecord(ctx, sending, { mail, files, at, messageId, sizeBytes: raw.length }), raw };
}

/**
 * Returns a message with its bytes, signed if it leaves this server.
 *
 * @throws ApiError `attachment_too_large` or `payload_too_large` if the bytes are more than providers take, `invalid_request` for an
 * invalid header, `unavailable` if composing takes too long.
 */
export async function composeMessage(
  ctx: Context,
  sending: Pick<Sending, 'inbox' | 'outgoing' | 'recipients'>,
  { at, messageId }: { at: Date; messageId: string },
): Promise<{ mail: OutgoingMail; raw: Buffer }> {
  const mail = await outgoingMail(sending, at, messageId);
  const signer = await signerOf(ctx, sending.inbox.domain);
  const raw = await ctx.composer.compose(mail, signer).catch((error: unknown) => {
    if (error instanceof UnsafeHeader) throw invalidField('headers', error.message);
    throw answerToStopped(error, () => tooLarge(mail));
  });
  if (raw.length > limits.composedBytesMax) throw tooLarge(mail);
  return { mail, raw };
}

async function outgoingMail(
  { inbox, outgoing, recipients }: Pick<Sending, 'inbox' | 'outgoing' | 'recipients'>,
  at: Date,
  messageId: string,
): Promise<OutgoingMail> {
  const named = (kind: OutgoingRecipient['kind']) =>
    recipients.filter((recipient) => recipient.kind === kind);
  const replyTo = outgoing.replyTo === null ? null : parseMailbox(outgoing.replyTo);
  return {
    from: { name: inbox.display_name, address: inbox.address },
    to: named('to'),
    cc: named('cc'),
    replyTo: replyTo ? [replyTo] : [],
    subject: outgoing.subject,
    text: outgoing.text,
    html: outgoing.html,
    messageId: `<${messageId}@${mailDomainOf(inbox.address).name}>`,
    inReplyTo: outgoing.inReplyTo,
    references: outgoing.references,
    threadIndex: outgoing.threadIndex,
    headers: outgoing.headers,
    date: at,
    attachments: (await outgoing.attachments?.()) ?? [],
  };
}

function tooLarge({ attachments }: OutgoingMail): ApiError {
  const code = attachments?.length ? 'attachment_too_large' : 'payload_too_large';
  return new ApiError(code, { limit_bytes: limits.composedBytesMax });
}
