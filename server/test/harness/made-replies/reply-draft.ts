import { type DateParts, datePartsOf, type Language, type Quoted } from './language.ts';

/** Where the answer stands: above the quotation, below it, or between its lines. */
export type Layout = 'top' | 'bottom' | 'inline';

/** A reply before a client lays it out. */
export interface ReplyDraft {
  language: Language;
  /** The paragraphs of the answer; of an inline one, the first answers the first question and the rest the second. */
  body: string[];
  layout: Layout;
  /** Below the delimiter; null for none. */
  signature: string[] | null;
  quoted: Quoted;
  parts: DateParts;
  subject: string;
  /** Whether the message that is answered has a quotation of its own. */
  isLong: boolean;
}

/** The two forms of a mail; a client writes one of them or both. */
export interface LaidOut {
  text?: string;
  html?: string;
}

/** Lays a reply out as one mail client does. */
export interface Client {
  name: string;
  layouts: Layout[];
  /** Whether a signature below the delimiter, or as the client marks it, can be added. */
  signs: boolean;
  layOut(draft: ReplyDraft): LaidOut;
}

/** A draft whose moment is told in the author's language. */
export const draftOf = (fields: Omit<ReplyDraft, 'parts'>): ReplyDraft => ({
  ...fields,
  parts: datePartsOf(fields.quoted.date, fields.language),
});

export const author = ({ language: { author } }: ReplyDraft): string => `${author} <me@example.org>`;

/** The message that is answered, line by line, with what it quotes itself. */
export const quotedLines = ({ language, quoted, parts, isLong }: ReplyDraft): string[] => [
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

export const bodyText = ({ body }: ReplyDraft): string => body.join('\n\n');

export const signatureText = ({ signature }: ReplyDraft): string =>
  signature === null ? '' : `\n\n-- \n${signature.join('\n')}`;

export const mark = (lines: string[], prefix = '> '): string =>
  lines.map((line) => (line === '' ? prefix.trimEnd() : prefix + line)).join('\n');

/** Breaks a line between words, as clients wrap the sentence before a quotation. */
export const wrap = (line: string, width = 76): string => {
  const lines = [''];
  for (const word of line.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join('\n');
};

/** Text with marked lines: the answer where the layout has it. */
export const markedText = (draft: ReplyDraft, announcement: string, prefix = '> '): string => {
  const { layout, body, language } = draft;
  const signature = signatureText(draft);
  if (layout === 'top')
    return `${bodyText(draft)}${signature}\n\n${announcement}\n\n${mark(quotedLines(draft), prefix)}\n`;
  if (layout === 'bottom')
    return `${announcement}\n${mark(quotedLines(draft), prefix)}\n\n${bodyText(draft)}${signature}\n`;
  const [first = '', ...rest] = body;
  return `${announcement}\n${mark([language.questions[0]], prefix)}\n\n${first}\n\n${mark([language.questions[1]], prefix)}\n\n${rest.join('\n\n')}${signature}\n`;
};

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Each line in an element, with an empty one between paragraphs. */
export const htmlLines = (paragraphs: string[], open = '<div>', close = '</div>'): string =>
  paragraphs
    .map((paragraph) =>
      paragraph
        .split('\n')
        .map((line) => `${open}${escapeHtml(line)}${close}`)
        .join(''),
    )
    .join(`${open}<br>${close}`);

export const quotedHtml = (draft: ReplyDraft): string =>
  htmlLines([quotedLines(draft).filter(Boolean).join('\n')]);

/** The header that Outlook and others show of the message that is answered. */
export const headerLines = ({ language, quoted, parts, subject }: ReplyDraft): string[] => {
  const [from, sent, to, about] = language.labels;
  return [
    `${from}: ${quoted.name} <${quoted.address}>`,
    `${sent}: ${parts.weekdayLong}, ${parts.day} ${parts.monthLong} ${parts.year} ${parts.time}`,
    `${to}: ${language.author} <me@example.org>`,
    `${about}: ${subject}`,
  ];
};

export const headerHtml = (draft: ReplyDraft): string =>
  headerLines(draft)
    .map((line) => escapeHtml(line).replace(/^([^:]*:)/, '<b>$1</b>'))
    .join('<br>');
