import { limits, type Message } from '@postrider/contract';
import { cutBytes } from '../lib/clean-text.ts';
import type { MessageRow } from './message-record.ts';

/** Whether what is large is given whole, as when one message is read, or cut, as in lists, threads and events. */
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

/** The fields of a message that may be large, and which of them were cut. */
export const showLarge = (
  row: MessageRow,
  extent: Extent,
): LargeFields & Pick<Message, 'body_truncated' | 'truncated'> => {
  const whole: LargeFields = {
    to_addrs: row.to_addrs,
    cc_addrs: row.cc_addrs,
    bcc_addrs: row.bcc_addrs,
    reply_to_addrs: row.reply_to_addrs,
    envelope_to: row.envelope_to,
    body_text: row.body_text,
    body_html: row.body_html,
    extracted_text: row.extracted_text,
    references: row.reference_ids,
  };
  if (extent === 'whole') return { ...whole, body_truncated: false, truncated: [] };
  const truncated: string[] = [];
  const shown = Object.fromEntries(
    Object.entries(whole).map(([field, value]) => {
      const cut = typeof value === 'string' ? cutText(value) : value && cutList(field, value);
      if (cut !== value) truncated.push(field);
      return [field, cut];
    }),
  ) as LargeFields;
  return { ...shown, body_truncated: truncated.some((field) => bodyFields.includes(field)), truncated };
};

const bodyFields = ['body_text', 'body_html', 'extracted_text'];

const cutText = (text: string): string => cutBytes(text, limits.listedBodyBytesMax).text;

/** Of a conversation the beginning and the end say most: the first id is kept, and the last ones. */
const cutList = (field: string, list: string[]): string[] => {
  if (field !== 'references')
    return list.length <= limits.listedAddressesMax ? list : list.slice(0, limits.listedAddressesMax);
  return list.length <= limits.listedReferencesMax
    ? list
    : [...list.slice(0, 1), ...list.slice(1 - limits.listedReferencesMax)];
};
