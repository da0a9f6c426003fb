import { decodeUnlabelled } from './read-header-fields.ts';

const unlabelledPattern =
  /^(?:(?:us-?)?ascii|ansi_x3\.4-.*|unknown-8bit|x-unknown|default|binary|8bit|7bit|)$/i;
const metaCharsetPattern = /<meta[^>]{0,200}?charset\s*=\s*["']?([\w:.-]{2,40})/i;

/** Whether the charset that a part names says nothing about bytes beyond ASCII. */
export const saysNothing = (charset: string): boolean => unlabelledPattern.test(charset);

/** Text without a charset; HTML may name one in its head, which matters only where it is not UTF-8 anyway. */
export function decodeBody(bytes: Buffer): string {
  const text = decodeUnlabelled(bytes);
  const label = metaCharsetPattern.exec(text.slice(0, 2_048))?.[1];
  if (label === undefined || /^utf-?8$/i.test(label) || isUtf8(bytes)) return text;
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return text;
  }
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
