import { extension } from 'mime-types';
import { cleanFilename, cleanText } from '../../lib/texts.ts';
import type { ParsedAttachment } from './parsed-mail.ts';
import { parseLimits } from './read-header-fields.ts';
import type { FilePart } from './read-mime.ts';

const mimeTypePattern = /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/;
const referencePattern = /\bcid:([^"'\s<>()]{1,300})/gi;
/** Alternative forms of the body that only some mail providers show, so they are not files that anybody sent. */
const alternativeTypes = new Set(['text/x-amp-html', 'text/watch-html']);
const extensions: Record<string, string> = {
  'message/rfc822': 'eml',
  'message/global': 'eml',
  'message/delivery-status': 'txt',
  'message/disposition-notification': 'txt',
  'message/feedback-report': 'txt',
  'text/rfc822-headers': 'txt',
  'application/ms-tnef': 'dat',
};

/** Returns the attachments of a mail in their order, by the rule in `parsed-mail.ts`, each with a name that is safe to store. */
export function nameAttachments(files: FilePart[], html: string | null): ParsedAttachment[] {
  const referenced = new Set(
    Array.from((html ?? '').matchAll(referencePattern), ([, id]) => decodeReference(id ?? '')),
  );
  return files.filter(isFile).map((file, index) => {
    const mimeType = readMimeType(file.contentType);
    const contentId = cleanText((file.contentId ?? '').slice(0, parseLimits.idLengthMax)) || null;
    const besideHtml = file.related && file.disposition !== 'attachment';
    const attachment: ParsedAttachment = {
      filename: cleanFilename(file.filename, `attachment-${index + 1}.${findExtension(mimeType)}`),
      mimeType,
      contentId,
      inline: contentId !== null && (referenced.has(contentId) || besideHtml),
      sizeBytes: file.sizeBytes,
    };
    return file.content ? { ...attachment, content: file.content } : attachment;
  });
}

function isFile({ contentType, disposition, filename }: FilePart): boolean {
  return disposition === 'attachment' || filename !== null || !alternativeTypes.has(contentType);
}

function readMimeType(contentType: string): string {
  const type = contentType.toLowerCase().trim();
  return type.length <= parseLimits.mimeTypeLengthMax && mimeTypePattern.test(type)
    ? type
    : 'application/octet-stream';
}

function findExtension(mimeType: string): string {
  return extensions[mimeType] ?? (extension(mimeType) || (mimeType.startsWith('text/') ? 'txt' : 'bin'));
}

function decodeReference(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
