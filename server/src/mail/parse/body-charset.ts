import { decodeText } from './decode-body.ts';
import { firstValue, type Header } from './read-header-fields.ts';

const charsetPattern = /charset\s*=\s*"?([\w.:+-]{2,40})/i;
const partTypePattern = /^content-type[ \t]*:[^\n]*(?:\n[ \t][^\n]*){0,10}/gim;
/** Texts come first in a mail. */
const searchedBytes = 65_536;
/** Text in these is ASCII, so that bytes beyond it are something else. */
const sevenBitPattern = /^(?:utf-?(?:7|16|32)|ucs|iso-?2022|hz|us-?ascii)/i;

/** Returns the charset that a mail names for its body, or null: that of its header, else that of the first part that names one. */
export function bodyCharset(raw: Buffer, { fields, bodyStart }: Header): string | null {
  const own = charsetPattern.exec(firstValue(fields, 'content-type') ?? '')?.[1];
  if (own !== undefined) return own;
  const body = raw.toString('latin1', bodyStart, bodyStart + searchedBytes);
  for (const [type] of body.matchAll(partTypePattern)) {
    const charset = charsetPattern.exec(type)?.[1];
    if (charset !== undefined) return charset;
  }
  return null;
}

/** The characters that windows-1252 has between U+0080 and U+009F, in their order. */
const westernCharacters = new TextDecoder('windows-1252').decode(
  Uint8Array.from({ length: 32 }, (_, n) => 128 + n),
);

/** Returns text that was read as windows-1252, since its bytes are no UTF-8, by the charset that they are in. */
export function inCharset(text: string, charset: string): string {
  if (sevenBitPattern.test(charset)) return text;
  const bytes = Buffer.alloc(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const western = code < 0x80 ? -1 : westernCharacters.indexOf(text[at] ?? '');
    if (code > 0xff && western < 0) return text;
    bytes[at] = western < 0 ? code : 0x80 + western;
  }
  return decodeText(bytes, charset);
}
