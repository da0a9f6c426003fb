import { type DateParts, datePartsOf, type Language, type Quoted } from './language.ts';

/** The place of the answer: above the quotation, below it, or between its lines. */
export type Layout = 'top' | 'bottom' | 'inline';

/** A reply before a client lays it out. */
export interface ReplyDraft {
  language: Language;
  /** The paragraphs of the answer. In an inline one, the first answers the first question and the others answer the second. */
  body: string[];
  layout: Layout;
  /** The signature below the delimiter; null for none. */
  signature: string[] | null;
  quoted: Quoted;
  parts: DateParts;
  subject: string;
  /** Whether the message that is answered contains a quotation itself. */
  isLong: boolean;
}

/** The two forms of a mail. A client writes one of them or both. */
export interface LaidOut {
  text?: string;
  html?: string;
}

/** A mail client, which lays out a reply in its own way. */
export interface Client {
  name: string;
  layouts: Layout[];
  /** Whether a signature below the delimiter, or as the client marks it, can be added. */
  signs: boolean;
  layOut(draft: ReplyDraft): LaidOut;
}

/** Creates a draft with its date in the author's language. */
export function draftOf(fields: Omit<ReplyDraft, 'parts'>): ReplyDraft {
  return {
    ...fields,
    parts: datePartsOf(fields.quoted.date, fields.language),
  };
}

export function author({ language: { author } }: ReplyDraft): string {
  return `${author} <me@example.org>`;
}

/** Returns the message that is answered, line by line, with its own quotation. */
export function quotedLines({ language, quoted, parts, isLong }: ReplyDraft): string[] {
  return [
    language.questions[0],
    '',
    language.questions[1],
    '',
    language.correspondent,
    ...(isLong
      ? [
          '',
          language.gmail({ ...quoted, name: language.author, address: 'me@example.org' }, parts),
          '',
          `> ${language.questions[1]}`,
          '> Thanks',
        ]
      : []),
  ];
}

export function bodyText({ body }: ReplyDraft): string {
  return body.join('\n\n');
}

export function signatureText({ signature }: ReplyDraft): string {
  return signature === null ? '' : `\n\n-- \n${signature.join('\n')}`;
}

export function mark(lines: string[], prefix = '> '): string {
  return lines.map((line) => (line === '' ? prefix.trimEnd() : prefix + line)).join('\n');
}

/** Breaks a line between words, as clients wrap the sentence before a quotation. */
export function wrap(line: string, width = 76): string {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join('\n');
}

/** Returns a text with marked lines, and the answer in the place that the layout says. */
export function markedText(draft: ReplyDraft, announcement: string, prefix = '> '): string {
  const { layout, body, language } = draft;
  const signature = signatureText(draft);
  if (layout === 'top')
    return `${bodyText(draft)}${signature}\n\n${announcement}\n\n${mark(quotedLines(draft), prefix)}\n`;
  if (layout === 'bottom')
    return `${announcement}\n${mark(quotedLines(draft), prefix)}\n\n${bodyText(draft)}${signature}\n`;
  const [first = '', ...rest] = body;
  return `${announcement}\n${mark([language.questions[0]], prefix)}\n\n${first}\n\n${mark([language.questions[1]], prefix)}\n\n${rest.join('\n\n')}${signature}\n`;
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Returns each line in an element, with an empty one between paragraphs. */
export function htmlLines(paragraphs: string[], open = '<div>', close = '</div>'): string {
  return paragraphs
    .map((paragraph) =>
      paragraph
        .split('\n')
        .map((line) => `${open}${escapeHtml(line)}${close}`)
        .join(''),
    )
    .join(`${open}<br>${close}`);
}

export function quotedHtml(draft: ReplyDraft): string {
  return htmlLines([quotedLines(draft).filter(Boolean).join('\n')]);
}

/** Returns the header that Outlook and others show of the message that is answered. */
export function headerLines({ language, quoted, parts, subject }: ReplyDraft): string[] {
  const [from, sent, to, about] = language.labels;
  return [
    `${from}: ${quoted.name} <${quoted.address}>`,
    `${sent}: ${parts.weekdayLong}, ${parts.day} ${parts.monthLong} ${parts.year} ${parts.time}`,
    `${to}: ${language.author} <me@example.org>`,
    `${about}: ${subject}`,
  ];
}

export function headerHtml(draft: ReplyDraft): string {
  return headerLines(draft)
    .map((line) => escapeHtml(line).replace(/^([^:]*:)/, '<b>$1</b>'))
    .join('<br>');
}
