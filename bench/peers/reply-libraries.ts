import EmailReplyParser from 'email-reply-parser';
import nodeEmailReplyParser from 'node-email-reply-parser';
import { extractFrom } from 'planer';
import talon from 'talonjs';

/** Libraries of npm that take the new text out of the text of a reply; a library that fails on a mail has found all of it new. */
export const replyLibraries: Record<string, (text: string) => string> = {
  'email-reply-parser': (text) => new EmailReplyParser().read(text).getVisibleText(),
  'node-email-reply-parser': (text) => nodeEmailReplyParser(text).getVisibleText(),
  planer: (text) => extractFrom(text, 'text/plain'),
  talonjs: (text) => talon.quotations.extractFromPlain(text).body,
};
