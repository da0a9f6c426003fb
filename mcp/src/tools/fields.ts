import { limits, SendMessage } from '@postrider/contract';
import * as z from 'zod';

/** The default maximum of characters to show of a mail, and of a result. Hosts drop results that are much longer. */
export const charsMax = { message: 12_000, answer: 40_000, listed: 1_000, most: 100_000 };

export const InboxId = z.string();
export const MessageId = z.string();
export const Limit = z.int().min(1).max(limits.pageItemsMax).default(25);
export const Cursor = z.string().optional();
export const NextCursor = z.string().nullable();

/** The field `max_chars` of a tool that reads. */
export function maxChars(normal: number) {
  return z.int().min(200).max(charsMax.most).default(normal);
}

const { to, cc, bcc, subject, text, html, client_id } = SendMessage.shape;

/** Fields of tools that send. */
export const sendFields = {
  to: to.meta({ description: undefined }),
  cc: cc.meta({ description: undefined }),
  bcc: bcc.meta({ description: undefined }),
  subject: subject.meta({ description: undefined }),
  text: text.optional().meta({ description: undefined }),
  html: html.optional().meta({ description: undefined }),
  client_id: client_id.meta({ description: 'Any new text, to send the same message again.' }),
};
