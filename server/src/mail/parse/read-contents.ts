/* Reads the content of a mail below its header. Files that contain a text, such as invitations and winmail.dat, are opened. */
import { cleanText, cutBytes } from '../../lib/texts.ts';
import { decodeUnlabelled } from './decode-unlabelled.ts';
import { type HtmlText, htmlToPlainText, readHtmlText } from './html-to-plain-text.ts';
import { invitationText } from './invitation-text.ts';
import { parseLimits, readHeader } from './read-header-fields.ts';
import { type FilePart, type MimeContent, readMime } from './read-mime.ts';
import type { TextPart } from './read-text-parts.ts';
import { readTnef, type TnefContent } from './read-tnef.ts';

/** The bodies of a mail and its files. */
export interface Contents extends Bodies {
  files: FilePart[];
}

/** Returns the contents of a mail. The files have their bytes if `withContent` is set. Rejects as `readMime` does. */
export async function readContents(raw: Buffer, withContent: boolean): Promise<Contents> {
  const mime = await readMime(raw, (file) => withContent || isInvitation(file) || isTnef(file));
  const own = joinBodies(mime.root);
  const { bodies, files } = openTnef(own, mime.files);
  const text = bodies.text ?? readLooseText(raw, mime) ?? readInvitation(files);
  return { ...bodies, text, files: withContent ? files : files.map(withoutContent) };
}

function isTnef({ contentType, filename }: FilePart): boolean {
  return /^application\/(?:vnd\.)?ms-tnef$/.test(contentType) || /^winmail\.dat$/i.test(filename ?? '');
}

/**
 * Returns the files inside a winmail.dat in place of it, and its text if the mail has none. A winmail.dat with anything else inside, such
 * as a message, stays among the files.
 */
function openTnef(own: Bodies, files: FilePart[]): { bodies: Bodies; files: FilePart[] } {
  let bodies = own;
  const opened = files.flatMap((file) => {
    const found = isTnef(file) && file.content ? readTnef(file.content) : null;
    if (found === null) return [file];
    if (!bodies.text?.trim() && bodies.html === null) bodies = readBodies(found) ?? bodies;
    const isUsed = found.files.length > 0 || bodies !== own;
    const isWhole = isUsed && !found.hasMore && (bodies.text ?? '').trim() !== '';
    return isWhole ? found.files : [file, ...found.files];
  });
  return { bodies, files: opened };
}

function readBodies({ text, html }: TnefContent): Bodies | null {
  const parts = [
    ...(text?.trim() ? [{ contentType: 'text/plain', textContent: text, children: [] }] : []),
    ...(html?.trim() ? [{ contentType: 'text/html', textContent: html, children: [] }] : []),
  ];
  return parts.length === 0 ? null : joinBodies({ contentType: 'multipart/alternative', children: parts });
}

function isInvitation({ contentType }: FilePart): boolean {
  return contentType === 'text/calendar';
}

/** Returns a description of the invitation in a mail without text. */
function readInvitation(files: FilePart[]): string | null {
  const { content } = files.find(isInvitation) ?? {};
  return content ? invitationText(content) : null;
}

function withoutContent(file: FilePart): FilePart {
  return { ...file, content: null };
}

/** Returns the text after the header of a mail that declares parts and has none, such as one without a boundary. */
function readLooseText(raw: Buffer, { root, files }: MimeContent): string | null {
  const promisesParts = root !== null && String(root.contentType).startsWith('multipart/');
  if (!promisesParts || root.children.length > 0 || files.length > 0) return null;
  const { bodyStart } = readHeader(raw);
  const body = raw.subarray(bodyStart, bodyStart + parseLimits.bodyBytesMax);
  const text = cutBytes(cleanText(decodeUnlabelled(body)), parseLimits.bodyBytesMax).text.trim();
  return text === '' ? null : text;
}

/** The body of a mail, in both forms. */
export interface Bodies {
  text: string | null;
  html: string | null;
  /** The text of the HTML that a person sees, and the hidden one; null without HTML. */
  seen: HtmlText | null;
}

interface Found {
  type: 'text' | 'html';
  content: string;
  /** Whether it is one of several forms of the same content, with the other form next to it. */
  isAlternative: boolean;
}

/**
 * Joins the text parts of a mail in their order. A part that comes in one form only is converted to the other, so that neither form lacks a
 * part of the mail. A mail that has only text gets no HTML.
 */
function joinBodies(root: TextPart | null): Bodies {
  const found: Found[] = [];
  if (root) collectTexts(root, false, found);
  const htmls = found.flatMap(({ type, content, isAlternative }) => {
    if (type === 'html') return [content];
    return isAlternative ? [] : [textToHtml(content)];
  });
  const html = found.some(({ type }) => type === 'html') ? bound(htmls.join('\n')) : null;
  const seen = html === null ? null : readHtmlText(html);
  const texts = found.flatMap(({ type, content, isAlternative }) => {
    if (type === 'text') return [content];
    return isAlternative && found.some((other) => other.type === 'text' && other.isAlternative)
      ? []
      : [found.length === 1 && seen ? seen.text : htmlToPlainText(content)];
  });
  if (found.length === 0) return { text: null, html, seen };
  const text = bound(texts.join('\n'));
  // Some senders add an empty text to their HTML.
  return { text: text.trim() === '' && seen !== null ? bound(seen.text) : text, html, seen };
}

function collectTexts(part: TextPart, isAlternative: boolean, found: Found[]): void {
  const { contentType, textContent, isAttachment, children } = part;
  if (
    textContent !== undefined &&
    !isAttachment &&
    (contentType === 'text/plain' || contentType === 'text/html')
  )
    found.push({ type: contentType === 'text/html' ? 'html' : 'text', content: textContent, isAlternative });
  const inside = isAlternative || contentType === 'multipart/alternative';
  for (const child of children) collectTexts(child, inside, found);
}

function textToHtml(text: string): string {
  const escaped = text.replace(/[&<>]/g, (char) => ({ '&': '&amp;', '<': '&lt;' })[char] ?? '&gt;');
  return `<div style="white-space: pre-wrap">${escaped}</div>`;
}

function bound(text: string): string {
  return cutBytes(cleanText(text), parseLimits.bodyBytesMax).text;
}
