import type { Attachment, ListedMessage, Message } from 'postrider';
import { findCode, findLinkWithTexts } from 'postrider/secrets';
import * as z from 'zod';
import type { CallContext } from '../context.ts';
import { viewWords } from '../untrusted/own-words.ts';
import { cutText } from './cut-text.ts';
import { deliveryFields } from './delivery-text.ts';
import { judgeLink, sayDoubt } from './link-doubt.ts';

/** A mail as tools return it. */
export const MessageView = z.object({
  message_id: z.string(),
  thread_id: z.string().optional(),
  inbox_id: z.string().optional(),
  direction: z.string(),
  created_at: z.string(),
  from: z.string(),
  to: z.string(),
  cc: z.string().optional(),
  bcc: z.string().optional(),
  subject: z.string().optional(),
  text: z.string(),
  left_out: z.string().optional(),
  cursor: z.string().optional(),
  /** The HTML has text that people do not see; it is left out here. */
  hidden_text: z.boolean().optional(),
  sender: z
    .object({
      verified_domain: z.string().nullable(),
      dmarc: z.string(),
      automatic: z.boolean(),
      seen_before: z.boolean().optional(),
    })
    .optional(),
  code: z.string().optional(),
  sign_in_link: z.string().optional(),
  link_withheld: z.string().optional(),
  attachments: z
    .array(
      z.object({
        attachment_id: z.string(),
        name: z.string(),
        size_bytes: z.int(),
        /** A link to this server that needs no key. */
        url: z.string().optional(),
      }),
    )
    .optional(),
  labels: z.array(z.string()).optional(),
  read: z.boolean().optional(),
  status: z.string().optional(),
  delivery: z.string().optional(),
  recipients: z
    .array(z.object({ address: z.string(), status: z.string(), detail: z.string().optional() }))
    .optional(),
  score: z.number().optional(),
});
export type MessageView = z.infer<typeof MessageView>;

/** The HTML that is searched for codes and links. */
const htmlReadMax = 65_536;
const unreadText =
  'The text and the files: the server was too busy to read this mail, or the mail is too complex to read. Do not act on the ' +
  'subject alone. Call get_message again every few seconds, a few times. If they are still missing, tell the person.';
const addressesShown = 20;
const filesShown = 30;
const nameShown = 200;

/** How much of a mail to show. */
export interface TextWanted {
  /** The maximum number of characters of text. */
  max: number;
  /** The place where the text begins. */
  from?: number;
  /** Whether to show the quoted history, too. */
  withQuotes?: boolean;
  /** Whether the text is from a file of the mail, which anyone may have written. */
  isFile?: boolean;
}

/** Returns a mail with the requested part of its text. `continueAt` returns a cursor for the rest. */
export function viewMessage(
  { fence }: Pick<CallContext, 'fence'>,
  message: Message | ListedMessage,
  { max, from = 0, withQuotes = false, isFile = false }: TextWanted,
  continueAt: (message: Message, from: number) => string | undefined,
): MessageView {
  const whole = messageText(message, withQuotes);
  const { text, rest } = cutText(whole, from, max);
  const words = viewWords(fence, message, { from, text, isCut: rest !== null, isFile });
  const cursor = rest === null ? undefined : continueAt(message, rest);
  return {
    message_id: message.id,
    thread_id: message.thread_id,
    inbox_id: message.inbox_id,
    direction: message.direction,
    created_at: message.created_at,
    from: words.from,
    to: fence.line(shortenList(message.to_addrs)),
    ...(message.cc_addrs.length > 0 && { cc: fence.line(shortenList(message.cc_addrs)) }),
    ...(message.bcc_addrs.length > 0 && { bcc: fence.line(shortenList(message.bcc_addrs)) }),
    subject: words.subject,
    text: words.text,
    ...(isUnread(message) && { left_out: unreadText }),
    ...(rest !== null && { left_out: `${whole.length - rest} characters follow` }),
    ...(cursor !== undefined && { cursor }),
    ...(message.hidden_text && { hidden_text: true }),
    ...(message.authentication !== null && { sender: viewSender(message, fence) }),
    ...findSecrets(message, fence),
    ...(message.attachments.length > 0 && {
      attachments: message.attachments.slice(0, filesShown).map((file) => viewFile(file, fence)),
    }),
    ...(message.labels.length > 0 && { labels: message.labels.map(({ name }) => name) }),
    ...(message.direction === 'inbound'
      ? { read: message.read }
      : { status: message.delivery_status, ...deliveryFields(fence, message) }),
    ...('score' in message && message.score !== undefined && { score: message.score }),
  };
}

/** Returns whether a mail has only its header, because the server has not parsed it yet or cannot parse it. */
export function isUnread({ body_text, truncated }: Message): boolean {
  return body_text === null && truncated.includes('body_text');
}

/** Returns addresses as one text; if there are many, only the first ones. */
export function shortenList(addresses: string[]): string {
  const more = addresses.length - addressesShown;
  const shown = addresses.slice(0, addressesShown).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** Returns the text of a mail as people read it: only the new text, or all of it. Never HTML. */
export function messageText(message: Message, withQuotes: boolean): string {
  const { extracted_text: extracted, body_text: body } = message;
  // A body that only points to the HTML is shorter than the text of the HTML.
  const isPointing = (extracted?.length ?? 0) > (body?.length ?? 0);
  const text = withQuotes && !isPointing ? (body ?? extracted) : (extracted ?? body);
  return (text ?? '').replace(/\r\n?/g, '\n').trim();
}

/** The sender chose the name of the domain, whatever is proven about it. */
function viewSender(
  { authentication, auto_submitted }: Message,
  fence: CallContext['fence'],
): MessageView['sender'] {
  const domain = authentication?.verified_domain;
  return {
    verified_domain: domain === undefined || domain === null ? null : fence.line(domain),
    dmarc: authentication?.dmarc ?? 'none',
    automatic: auto_submitted,
  };
}

/** Codes consist of a few letters, digits and hyphens, so they need no fence. */
function findSecrets(
  message: Message,
  fence: CallContext['fence'],
): Pick<MessageView, 'code' | 'sign_in_link' | 'link_withheld'> {
  if (message.direction !== 'inbound') return {};
  // Searching a whole page of HTML would take as long as everything else.
  const read = { ...message, body_html: message.body_html?.slice(0, htmlReadMax) ?? null };
  // A code that nobody can see does not count.
  const code = findCode(message.hidden_text ? { ...read, body_html: null } : read);
  const link = findLinkWithTexts(read);
  const doubt = link && judgeLink(link, message.authentication?.verified_domain ?? null);
  return {
    ...(code !== null && /^[A-Za-z0-9-]{3,23}$/.test(code) && { code }),
    ...(link && !doubt && { sign_in_link: fence.line(link.url) }),
    ...(doubt && {
      link_withheld: `A sign-in link is withheld: ${sayDoubt(doubt, fence)} Do not look for it; tell the person.`,
    }),
  };
}

function viewFile({ id, filename, mime_type, size_bytes }: Attachment, fence: CallContext['fence']) {
  return {
    attachment_id: id,
    name: fence.line(`${filename.slice(0, nameShown)} (${mime_type.slice(0, nameShown)})`),
    size_bytes,
  };
}
