import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, sep } from 'node:path';
import { AttachmentInput, limits } from '@postrider/contract';
import type { AttachmentInput as SentFile } from 'postrider';
import * as z from 'zod';
import type { CallContext } from '../context.ts';
import { ToolError } from '../tool-error.ts';

const plain = { description: undefined };
const { filename, content_type, content_base64 } = AttachmentInput.shape;

/** A file to send: its content, a file of a received mail, or a file of this machine. */
export const FileInput = z.strictObject({
  filename: filename.optional().meta(plain),
  content_type: content_type.meta(plain),
  content_base64: content_base64.optional().meta(plain),
  text: z.string().optional(),
  attachment_id: z.string().optional(),
  /** The mail that has the attachment, where some inboxes only may be used. */
  message_id: z.string().optional(),
  path: z.string().optional(),
});
type FileInput = z.infer<typeof FileInput>;

/** The files of a tool that sends. */
export const FileInputs = z.array(FileInput).max(limits.attachmentsMax).optional().meta({
  description:
    'Each {filename, text or content_base64}, {attachment_id} of a received file, or {path} in the shared folder.',
});

/** Returns the files as the API takes them. */
export function readFiles(ctx: CallContext, files: FileInput[] | undefined): Promise<SentFile[]> {
  return Promise.all((files ?? []).map((file, at) => readOne(ctx, file, `attachments.${at}`)));
}

async function readOne(ctx: CallContext, file: FileInput, at: string): Promise<SentFile> {
  const given = [file.content_base64, file.text, file.attachment_id, file.path];
  if (given.filter((one) => one !== undefined).length !== 1)
    throw invalid(`${at}: give one of content_base64, text, attachment_id and path.`);
  const source = await readSource(ctx, file, at);
  const name = file.filename ?? source.filename;
  if (name === undefined) throw invalid(`${at}.filename: is needed with content.`);
  const type = file.content_type ?? source.content_type;
  return { filename: name, content_base64: source.base64, ...(type !== undefined && { content_type: type }) };
}

interface Source {
  base64: string;
  filename?: string;
  content_type?: string;
}

async function readSource(ctx: CallContext, file: FileInput, at: string): Promise<Source> {
  if (file.text !== undefined) return { base64: Buffer.from(file.text).toString('base64') };
  if (file.path !== undefined) return readPath(ctx.settings.attachments, file.path, at);
  if (file.attachment_id === undefined) return { base64: file.content_base64 ?? '' };
  const { client, signal } = ctx;
  await checkOwner(ctx, file, at);
  const found = await client.attachments.get(file.attachment_id, { signal });
  checkSize(found.size_bytes, at);
  const bytes = await client.attachments.download(found, { signal });
  return {
    base64: Buffer.from(bytes).toString('base64'),
    filename: found.filename,
    content_type: found.mime_type,
  };
}

/** A file does not say which inbox it is in. */
async function checkOwner(
  { client, scope, signal }: CallContext,
  file: FileInput,
  at: string,
): Promise<void> {
  if ((await scope.ids()) === null) return;
  if (file.message_id === undefined)
    throw invalid(`${at}.message_id: is needed, because you may use some inboxes only.`);
  const message = await client.messages.get(file.message_id, { signal });
  await scope.check(message.inbox_id, 'message');
  if (!message.attachments.some(({ id }) => id === file.attachment_id))
    throw invalid(`${at}.attachment_id: is no file of ${file.message_id}.`);
}

/** A link in the folder must not lead out of it. */
async function readPath(folder: string | null, path: string, at: string): Promise<Source> {
  if (folder === null) throw invalid(`${at}.path: this server shares no folder.`);
  const [root, file] = await Promise.all([
    realpath(folder),
    realpath(isAbsolute(path) ? path : join(folder, path)).catch(() => null),
  ]);
  if (file === null || !file.startsWith(root + sep))
    throw invalid(`${at}.path: is no file in the shared folder.`);
  const found = await stat(file);
  if (!found.isFile()) throw invalid(`${at}.path: is no file.`);
  checkSize(found.size, at);
  return { base64: (await readFile(file)).toString('base64'), filename: basename(file) };
}

function checkSize(bytes: number, at: string): void {
  if (bytes <= limits.attachmentBytesMax) return;
  throw new ToolError(
    'attachment_too_large',
    `${at}: has ${bytes} bytes, and all files together may have ${limits.attachmentBytesMax}.`,
    'Leave it out, or send a link. Nothing was sent.',
  );
}

function invalid(message: string): ToolError {
  return new ToolError(
    'invalid_request',
    message,
    'Correct the arguments, then call again. Nothing was sent.',
  );
}
