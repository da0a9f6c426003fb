import { PostriderError } from '../errors.ts';
import type { AttachmentInput } from '../generated/types.ts';

interface AttachmentFields {
  /** The file name. Default: that of the path or of the `File`. */
  filename?: string | undefined;
  /** The media type. Default: that of the `Blob`, or else guessed from the name. */
  content_type?: string | undefined;
  /** The Content-ID, by which HTML refers to the file (RFC 2392): `<img src="cid:logo">`. */
  content_id?: string | undefined;
}

/** A file to send, as bytes. A `File` has a name; other bytes need a `filename`. */
export interface AttachmentContent extends AttachmentFields {
  content: Uint8Array | ArrayBuffer | Blob;
}

/** A file to send from the disk, in Node.js, Bun and Deno. */
export interface AttachmentPath extends AttachmentFields {
  path: string;
}

/** A file to send: from the disk, as bytes, or in Base64 as the API takes it. */
export type AttachmentSource = AttachmentPath | AttachmentContent | AttachmentInput;

/** The fields of a request, with files in any form that this client can read. */
export type WithFiles<Request> = Omit<Request, 'attachments'> & {
  /** Files, at most 7 MB in total: `{ path }`, `{ content, filename }`, or Base64. */
  attachments?: AttachmentSource[] | undefined;
};

/** Reads the files and returns them in the form that the API takes. */
export function encodeAttachments(sources: readonly AttachmentSource[]): Promise<AttachmentInput[]> {
  return Promise.all(sources.map(encodeAttachment));
}

async function encodeAttachment(source: AttachmentSource, index: number): Promise<AttachmentInput> {
  if ('content_base64' in source) return source;
  const isPath = 'path' in source;
  const { path, content, ...fields } = { path: '', content: null, ...source };
  const bytes = isPath ? await readFile(path, index) : await readBytes(content, index);
  const filename = fields.filename ?? (isPath ? lastPart(path) : findName(content));
  if (filename === undefined) {
    throw new PostriderError(`attachments[${index}] needs a filename: only files and paths have their own.`);
  }
  const type =
    fields.content_type ?? (content instanceof Blob && content.type !== '' ? content.type : undefined);
  return { ...fields, filename, content_type: type, content_base64: toBase64(bytes) };
}

async function readBytes(content: unknown, index: number): Promise<Uint8Array> {
  if (content instanceof Uint8Array) return content;
  if (content instanceof Blob) return new Uint8Array(await content.arrayBuffer());
  if (content instanceof ArrayBuffer) return new Uint8Array(content);
  throw new PostriderError(
    `attachments[${index}] needs { path }, { content_base64 }, or a content that is a Buffer, Uint8Array, ArrayBuffer or Blob.`,
  );
}

function findName(content: unknown): string | undefined {
  return content instanceof Blob && 'name' in content && typeof content.name === 'string'
    ? content.name
    : undefined;
}

function lastPart(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

async function readFile(path: string, index: number): Promise<Uint8Array> {
  // An import would make bundlers for browsers fail, because they do not have the module.
  const files = globalThis.process?.getBuiltinModule?.('node:fs/promises');
  if (files === undefined) {
    throw new PostriderError(
      `attachments[${index}] has a path, but there is no file system here. Pass its content.`,
    );
  }
  try {
    return await files.readFile(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PostriderError(`attachments[${index}] cannot be read: ${reason}`, { cause });
  }
}

// `String.fromCharCode` takes the bytes as arguments, whose number is limited.
const chunkBytes = 0x8000;

function toBase64(bytes: Uint8Array): string {
  if (typeof Buffer === 'function') {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  }
  let binary = '';
  for (let start = 0; start < bytes.length; start += chunkBytes) {
    binary += String.fromCharCode(...bytes.subarray(start, start + chunkBytes));
  }
  return btoa(binary);
}
