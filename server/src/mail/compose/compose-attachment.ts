import { isAscii } from 'node:buffer';
import { lookup } from 'mime-types';
import { cleanFilename } from '../../lib/texts.ts';
import { requireHeaderSafe } from './header-fields.ts';

/** A file that is sent with a message. */
export interface OutgoingAttachment {
  filename: string;
  /** Guessed from the name if it is absent. */
  contentType?: string | null | undefined;
  content: Buffer;
  /** The id by which the HTML refers to it (`cid:` URLs, RFC 2392), with or without angle brackets. */
  contentId?: string | null | undefined;
}

/** An attachment as nodemailer takes it. */
export interface PlacedAttachment {
  filename: string;
  contentType: string;
  contentDisposition: 'attachment' | 'inline';
  contentTransferEncoding: 'base64' | '7bit';
  content: Buffer;
  /** Puts the part next to the HTML that shows it (multipart/related). */
  cid?: string;
  headers?: { 'Content-ID': string };
}

const unknownType = 'application/octet-stream';
const typePattern = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;
const charsetPattern = /^\s*charset\s*=\s*"?([\w.:+-]{1,40})"?\s*$/i;
const methodPattern = /^\s*method\s*=\s*"?([a-z-]{1,20})"?\s*$/i;
const lineLengthMax = 998;

/** Decides how a file goes into a message: inline if the HTML shows it, otherwise attached; in base64 wherever MIME allows it. */
export function placeAttachment(attachment: OutgoingAttachment, html: string | undefined): PlacedAttachment {
  const { content } = attachment;
  const filename = cleanFilename(attachment.filename);
  const contentType = chooseType(attachment.contentType, filename, content);
  const id = readContentId(attachment.contentId);
  const shown = id !== null && html?.includes(`cid:${id}`) === true;
  return {
    filename,
    contentType,
    contentDisposition: shown ? 'inline' : 'attachment',
    contentTransferEncoding: contentType === 'message/rfc822' ? '7bit' : 'base64',
    content,
    ...(shown ? { cid: id } : id === null ? {} : { headers: { 'Content-ID': `<${id}>` } }),
  };
}

/**
 * Returns the type of a file. A message may only be attached unencoded (RFC 2046, section 5.2.1), so one that a relay could change is sent
 * as a plain file.
 */
function chooseType(given: string | null | undefined, filename: string, content: Buffer): string {
  const type =
    readType(requireHeaderSafe(given ?? '', 'A content type')) ?? (lookup(filename) || unknownType);
  if (type === 'message/rfc822') return fitsSevenBit(content) ? type : unknownType;
  return /^(?:message|multipart)\//.test(type) ? unknownType : type;
}

/**
 * Returns a valid type with its charset, and the method of an invitation, without which no calendar takes it (RFC 6047, section 2.4), or
 * null. A name or a boundary is dropped, because it would contradict the composed mail.
 */
function readType(given: string): string | null {
  const [essence = '', ...parameters] = given.split(';');
  const type = essence.trim().toLowerCase();
  if (!typePattern.test(type)) return null;
  const find = (pattern: RegExp) => parameters.map((parameter) => pattern.exec(parameter)?.[1]).find(Boolean);
  const kept = [
    ['method', type === 'text/calendar' ? find(methodPattern)?.toUpperCase() : undefined],
    ['charset', type.startsWith('text/') ? find(charsetPattern) : undefined],
  ];
  return [type, ...kept.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))].join(
    '; ',
  );
}

function readContentId(given: string | null | undefined): string | null {
  const id = requireHeaderSafe(given ?? '', 'A content id').replace(/^<|>$/g, '');
  return /^[!-;=?-~]{1,500}$/.test(id) ? id : null;
}

function fitsSevenBit(content: Buffer): boolean {
  if (!isAscii(content) || content.includes(0)) return false;
  const lines = content.toString('latin1').split('\r\n');
  return lines.every((line) => line.length <= lineLengthMax && !/[\r\n]/.test(line));
}
