import { parseMail } from '../../../src/mail/parse/parse-mail.ts';
import { rawMail } from './raw-mail.ts';
import type { LaidOut } from './reply-draft.ts';

/** The text of a made mail, and what the server takes for the new part of it. */
export const readMadeMail = async (
  mail: LaidOut & { subject: string },
  { answers }: { answers: boolean },
): Promise<{ text: string; extracted: string }> => {
  const read = await parseMail(rawMail(mail, mail.subject, answers), {});
  if ('failed' in read) throw new Error(read.detail);
  return { text: read.text ?? '', extracted: read.extractedText ?? '' };
};
