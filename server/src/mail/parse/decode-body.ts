import { Transform, type TransformCallback } from 'node:stream';
/*
 * Decodes bytes by the charset that their part names. A label is trusted as long as it can be true of the bytes: programs write UTF-8 and
 * label it GB2312, or windows-1252 and label it UTF-8.
 */
import libmime from 'libmime';
import { decode } from 'libmime/lib/charset.js';
import { decodeMostlyUtf8, decodeUnlabelled, isUtf8 } from './decode-unlabelled.ts';

const unlabelledPattern =
  /^(?:(?:us-?)?ascii|ansi_x3\.4-.*|unknown-8bit|x-unknown|default|binary|8bit|7bit|)$/i;
const metaCharsetPattern = /<meta[^>]{0,200}?charset\s*=\s*["']?([\w:.-]{2,40})/i;
const utf8Pattern = /^utf-?8$/i;
/** A label of ISO-8859-1 means windows-1252 (WHATWG Encoding, section 4.2), whose quotes and dashes are controls in the former. */
const latin1Pattern = /^(?:iso[-_]?8859[-_]?1|latin[-_]?1|l1|cp819)$/i;
/** Text in these charsets is ASCII or has NULs, so it cannot be mistaken for UTF-8. */
const otherBytesPattern = /^(?:utf-?(?:16|32)|ucs|iso-?2022|hz|cp?037|ebcdic)/i;
const manyBytesPattern =
  /^(?:gb|cp936|ms936|big5|cp950|euc|shift|s-?jis|ms_kanji|cp932|windows-31j|ks_?c|cp949|uhc|johab|x-gbk)/i;

/** Returns text by the charset that its part names, or by the actual one if the label does not fit the bytes. */
export function decodeText(bytes: Buffer, charset: string): string {
  const label = charset.trim();
  if (unlabelledPattern.test(label)) return decodeBody(bytes);
  if (utf8Pattern.test(label)) return decodeMostlyUtf8(bytes);
  if (/^utf-?7$/i.test(label)) return decodeUtf7(bytes.toString('latin1'));
  if (otherBytesPattern.test(label)) return decode(bytes, label);
  if (isUtf8(bytes)) return looksLike(bytes, label) ? decode(bytes, label) : bytes.toString();
  if (latin1Pattern.test(label)) return decode(bytes, 'windows-1252');
  return libmime.createDecodeStream(label).supported ? decode(bytes, label) : decodeBody(bytes);
}

/** Decodes UTF-7 (RFC 2152), which no library here still supports: runs of UTF-16 in base64 between `+` and `-`. */
function decodeUtf7(text: string): string {
  return text.replace(/\+([A-Za-z\d+/]*)-?/g, (_run, base64: string) =>
    base64 === ''
      ? '+'
      : Buffer.from(base64, 'base64')
          .subarray(0, Math.floor((base64.length * 6) / 16) * 2)
          .swap16()
          .toString('utf16le'),
  );
}

/** Accented Latin letters next to plain ones, and words of other alphabets, whose letters have two bytes in UTF-8. */
const wordPattern =
  /[A-Za-z][ß-ſ][A-Za-z]|[À-Þ][A-Za-z]|[\p{Script=Cyrillic}]{3}|[\p{Script=Greek}]{3}|[\p{Script=Hebrew}]{3}|[\p{Script=Arabic}]{3}/u;

/**
 * Returns whether bytes that are valid UTF-8 are rather in the label's charset: two bytes of Chinese text can be both, a word hardly can.
 */
function looksLike(bytes: Buffer, label: string): boolean {
  if (!manyBytesPattern.test(label)) return false;
  const text = bytes.toString();
  const characters = text.match(/[\u0800-\uffff]/g)?.length ?? 0;
  return characters < 2 && !wordPattern.test(text) && !decode(bytes, label).includes('\ufffd');
}

/** Returns text that has no charset. HTML may name one in its head, which matters only if the text is not UTF-8. */
function decodeBody(bytes: Buffer): string {
  const text = decodeUnlabelled(bytes);
  const label = metaCharsetPattern.exec(text.slice(0, 2_048))?.[1];
  if (label === undefined || utf8Pattern.test(label) || isUtf8(bytes)) return text;
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return text;
  }
}

/** A stream that collects its input and, at its end, emits the result of `decode` for all of it. */
export class DecodeWhole extends Transform {
  readonly #chunks: Buffer[] = [];
  readonly #decode: (bytes: Buffer) => Buffer;

  constructor(decode: (bytes: Buffer) => Buffer) {
    super();
    this.#decode = decode;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.#chunks.push(chunk);
    done();
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#decode(Buffer.concat(this.#chunks)));
  }
}
