import type { NamedAddress } from '../../lib/email-address.ts';
import { escapeHtml } from '../../lib/texts.ts';

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
export interface ForwardNote {
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
