import type { HeaderField } from './read-header-fields.ts';

const automaticPrecedence = new Set(['bulk', 'list', 'junk', 'auto_reply', 'auto-reply']);
/** Set by list software on everything that it distributes (RFC 2369, RFC 2919). */
const listFields = new Set([
  'list-id',
  'list-unsubscribe',
  'list-post',
  'list-help',
  'list-subscribe',
  'list-owner',
  'list-archive',
]);

/**
 * Returns whether a mail was sent by a machine or through a list, so that an automatic reply could start an endless exchange. The signs are
 * an `Auto-Submitted` other than `no` (RFC 3834, section 5), the null envelope sender, a bulk `Precedence`, a `List-` field, and a report
 * (RFC 6522) from any envelope sender. `X-Auto-Response-Suppress` only says that its sender wants no automatic replies, and a person may
 * set it.
 */
export function isAutoSubmitted(fields: HeaderField[], envelopeFrom: string | null): boolean {
  return envelopeFrom === '' || fields.some(isAutomatic);
}

function isAutomatic({ name, value }: HeaderField): boolean {
  if (name === 'auto-submitted') return !['', 'no'].includes(keywordOf(value));
  if (name === 'precedence' || name === 'x-precedence') return automaticPrecedence.has(keywordOf(value));
  if (name === 'content-type') return /^\s*multipart\/report\b/i.test(value);
  return listFields.has(name) && value !== '';
}

/** Returns the keyword before parameters and comments. */
function keywordOf(value: string): string {
  return (/^(?:\s*\([^()]*\))*\s*([^\s;(]*)/.exec(value)?.[1] ?? '').toLowerCase();
}
