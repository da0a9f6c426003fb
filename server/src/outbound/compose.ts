import { type Disclosure, limits } from '@postrider/contract';
import { Parser } from 'htmlparser2';
import { type Actor, actorOf, type Context } from '../context.ts';
import { chooseSigner } from '../domains/domain-key.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { answerToStopped } from '../lib/concurrency/work-stopped.ts';
import { domainOf, parseMailbox } from '../lib/email-address.ts';
import { newId } from '../lib/ids.ts';
import type { OutgoingMail } from '../mail/compose/compose-mail.ts';
import { UnsafeHeader } from '../mail/compose/header-fields.ts';
import { parseFiles } from '../messages/originals.ts';
import type { OutgoingRecipient } from './allow-recipients.ts';
import { outboundRecord } from './outbound-record.ts';
import type { Outgoing, Sending } from './sending.ts';
import type { SendRecord } from './store-send.ts';

/** A message as it is stored and as it is sent from this server. */
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
 * @throws ApiError `attachment_too_large` or `payload_too_large` if there are more bytes than providers accept, `invalid_request` for an
 * invalid header, `unavailable` if composing takes too long.
 */
export async function composeMessage(
  ctx: Context,
  sending: Pick<Sending, 'inbox' | 'outgoing' | 'recipients'>,
  { at, messageId }: { at: Date; messageId: string },
): Promise<{ mail: OutgoingMail; raw: Buffer }> {
  const mail = await outgoingMail(sending, at, messageId);
  const signer = await chooseSigner(ctx, sending.inbox.domain);
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
    messageId: `<${messageId}@${domainOf(inbox.address)}>`,
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

/** The header and the line that tell recipients that an AI wrote a message. */
export const disclosureHeader = 'X-AI-Generated';
export const disclosureLine = 'This message was written by an AI.';

/**
 * Returns a message that tells its recipients that an AI wrote it, as its workspace wants, unless a person did. It makes no difference who
 * sends it, and a header of the sender does not hide it.
 */
export function disclose(
  outgoing: Outgoing,
  disclosure: Disclosure,
  sender: Actor,
  writerId: string | null = null,
): Outgoing {
  const writer = writerId === null ? sender : actorOf(writerId);
  if (writer.kind === 'person') return outgoing;
  if (disclosure === 'header') {
    const others = Object.entries(outgoing.headers).filter(
      ([name]) => name.toLowerCase() !== disclosureHeader.toLowerCase(),
    );
    return { ...outgoing, headers: { ...Object.fromEntries(others), [disclosureHeader]: 'true' } };
  }
  if (disclosure !== 'footer') return outgoing;
  const { text, html } = outgoing;
  const hasText = text !== null || html === null;
  return {
    ...outgoing,
    text: hasText ? `${(text ?? '').trimEnd()}\n\n${disclosureLine}\n`.trimStart() : null,
    html: html === null ? null : addShownLine(html, disclosureLine),
  };
}

/** Elements that may be open where the line is: a paragraph ends with the next one, and these two are around everything that is shown. */
const mayBeOpen = ['html', 'body', 'p'];

/** Beats every rule of a style sheet in the mail. Programs for mail that do not know `all` know some of the rest. */
const style =
  'all:revert!important;display:block!important;visibility:visible!important;opacity:1!important;position:relative!important;' +
  'font-size:14px!important;line-height:20px!important;color:#000!important;background:#fff!important;margin:16px 0!important';

/**
 * Adds a line of text to HTML so that what is written before it does not hide it: at the end of the body, or at the start of a document
 * that leaves an element, a comment or a tag open. Rules for the whole body can still hide the line, but only together with the rest.
 */
export function addShownLine(html: string, text: string): string {
  const line = `<p style="${style}">${text}</p>`;
  const end = html.toLowerCase().lastIndexOf('</body>');
  const candidates = [
    ...(end < 0 ? [] : [`${html.slice(0, end)}${line}\n${html.slice(end)}`]),
    `${html}\n${line}`,
  ];
  return candidates.find((candidate) => isShown(candidate, text)) ?? `${line}\n${html}`;
}

/** Returns whether the last text of a document that is not blank is this one, in a paragraph that nothing else is around. */
function isShown(html: string, text: string): boolean {
  const open: string[] = [];
  let last = { text: '', isFree: false };
  const parser = new Parser({
    onopentagname: (name) => open.push(name),
    onclosetag: () => open.pop(),
    ontext: (part) => {
      if (part.trim() !== '')
        last = { text: part, isFree: open.every((name) => mayBeOpen.includes(name)) && open.at(-1) === 'p' };
    },
  });
  // In a browser, the end of the body ends no element.
  parser.end(html.replaceAll(/<\/(?:body|html)\b[^>]*>/gi, ''));
  return last.isFree && last.text === text;
}
