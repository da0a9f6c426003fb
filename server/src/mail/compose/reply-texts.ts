import type { NamedAddress } from '../../lib/email-address.ts';
import { escapeHtml } from '../../lib/texts.ts';

/*
 * Prefixes that mail programs put before the subject of a reply or a forward, by language. One prefix in any language is enough, and a
 * subject that already has several keeps the first. "VS" is a reply in Finnish and a forward in Danish and Norwegian; it counts as a
 * forward.
 */
const replyWords = [
  're|ref|rép|réf', // English, Latin, French
  'aw|antw|antwort', // German, Dutch
  'sv|svar', // Swedish, Norwegian, Danish, Icelandic
  'vast', // Finnish
  'rif|ri|r', // Italian
  'res', // Portuguese
  'odp', // Polish
  'vá', // Hungarian
  'ynt', // Turkish
  'ats|atb', // Lithuanian, Latvian
  'απ|σχετ', // Greek
  'отв|ответ', // Russian
  '回复|回覆|答复|答覆|返信|답장', // Chinese, Japanese, Korean
];
const forwardWords = [
  'fw|fwd|fwrd', // English
  'wg', // German
  'tr|transf', // French
  'vs|vb|vl', // Danish and Norwegian, Swedish, Finnish
  'doorst', // Dutch
  'rv|reenv|enc|res\\.? ?enc|i', // Spanish, Portuguese, Italian
  'pd|přepos|fs', // Polish, Czech, Slovak
  'továbbítás', // Hungarian
  'ilt|i̇lt|iletilen', // Turkish
  'πρθ', // Greek
  'пересл|переслано', // Russian
  '转发|轉寄|転送|전달', // Chinese, Japanese, Korean
];

const lengthMax = 998;
// Outlook writes "RE[2]:", other programs "Re^2:" or "Re(2):", and French ones a space before the colon.
const ending = String.raw`[\s]{0,3}(?:[\[(^]\d{1,3}[\])]?)?[\s]{0,3}:\s{0,9}`;
const replyPrefix = new RegExp(`^(?:${replyWords.join('|')})${ending}`, 'iu');
const forwardPrefix = new RegExp(`^(?:${forwardWords.join('|')})${ending}`, 'iu');

/** Returns the subject of a reply: `Re: …`, or the subject itself if it already has such a prefix in any language. */
export function replySubject(subject: string): string {
  return withPrefix('Re:', replyPrefix, subject);
}

/** Returns the subject of a forward: `Fwd: …`, or the subject itself if it already has such a prefix in any language. */
export function forwardSubject(subject: string): string {
  return withPrefix('Fwd:', forwardPrefix, subject);
}

const listTag = /^\s*(?:\[[^\]]{0,60}\]\s*){0,3}/;

/** Returns whether a subject marks a reply, in any language, even after the tag of a mailing list. */
export function isReplySubject(subject: string): boolean {
  return matchPrefix(replyPrefix, subject.slice(0, 200).replace(listTag, '')) > 0;
}

/** Returns whether a subject begins with "VS", which marks a reply in Finnish mail programs and a forward in Danish and Norwegian ones. */
export function isAmbiguousSubject(subject: string): boolean {
  return /^\s*vs\s*:/i.test(subject.slice(0, 200).replace(listTag, ''));
}

/** Returns whether a subject marks a forward, in any language, even after the tag of a mailing list. */
export function isForwardSubject(subject: string): boolean {
  return matchPrefix(forwardPrefix, subject.slice(0, 200).replace(listTag, '')) > 0;
}

function withPrefix(prefix: string, known: RegExp, subject: string): string {
  const line = subject
    .slice(0, 4 * lengthMax)
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  const first = matchPrefix(known, line);
  if (first === 0) return cut(line === '' ? prefix : `${prefix} ${line}`);
  let rest = line.slice(first);
  for (let next = matchPrefix(known, rest); next > 0; next = matchPrefix(known, rest))
    rest = rest.slice(next);
  return cut(`${line.slice(0, first).trim()} ${rest}`.trim());
}

/** Returns the length of the prefix that a text begins with, or 0 if it has none. Full-width letters and colons count, too. */
function matchPrefix(known: RegExp, text: string): number {
  const head = text.slice(0, 40);
  const folded = Array.from(head, (letter) => foldWidth(letter)).join('');
  return known.exec(folded)?.[0].length ?? 0;
}

/** Returns a full-width form as its ASCII character, so that the text keeps its length. */
function foldWidth(letter: string): string {
  const code = letter.charCodeAt(0);
  return letter.length === 1 && code >= 0xff01 && code <= 0xff5e
    ? String.fromCharCode(code - 0xfee0)
    : letter;
}

function cut(subject: string): string {
  return subject.length <= lengthMax ? subject : subject.slice(0, lengthMax).replace(/[\ud800-\udbff]$/, '');
}

/** The message to be forwarded. */
export interface Original {
  from: NamedAddress | null;
  date: Date | null;
  subject: string;
  to: (string | NamedAddress)[];
  cc: (string | NamedAddress)[];
  text: string | null;
  html: string | null;
}

/** The sender's note above the original. Either body may be missing. */
interface ForwardNote {
  text?: string | null | undefined;
  html?: string | null | undefined;
}

const rule = '---------- Forwarded message ---------';

/**
 * Returns the bodies of a forward: the note, a header block, and the original. The text is null if the note or the original has only HTML.
 * HTML is present if the note or the original has it. The HTML of the original is passed on unchanged and may be hostile; everything else
 * is escaped.
 */
export function quoteOriginal(
  note: ForwardNote,
  original: Original,
): { text: string | null; html: string | null } {
  const block = describe(original);
  const textBelow = original.text ?? (original.html === null ? '' : null);
  const noteHasText = Boolean(note.text) || !note.html;
  const text =
    noteHasText && textBelow !== null ? join([note.text ?? '', block.join('\n'), textBelow]) : null;
  if (!note.html && original.html === null) return { text, html: null };
  const noteHtml = note.html || (note.text ? toHtml(note.text) : '');
  const below = original.html ?? toHtml(original.text ?? '');
  return { text, html: `${noteHtml}\n<div>${block.map(escapeHtml).join('<br>\n')}</div>\n<br>\n${below}` };
}

function join(parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Returns the lines of the header block. White space is folded, so that no name or subject can add a line. */
function describe({ from, date, subject, to, cc }: Original): string[] {
  const fields: [string, string][] = [
    ['From', from === null ? '' : spell(from)],
    ['Date', date === null ? '' : date.toUTCString().replace('GMT', '+0000')],
    ['Subject', subject],
    ['To', to.map(spell).join(', ')],
    ['Cc', cc.map(spell).join(', ')],
  ];
  const lines = fields.map(([name, value]) => [name, value.replace(/[\s\p{Cc}]+/gu, ' ').trim()]);
  return [rule, ...lines.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`)];
}

function spell(mailbox: string | NamedAddress): string {
  if (typeof mailbox === 'string') return mailbox;
  return mailbox.name ? `${mailbox.name} <${mailbox.address}>` : mailbox.address;
}

function toHtml(text: string): string {
  return `<div>${escapeHtml(text).replace(/\r\n?|\n/g, '<br>\n')}</div>`;
}
