/*
 * Replies whose new text is known, and mail that is not a reply. Half of the replies is for tuning. The other half has other clients and
 * other texts, and no pattern is chosen by its results.
 */
import { readFileSync } from 'node:fs';
import { parseMail } from '../../../server/src/mail/parse/parse-mail.ts';
import { type MailBodies, rawMail } from './raw-mail.ts';

/** A reply with its new text. */
export interface Reply extends MailBodies {
  half: 'tuned' | 'held out';
  client: string;
  language: string;
  /** The place of the answer: above the quotation, below it, or between its lines. */
  layout: 'top' | 'bottom' | 'inline';
  subject: string;
  /** The author's text, by paragraphs. */
  expected: string[];
  /** The quoted text, line by line. */
  history: string[];
}

/** A mail that is not a reply. It has something that looks like a quotation or a signature, and all of it is the message. */
export interface OtherMail extends MailBodies {
  kind: string;
  subject: string;
}

/** Reads the replies of a half: each of its clients in sixteen languages. */
export function readReplies(half: Reply['half']): Reply[] {
  return readFixture(half === 'tuned' ? 'tuned' : 'held-out');
}

/** Reads notices, codes, orders, journeys, newsletters, and first messages of people. */
export function readOtherMails(): OtherMail[] {
  return readFixture('other-mails');
}

function readFixture<Item>(name: string): Item[] {
  return JSON.parse(readFileSync(new URL(`../../fixtures/replies/${name}.json`, import.meta.url), 'utf8'));
}

/** Returns the text of a mail, and the part of it that the server considers new. With `isReply`, it has the header of a reply. */
export async function extractReply(
  mail: MailBodies & { subject: string },
  { isReply }: { isReply: boolean },
): Promise<{ text: string; extracted: string }> {
  const read = await parseMail(rawMail(mail, mail.subject, isReply), {});
  if ('failed' in read) throw new Error(read.detail);
  return { text: read.text ?? '', extracted: read.extractedText ?? '' };
}

/** `lost`: some of the author's text is missing. `left`: there is also other text. */
export type ReplyVerdict = 'right' | 'lost' | 'left';

/** Compares the new text found in a reply with the text that the author wrote, without regard to white space. */
export function judgeReply({ expected }: Reply, found: string): ReplyVerdict {
  const wanted = fold(expected.join(' '));
  const got = fold(found);
  if (got === wanted) return 'right';
  const isWhole = expected
    .flatMap((paragraph) => paragraph.split('\n'))
    .every((line) => got.includes(fold(line)));
  return isWhole ? 'left' : 'lost';
}

/** Removes differences in white space, which is not judged. */
export function fold(text: string): string {
  return text.replace(/[\s\u200b\ufeff]+/g, ' ').trim();
}
