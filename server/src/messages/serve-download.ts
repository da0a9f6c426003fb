import type { Request, Response } from 'express';
import type { AttachmentRow } from '../attachments/attachment.view.ts';
import {
  correctSize,
  type DraftFileRow,
  getAttachment,
  openDraftFile,
  SizeCorrected,
} from '../attachments/find-attachment.ts';
import { requireNoTransaction } from '../db/connections.ts';
import { acrossWorkspaces } from '../db/scoped.ts';
import type { Deps } from '../deps.ts';
import type { ByteRange, OpenedFile } from '../files/files.ts';
import { type ServedFile, serveFile } from '../files/serve-file.ts';
import { type FileGrant, type TokenPurpose, verifyFileToken } from '../files/signed-url.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { perServer } from '../lib/memory.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { getMessage } from './find-message.ts';
import { attachmentKey, openOriginal, readAttachments } from './originals.ts';

/**
 * Responds to `/files/<token>` with the attachment or the original that the signed link grants, in whole or a range of it.
 *
 * @throws ApiError `not_found` as `requireGrant`, or once the inbox is gone, `rate_limited` if too much of the workspace is being read.
 */
export async function serveDownload(
  deps: Deps,
  req: Request<{ token: string }>,
  res: Response,
): Promise<void> {
  const served = await serve(deps, await requireGrant(deps, req.params.token), req, res);
  if (!served) throw notFound(null);
}

/**
 * Returns what a signed link grants. The links of a workspace end when it is deleted, which is before its files are removed.
 *
 * @throws ApiError `not_found` for a link that was tampered with or has expired, or whose workspace was deleted.
 */
export async function requireGrant(
  { db, keys, clock }: Pick<Deps, 'db' | 'keys' | 'clock'>,
  token: string,
  purpose?: TokenPurpose,
): Promise<FileGrant> {
  const grant = verifyFileToken(token, [keys], clock.now(), purpose);
  if (!grant) throw notFound(null);
  const workspace = await acrossWorkspaces({ db }, 'a link leads to its workspace')
    .selectFrom('workspaces')
    .select('id')
    .where('id', '=', grant.workspaceId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!workspace) throw notFound(null);
  return grant;
}

/** Responds with the file. Returns false if it does not exist. */
async function serve(deps: Deps, grant: FileGrant, req: Request, res: Response): Promise<boolean> {
  const ctx = { ...deps, workspaceId: grant.workspaceId, scope: wholeWorkspace };
  const file = isId('att', grant.fileId)
    ? downloadOfFile(deps, await getAttachment(ctx, grant.fileId, null))
    : downloadOfRaw(deps, await getMessage(ctx, grant.fileId, null));
  const request = { method: req.method, rangeHeader: req.headers.range, ifRangeHeader: req.get('if-range') };
  return serveFile(res, { ...file, ...request }).catch((error: unknown) => {
    if (!(error instanceof SizeCorrected)) throw error;
    return serve(deps, grant, req, res);
  });
}

type Download = Pick<ServedFile, 'open' | 'sizeBytes' | 'filename' | 'contentType' | 'etag'>;

function downloadOfRaw(
  deps: Deps,
  message: { workspace_id: string; inbox_id: string; id: string; size_bytes: number },
): Download {
  return {
    open: (range) => openOriginal(deps, message, range),
    sizeBytes: message.size_bytes,
    filename: `${message.id}.eml`,
    contentType: 'message/rfc822',
    etag: `"${message.id}"`,
  };
}

function downloadOfFile(deps: Deps, row: AttachmentRow | DraftFileRow): Download {
  return {
    open: (range) => ('draft_id' in row ? openDraftFile(deps, row, range) : openAttachment(deps, row, range)),
    sizeBytes: row.size_bytes,
    filename: row.filename,
    contentType: row.mime_type,
    etag: `"${row.id}"`,
  };
}

/**
 * Opens an attachment. Its bytes are extracted from the original when they are first requested, and whenever they are missing. That takes
 * the memory of the whole mail, so it waits for the workspace's turn like any read of messages.
 */
async function openAttachment(deps: Deps, row: AttachmentRow, range?: ByteRange): Promise<OpenedFile | null> {
  const key = attachmentKey(row);
  const kept = await deps.files.open(key, range);
  if (kept) return kept;
  await deriveOnce(deps, row, key);
  return deps.files.open(key, range);
}

const underwayOf = perServer(() => new Map<string, Promise<void>>());

/** Derives the bytes of an attachment once, for any number of requests at the same time. */
function deriveOnce(deps: Deps, row: AttachmentRow, key: string): Promise<void> {
  const underway = underwayOf(deps);
  const begun = underway.get(key);
  if (begun) return begun;
  const derived = deps.readLimiter
    .run(row.workspace_id, () => derive(deps, row, key))
    .finally(() => underway.delete(key));
  underway.set(key, derived);
  return derived;
}

async function derive(deps: Deps, row: AttachmentRow, key: string): Promise<void> {
  requireNoTransaction('Reading files');
  const message = { workspace_id: row.workspace_id, inbox_id: row.inbox_id, id: row.message_id };
  const file = (await readAttachments(deps, message))[row.position];
  if (!file) throw notFound(null);
  const { content } = file;
  const isCorrected = content.length !== row.size_bytes;
  if (isCorrected)
    await correctSize({ ...deps, workspaceId: row.workspace_id, scope: wholeWorkspace }, row, content.length);
  await deps.files.put(key, content);
  if (isCorrected) throw new SizeCorrected();
}
