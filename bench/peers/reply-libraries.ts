import EmailReplyParser from 'email-reply-parser';
import nodeEmailReplyParser from 'node-email-reply-parser';
import { extractFrom } from 'planer';
import talon from 'talonjs';

/** Libraries from npm that extract the new text of a reply. If one fails on a mail, all of the mail counts as new. */
export const replyLibraries: Record<string, (text: string) => string> = {
  'email-reply-parser': (text) => new EmailReplyParser().read(text).getVisibleText(),
  'node-email-reply-parser': (text) => nodeEmailReplyParser(text).getVisibleText(),
  planer: (text) => extractFrom(text, 'text/plain'),
  talonjs: (text) => talon.quotations.extractFromPlain(text).body,
};
