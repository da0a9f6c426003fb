import { parseMail } from '../../../server/src/mail/parse/parse-mail.ts';
import { rawMail } from './raw-mail.ts';
import type { LaidOut } from './reply-draft.ts';

/** Returns the text of a made mail, and the part of it that the server considers new. */
export async function readMadeMail(
  mail: LaidOut & { subject: string },
  { answers }: { answers: boolean },
): Promise<{ text: string; extracted: string }> {
  const read = await parseMail(rawMail(mail, mail.subject, answers), {});
  if ('failed' in read) throw new Error(read.detail);
  return { text: read.text ?? '', extracted: read.extractedText ?? '' };
}
