import type { Message } from 'postrider';
import { composeText } from '#strings/compose.ts';
import { shortTime } from '../lib/times.ts';

type Quoted = Pick<Message, 'from_addr' | 'from_name' | 'created_at' | 'body_text' | 'extracted_text'>;

const charactersMax = 100_000;

/** Returns the text of a message as a reply quotes it: a line that names the sender, and a `>` before each line. */
export function quoteMessage(message: Quoted): string {
  const text = (message.body_text ?? message.extracted_text ?? '').trimEnd().slice(0, charactersMax);
  if (text === '') return '';
  const lines = text.split(/\r\n|\r|\n/).map((line) => (line.startsWith('>') ? `>${line}` : `> ${line}`));
  const from = message.from_name ?? message.from_addr;
  return [composeText.quote.line(shortTime(message.created_at), from), ...lines].join('\n');
}

/** Joins what a person writes and the quoted text. */
export function joinQuote(own: string, quote: string): string {
  return quote === '' ? own : `${own}${gap}${quote}`;
}

/** Returns a text without the quote at its end, and whether it had one. */
export function splitQuote(text: string, quote: string): { own: string; isQuoted: boolean } {
  const isQuoted = quote !== '' && text.endsWith(gap + quote);
  return { own: isQuoted ? text.slice(0, -(gap + quote).length) : text, isQuoted };
}

const gap = '\n\n';
