/* Reads what a mail holds below its header, with the files opened that hold a text: invitations and winmail.dat. */
import { cleanText, cutBytes } from '../../lib/texts.ts';
import { decodeUnlabelled } from './decode-unlabelled.ts';
import { invitationText } from './invitation-text.ts';
import { type Bodies, joinBodies } from './join-bodies.ts';
import { parseLimits } from './parse-limits.ts';
import { readHeader } from './read-header-fields.ts';
import { type FilePart, type MimeContent, readMime } from './read-mime.ts';
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
 * Returns the files that a winmail.dat holds instead of it, and its text if the mail has none. One that holds anything else, such as a
 * message, stays among the files.
 */
function openTnef(own: Bodies, files: FilePart[]): { bodies: Bodies; files: FilePart[] } {
  let bodies = own;
  const opened = files.flatMap((file) => {
    const found = isTnef(file) && file.content ? readTnef(file.content) : null;
    if (found === null) return [file];
    if (!bodies.text?.trim() && bodies.html === null) bodies = bodiesOf(found) ?? bodies;
    const isUsed = found.files.length > 0 || bodies !== own;
    const isWhole = isUsed && !found.hasMore && (bodies.text ?? '').trim() !== '';
    return isWhole ? found.files : [file, ...found.files];
  });
  return { bodies, files: opened };
}

function bodiesOf({ text, html }: TnefContent): Bodies | null {
  const parts = [
    ...(text?.trim() ? [{ contentType: 'text/plain', textContent: text, children: [] }] : []),
    ...(html?.trim() ? [{ contentType: 'text/html', textContent: html, children: [] }] : []),
  ];
  return parts.length === 0 ? null : joinBodies({ contentType: 'multipart/alternative', children: parts });
}

function isInvitation({ contentType }: FilePart): boolean {
  return contentType === 'text/calendar';
}

/** Returns what a mail that has no text invites to. */
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
