/*
 * Mail that this workspace sent, and its drafts, are its own words and need no fence, except for quotations. The code does not decide
 * exactly what is quoted: everything from the first paragraph that looks like a quotation is fenced, including text of the workspace. A
 * fence around own text costs nothing, but a stranger's text without one may be taken for an instruction.
 */
import type { ListedMessage, Message } from 'postrider';
import { cleanLine, cleanText } from './clean-text.ts';
import type { Fence } from './fence.ts';

/** Signs that a line is quoted, or that it announces or begins a quotation. None of these patterns reads a line more than once. */
const signs = [
  /^\s*[>＞|¦│┃║»›]/u, // the mark of a quoted line
  /^\s*(?:[-_=*~#─—–.`+]\s?){3}/u, // the rule above an original, a heading, a block of code
  /^\s{4}|^\s*\t/u, // an indented block
  /[:：]$/u, // an announcement
  /["“”„‟«»「」『』`]|(?:^|\s)['‘‚‹]/u, // quotation marks
  /mailto:/iu, // the author of an original
];

/** A header field, such as `From: Ada`. A single one may be anything; two in a row count as a header. */
const field = /^\s*[*_]{0,2}\p{L}[\p{L}\p{M} .-]{0,24}[*_]{0,2}\s?[:：]\s?\S/u;

/** The shown part of a text. */
export interface ShownText {
  text: string;
  /** The place in the whole text where it begins. */
  from: number;
  /** Whether more follows. */
  isCut: boolean;
  /** Whether it is from a file, which anyone may have written. */
  isFile: boolean;
}

/** The words of the author of a mail. */
interface Words {
  from: string;
  subject: string;
  text: string;
}

/** Returns what the author of a mail wrote, without a fence where this workspace wrote it. */
export function viewWords(
  fence: Fence,
  message: Message | ListedMessage,
  { text, from, isCut, isFile }: ShownText,
): Words {
  const { from_name: name, from_addr: address, subject, in_reply_to } = message;
  const author = name === null || name === '' ? address : `${name} <${address}>`;
  if (message.direction !== 'outbound')
    return { from: fence.line(author), subject: fence.line(subject), text: fence.text(text) };
  return {
    from: fence.open(author),
    subject: fenceSubject(fence, subject, in_reply_to !== null),
    // The rest of a long text may be inside a quotation that began earlier.
    text: from > 0 || isFile ? fence.text(text) : fenceQuoted(fence, text, isCut),
  };
}

/**
 * Returns a text of this workspace, with a fence around the part that somebody else may have written. `isCut` says that more follows, so
 * the last paragraph may announce a quotation that is not shown yet.
 */
export function fenceQuoted(fence: Fence, text: string, isCut: boolean): string {
  const lines = cleanText(text).trimEnd().split('\n');
  const end = endOfOwn(lines, isCut);
  const own = fence.open(lines.slice(0, end).join('\n').trim());
  const quoted = fence.text(lines.slice(end).join('\n'));
  return [own, quoted].filter((part) => part !== '').join('\n\n');
}

/** Returns the subject of a mail of this workspace, in a fence if it may come from the original mail of a reply or forward. */
export function fenceSubject(fence: Fence, subject: string, isReply: boolean): string {
  // The words before the colon can be in any language.
  return isReply || /^[^:：]{0,24}[:：]/u.test(cleanLine(subject))
    ? fence.line(subject)
    : fence.open(cleanLine(subject));
}

/** Returns the line number at which the first paragraph with a sign begins. An announcement may take several lines. */
function endOfOwn(lines: string[], isCut: boolean): number {
  const found = lines.findIndex((line, at) => isSign(line, lines[at + 1]));
  if (found < 0 && !isCut) return lines.length;
  const last = found < 0 ? lines.length - 1 : found;
  const blank = lines.slice(0, last).findLastIndex((line) => line.trim() === '');
  return blank + 1;
}

function isSign(line: string, next = ''): boolean {
  const trimmed = line.trimEnd();
  const namesAuthor = trimmed.includes('<') && trimmed.includes('@');
  return signs.some((sign) => sign.test(trimmed)) || namesAuthor || (field.test(trimmed) && field.test(next));
}
