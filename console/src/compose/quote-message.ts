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
