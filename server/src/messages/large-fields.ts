import { limits, type Message } from '@postrider/contract';
import { cutBytes } from '../lib/texts.ts';
import type { MessageRow } from './store/message-record.ts';

/** Whether large fields are shown whole, as when one message is read, or cut, as in lists, threads and events. */
export type Extent = 'whole' | 'cut';

type LargeFields = Pick<
  Message,
  | 'to_addrs'
  | 'cc_addrs'
  | 'bcc_addrs'
  | 'reply_to_addrs'
  | 'envelope_to'
  | 'body_text'
  | 'body_html'
  | 'extracted_text'
  | 'references'
>;

/** Returns the fields of a message that may be large, and the names of those that were cut, here or when the mail was read. */
export function showLarge(
  row: MessageRow,
  extent: Extent,
): LargeFields & Pick<Message, 'body_truncated' | 'truncated'> {
  const truncated: string[] = [];
  const note = <T>(field: keyof LargeFields, value: T, shown: T): T => {
    if (shown !== value) truncated.push(field);
    return shown;
  };
  const body = (field: keyof LargeFields, value: string | null) =>
    value === null || extent === 'whole' ? value : note(field, value, cutText(value));
  const list = (field: keyof LargeFields, value: string[], cut: (list: string[]) => string[]) =>
    extent === 'whole' ? value : note(field, value, cut(value));
  const bodies = {
    body_text: body('body_text', row.body_text),
    body_html: body('body_html', row.body_html),
    extracted_text: body('extracted_text', row.extracted_text),
    body_truncated: truncated.length > 0,
  };
  return {
    to_addrs: list('to_addrs', row.to_addrs, cutAddresses),
    cc_addrs: list('cc_addrs', row.cc_addrs, cutAddresses),
    bcc_addrs: list('bcc_addrs', row.bcc_addrs, cutAddresses),
    reply_to_addrs: list('reply_to_addrs', row.reply_to_addrs, cutAddresses),
    envelope_to: list('envelope_to', row.envelope_to, cutAddresses),
    ...bodies,
    references: list('references', row.reference_ids, cutReferences),
    truncated: [...new Set([...truncated, ...row.cut_fields])],
  };
}

function cutText(text: string): string {
  return cutBytes(text, limits.listedBodyBytesMax).text;
}

function cutAddresses(list: string[]): string[] {
  return list.length <= limits.listedAddressesMax ? list : list.slice(0, limits.listedAddressesMax);
}

/** Keeps the first id and the last ones: the beginning and the end of a conversation tell the most. */
function cutReferences(list: string[]): string[] {
  return list.length <= limits.listedReferencesMax
    ? list
    : [...list.slice(0, 1), ...list.slice(1 - limits.listedReferencesMax)];
}
