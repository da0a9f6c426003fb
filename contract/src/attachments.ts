import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { answers } from './answers.ts';
import { brand } from './brand.ts';
import { about, idField, pathId, timestamp } from './fields/scalars.ts';
import { headerText } from './fields/texts.ts';
import { limits } from './limits.ts';

const c = initContract();

/** Returns a download link for examples. */
export function exampleLink(token: string): string {
  return new URL(`/files/${token}`, brand.defaults.baseUrl).href;
}

/** A file of a message, with a fresh link to its bytes. */
export const Attachment = z
  .object({
    id: idField('attachment', 'The attachment.'),
    filename: z.string().meta(about('The file name, without folders.', 'invoice.pdf')),
    mime_type: z.string().meta(about('The media type that the sender declared.', 'application/pdf')),
    size_bytes: z.int().min(0).meta(about('The decoded size in bytes.', 48_213)),
    content_id: z
      .string()
      .nullable()
      .meta(about('The Content-ID without brackets, as used in `cid:` links in HTML.', 'logo@example.com')),
    inline: z
      .boolean()
      .meta(about('Whether the file is shown within the text rather than as an attachment.', false)),
    url: z
      .string()
      .meta(
        about(
          'A download link that needs no key and works for 15 minutes; `Range` requests are supported.',
          exampleLink('k1.eyJhIjoiYXR0XzAxbTd5In0.3vYw1f8L'),
        ),
      ),
    expires_at: timestamp('When the link expires.'),
  })
  .meta({ id: 'Attachment', description: 'A file of a message, with a fresh download link.' });
export type Attachment = z.infer<typeof Attachment>;

const mediaType = /^(?!multipart\/)[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*(?:;[ -~]*)?$/i;
const contentId = /^(?:<[^\s<>]+>|[^\s<>]+)$/;

/**
 * Returns whether a text is base64 (RFC 4648, section 4) with padding. Line breaks are allowed, because the command `base64` prints them.
 * The patterns have no groups, because one with groups overflows on megabytes.
 */
export function isBase64(text: string): boolean {
  const bare = /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, '') : text;
  const padding = bare.endsWith('==') ? 2 : bare.endsWith('=') ? 1 : 0;
  return bare.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(bare.slice(0, bare.length - padding));
}

/** A file in the body of a request. */
export const AttachmentInput = z
  .strictObject({
    filename: headerText(1, limits.filenameCharactersMax).meta(
      about('The file name, without folders.', 'invoice.pdf'),
    ),
    content_type: headerText(1, 255)
      .regex(mediaType, { error: 'must be a media type like application/pdf, and not a multipart one' })
      .optional()
      .meta(about('The media type; by default, it is guessed from the file name.', 'application/pdf')),
    content_base64: z
      .string()
      .refine(isBase64, { error: 'must be base64 with padding (no data: URL, no base64url)' })
      .meta({ ...about('The content in base64.', 'SGVsbG8sIHdvcmxkIQ=='), contentEncoding: 'base64' }),
    content_id: headerText(1, 255)
      .regex(contentId, { error: 'must not contain spaces' })
      .overwrite((text) => text.replace(/^<|>$/g, ''))
      .optional()
      .meta(about('The Content-ID. The HTML body can show the file with `<img src="cid:logo">`.', 'logo')),
  })
  .meta({ id: 'AttachmentInput', description: 'A file to send.' });
export type AttachmentInput = z.infer<typeof AttachmentInput>;

/** The files of a request. The server checks their total size, and responds with `attachment_too_large` if it is over the limit. */
export const AttachmentInputs = z
  .array(AttachmentInput)
  .max(limits.attachmentsMax, { error: `must be at most ${limits.attachmentsMax} attachments` });

/** Metadata of routes that take attachments, and therefore larger bodies. */
export const takesAttachments = { takesAttachments: true } as const;

/** Metadata of a route whose body has the texts of a message and no files. */
export const takesTexts = { takesTexts: true } as const;

/** Routes of attachments. */
export const attachments = c.router({
  get: {
    method: 'GET',
    path: '/attachments/:id',
    summary: 'Get an attachment with a fresh link',
    description: 'Returns the attachment with a download link that works for 15 minutes.',
    pathParams: pathId('attachment', 'The attachment.'),
    responses: { 200: Attachment, ...answers() },
  },
});
