import type { JSONContent } from '@tiptap/core';
import type { Message } from 'postrider';
import { composeText } from '#strings/compose.ts';
import { shortTime } from '../lib/times.ts';

type Quoted = Pick<Message, 'from_addr' | 'from_name' | 'created_at' | 'body_text' | 'extracted_text'>;

const charactersMax = 100_000;
const gap = '\n\n';
const lineStyle = 'margin:0';
const quoteStyle = 'margin:0;padding-left:12px;border-left:3px solid #d0d5dd';

/** Returns the text of a message as a reply quotes it: a line that names the sender, and a `>` before each line. */
export function quoteMessage(message: Quoted): string {
  const text = (message.body_text ?? message.extracted_text ?? '').trimEnd().slice(0, charactersMax);
  if (text === '') return '';
  const lines = text.split(/\r\n|\r|\n/).map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`));
  const from = message.from_name ?? message.from_addr;
  return [composeText.quote.line(shortTime(message.created_at), from), ...lines].join('\n');
}

/** The text of a person with its formatted version, which is empty for none. */
export interface WrittenText {
  text: string;
  html: string;
}

/** Joins the person's text and the quoted text, in the plain version and, if there is one, in the formatted version. */
export function joinQuote({ text, html }: WrittenText, quote: string): WrittenText {
  if (quote === '') return { text, html };
  return { text: `${text}${gap}${quote}`, html: html === '' ? '' : html + quoteAsHtml(quote) };
}

/** Returns a text without the quote at its end, and whether it had one. */
export function splitQuote({ text, html }: WrittenText, quote: string): WrittenText & { isQuoted: boolean } {
  const isQuoted = quote !== '' && text.endsWith(gap + quote);
  if (!isQuoted) return { text, html, isQuoted };
  const end = quoteAsHtml(quote);
  return {
    text: text.slice(0, -(gap + quote).length),
    html: html.endsWith(end) ? html.slice(0, -end.length) : html,
    isQuoted,
  };
}

function quoteAsHtml(quote: string): string {
  const [first = '', ...lines] = quote.split('\n').map(escapeHtml);
  const quoted = lines.map((line) => line.replace(/^&gt; ?/, '')).join('<br>');
  const line = `<p style="${lineStyle}">`;
  return `${line}<br></p>${line}${first}</p><blockquote style="${quoteStyle}">${quoted}</blockquote>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Returns a plain text as the document of the editor: a paragraph for each line. */
export function documentOfText(text: string): JSONContent {
  const lines = text.split(/\r\n|\r|\n/);
  return {
    type: 'doc',
    content: lines.map((line) => ({
      type: 'paragraph',
      ...(line !== '' && { content: [{ type: 'text', text: line }] }),
    })),
  };
}

/** Returns the plain text of a document: lists with their marks, quotes with `>`, and links with their addresses. */
export function textOfDocument(document: JSONContent): string {
  return listLines(document).join('\n');
}

/** Returns whether a document is nothing but lines of text, so that its plain text says all of it. */
export function isPlainDocument({ content = [] }: JSONContent): boolean {
  return content.every(
    ({ type, content: inline = [] }) =>
      type === 'paragraph' && inline.every(({ marks = [] }) => marks.length === 0),
  );
}

function listLines(node: JSONContent): string[] {
  const children = node.content ?? [];
  if (node.type === 'paragraph') return textOfLine(children).split('\n');
  if (node.type === 'blockquote')
    return children.flatMap(listLines).map((line) => (line === '' ? '>' : `> ${line}`));
  if (node.type === 'bulletList') return children.flatMap((item) => indent(listLines(item), '- '));
  if (node.type === 'orderedList') {
    const first = Number(node.attrs?.start ?? 1);
    return children.flatMap((item, index) => indent(listLines(item), `${first + index}. `));
  }
  return children.flatMap(listLines);
}

function indent([first = '', ...others]: string[], mark: string): string[] {
  return [mark + first, ...others.map((line) => ' '.repeat(mark.length) + line)];
}

/** A link may be cut into pieces by other marks, so its address follows its last piece. */
function textOfLine(inline: JSONContent[]): string {
  return inline
    .map((node, index) => {
      if (node.type === 'hardBreak') return '\n';
      const { text = '' } = node;
      const href = findAddress(node);
      if (href === null || href === findAddress(inline[index + 1])) return text;
      return href === text || href === `mailto:${text}` ? text : `${text} (${href})`;
    })
    .join('');
}

function findAddress(node: JSONContent | undefined): string | null {
  const href: unknown = node?.marks?.find(({ type }) => type === 'link')?.attrs?.href;
  return typeof href === 'string' ? href : null;
}
