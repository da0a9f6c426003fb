import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { create as createContentDisposition } from 'content-disposition';
import { downloadFilename } from '../lib/texts.ts';
import type { ByteRange, OpenedFile } from './files.ts';

/** A file for the response to a GET or HEAD, and the details of the request. */
export interface ServedFile {
  open(range?: ByteRange): Promise<OpenedFile | null>;
  sizeBytes: number;
  filename: string;
  contentType: string;
  method: string;
  rangeHeader?: string | undefined;
  /** A strong validator with its quotes, such as `"att_…"`, by which browsers can resume a download. */
  etag?: string | undefined;
  ifRangeHeader?: string | undefined;
}

const contentTypePattern = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/;

/**
 * Responds with a stored file as a download that no browser runs or sniffs: 200, 206 for a single range, or 416. Returns false, with
 * nothing sent, if there is no such file. Resolves when the response or the client has ended. Rejects if the file cannot be read, either
 * before anything was sent or after the connection was cut in the middle.
 */
export async function serveFile(response: ServerResponse, file: ServedFile): Promise<boolean> {
  const range = wantedRange(file);
  if (range === 'unsatisfiable') {
    refuseRange(response, file.sizeBytes);
    return true;
  }
  const opened = await file.open(range ?? undefined);
  if (opened === null) return false;
  const { stream } = opened;
  const lengthBytes = range === null ? file.sizeBytes : range.end - range.start + 1;
  if (opened.sizeBytes !== file.sizeBytes) {
    stream.destroy();
    throw new Error(`A stored file has ${opened.sizeBytes} bytes instead of ${file.sizeBytes}.`);
  }
  writeHeaders(response, file, range, lengthBytes);
  if (file.method === 'HEAD') {
    stream.destroy();
    response.end();
    return true;
  }
  await send(stream, lengthBytes, response);
  return true;
}

/** Returns the range to send. It is ignored for HEAD, and if `If-Range` names another version of the file (RFC 9110, section 13.1.5). */
function wantedRange({ method, rangeHeader, ifRangeHeader, etag, sizeBytes }: ServedFile) {
  const isCurrent = ifRangeHeader === undefined || (etag !== undefined && ifRangeHeader.trim() === etag);
  return method === 'HEAD' || !isCurrent ? null : parseRange(rangeHeader, sizeBytes);
}

function writeHeaders(
  response: ServerResponse,
  file: ServedFile,
  range: ByteRange | null,
  lengthBytes: number,
): void {
  response.statusCode = range === null ? 200 : 206;
  response.setHeader('content-type', safeContentType(file.contentType));
  response.setHeader('content-length', lengthBytes);
  response.setHeader('content-disposition', createContentDisposition(downloadFilename(file.filename)));
  response.setHeader('accept-ranges', 'bytes');
  if (range !== null)
    response.setHeader('content-range', `bytes ${range.start}-${range.end}/${file.sizeBytes}`);
  if (file.etag !== undefined) response.setHeader('etag', file.etag);
  harden(response);
}

/** Files that came by mail are hostile. They are never shown in our origin, whatever type they claim to have, and never kept by a cache. */
function harden(response: ServerResponse): void {
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('content-security-policy', "sandbox; default-src 'none'");
  response.setHeader('cache-control', 'private, no-store');
  response.setHeader('referrer-policy', 'no-referrer');
}

function safeContentType(contentType: string): string {
  return contentTypePattern.test(contentType) ? contentType.toLowerCase() : 'application/octet-stream';
}

function refuseRange(response: ServerResponse, sizeBytes: number): void {
  const requestId = response.getHeader('x-request-id');
  const body = JSON.stringify({
    error: 'range_not_satisfiable',
    message: `Ask for bytes within the ${sizeBytes} bytes of the file.`,
    ...(typeof requestId === 'string' && { request_id: requestId }),
  });
  response.statusCode = 416;
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.setHeader('content-length', Buffer.byteLength(body));
  response.setHeader('content-range', `bytes */${sizeBytes}`);
  harden(response);
  response.end(body);
}

async function send(stream: Readable, lengthBytes: number, response: ServerResponse): Promise<void> {
  let fileFailed = false;
  // If the client leaves, the response is closed first, and this ends the reading. That is not a failure of the file.
  const noteFailure = () => {
    fileFailed ||= !response.destroyed;
  };
  async function* body(source: Readable): AsyncGenerator<Uint8Array> {
    try {
      yield* exactly(source, lengthBytes);
    } catch (error) {
      noteFailure();
      throw error;
    }
  }
  stream.once('error', noteFailure);
  try {
    await pipeline(stream, body, response);
  } catch (error) {
    if (fileFailed) throw error;
  }
}

/** Throws if the file does not have the promised length. One that ends early would leave the client waiting for the rest. */
async function* exactly(source: Readable, lengthBytes: number): AsyncGenerator<Uint8Array> {
  let leftBytes = lengthBytes;
  for await (const chunk of source) {
    leftBytes -= chunk.length;
    if (leftBytes < 0) break;
    yield chunk;
  }
  if (leftBytes !== 0) throw new Error('A stored file has another length than it was opened with.');
}

/**
 * Returns the part of a file that a `Range` header requests (RFC 9110, section 14). Null means the whole file, also if the header is
 * malformed, of another unit, or of several ranges. `unsatisfiable` means that the file has no byte of it.
 */
export function parseRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | 'unsatisfiable' | null {
  const [, first, last] = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return null;
  if (first === '') {
    const suffix = Math.min(Number(last), sizeBytes);
    return suffix === 0 ? 'unsatisfiable' : { start: sizeBytes - suffix, end: sizeBytes - 1 };
  }
  const start = Number(first);
  if (last !== '' && Number(last) < start) return null;
  if (start >= sizeBytes) return 'unsatisfiable';
  return { start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) };
}
