import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, sep } from 'node:path';
import { AttachmentInput, limits } from '@postrider/contract';
import { NotFoundError, type AttachmentInput as SentFile } from 'postrider';
import * as z from 'zod';
import type { CallContext } from '../context.ts';
import { ToolError } from '../tool-error.ts';

const plain = { description: undefined };
const { filename, content_type, content_base64 } = AttachmentInput.shape;

/** A file to send: its content, a file of a received mail, or a file on this machine. */
export const FileInput = z.strictObject({
  filename: filename.optional().meta(plain),
  content_type: content_type.meta(plain),
  content_base64: content_base64.optional().meta(plain),
  text: z.string().optional(),
  attachment_id: z.string().optional(),
  /** The mail that has the attachment, if only some inboxes can be used. */
  message_id: z.string().optional(),
  path: z.string().optional(),
});
type FileInput = z.infer<typeof FileInput>;

/** The files of a tool that sends. */
export const FileInputs = z.array(FileInput).max(limits.attachmentsMax).optional().meta({
  description:
    'Each is {filename, text or content_base64}, {attachment_id} of a received file, or {path} in the shared folder.',
});

/** Returns the files as the API takes them. They are read one at a time, up to the limit of a mail. */
export async function readFiles(ctx: CallContext, files: FileInput[] | undefined): Promise<SentFile[]> {
  const read: SentFile[] = [];
  let left: number = limits.attachmentBytesMax;
  for (const [at, file] of (files ?? []).entries()) {
    const one = await readOne(ctx, file, `attachments.${at}`, left);
    left -= Buffer.byteLength(one.content_base64, 'base64');
    read.push(one);
  }
  return read;
}

async function readOne(ctx: CallContext, file: FileInput, at: string, left: number): Promise<SentFile> {
  const given = [file.content_base64, file.text, file.attachment_id, file.path];
  if (given.filter((one) => one !== undefined).length !== 1)
    throw invalid(`${at}: give one of content_base64, text, attachment_id and path.`);
  const source = await readSource(ctx, file, at, left);
  const name = file.filename ?? source.filename;
  if (name === undefined) throw invalid(`${at}.filename: is required with content.`);
  const type = file.content_type ?? source.content_type;
  return {
    filename: name,
    content_base64: source.base64,
    ...(type !== undefined && { content_type: type }),
  };
}

interface Source {
  base64: string;
  filename?: string;
  content_type?: string;
}

async function readSource(ctx: CallContext, file: FileInput, at: string, left: number): Promise<Source> {
  if (file.text !== undefined) return { base64: Buffer.from(file.text).toString('base64') };
  if (file.path !== undefined) return readPath(ctx.settings.attachments, file.path, { at, left });
  if (file.attachment_id === undefined) return { base64: file.content_base64 ?? '' };
  const { client, signal } = ctx;
  await checkOwner(ctx, file, at);
  const found = await client.attachments.get(file.attachment_id, { signal }).catch((error: unknown) => {
    throw error instanceof NotFoundError ? invalid(`${at}.attachment_id: there is no such file.`) : error;
  });
  checkSize(found.size_bytes, at, left);
  const bytes = await client.attachments.download(found, { signal });
  return {
    base64: Buffer.from(bytes).toString('base64'),
    filename: found.filename,
    ...(isType(found.mime_type) && { content_type: found.mime_type }),
  };
}

/** Received files can have types that a sender cannot set. */
function isType(type: string): boolean {
  return content_type.safeParse(type).success;
}

/** A file does not say which inbox it is in. */
async function checkOwner(
  { client, scope, signal }: CallContext,
  file: FileInput,
  at: string,
): Promise<void> {
  if ((await scope.ids()) === null) return;
  if (file.message_id === undefined)
    throw invalid(`${at}.message_id: is required, because you can use only some inboxes.`);
  const message = await client.messages.get(file.message_id, { signal });
  await scope.check(message.inbox_id, 'message');
  if (!message.attachments.some(({ id }) => id === file.attachment_id))
    throw invalid(`${at}.attachment_id: is not a file of that mail.`);
}

/** A link in the folder must not lead out of it. */
async function readPath(
  folder: string | null,
  path: string,
  { at, left }: { at: string; left: number },
): Promise<Source> {
  if (folder === null) throw invalid(`${at}.path: this server shares no folder.`);
  const [root, file] = await Promise.all([
    realpath(folder),
    realpath(isAbsolute(path) ? path : join(folder, path)).catch(() => null),
  ]);
  if (file === null || !file.startsWith(root + sep))
    throw invalid(`${at}.path: is not in the shared folder.`);
  const found = await stat(file);
  if (!found.isFile()) throw invalid(`${at}.path: is not a file.`);
  checkSize(found.size, at, left);
  return { base64: (await readFile(file)).toString('base64'), filename: basename(file) };
}

function checkSize(bytes: number, at: string, left: number): void {
  if (bytes <= left) return;
  throw new ToolError(
    'attachment_too_large',
    `${at}: is too large. All files together can have at most ${limits.attachmentBytesMax} bytes.`,
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
