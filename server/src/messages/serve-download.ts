import type { Request, Response } from 'express';
import type { AttachmentRow } from '../attachments/attachment.view.ts';
import { correctSize, SizeCorrected } from '../attachments/correct-size.ts';
import { type DraftFileRow, openDraftFile } from '../attachments/draft-files.ts';
import { getAttachment } from '../attachments/find-attachment.ts';
import { downloadsOf, onBehalfOf } from '../db/fair-connections.ts';
import { requireNoTransaction } from '../db/transaction-guard.ts';
import type { Deps } from '../deps.ts';
import type { ByteRange, OpenedFile } from '../files/files.ts';
import { type ServedFile, serveFile } from '../files/serve-file.ts';
import { type FileGrant, verifyFileToken } from '../files/signed-url.ts';
import { notFound } from '../lib/api-error.ts';
import { isId } from '../lib/ids.ts';
import { getMessage } from './find-message.ts';
import { openOriginal } from './originals.ts';
import { attachmentKey, readAttachments } from './raw-source.ts';

/**
 * Answers `/files/<token>`: the attachment or the original that the signed link grants, in whole or a range of it.
 *
 * @throws ApiError `not_found` for a link that is tampered with or expired, or once the inbox is gone, `rate_limited` where too much
 *   of the workspace is being read.
 */
export const serveDownload = async (
  deps: Deps,
  req: Request<{ token: string }>,
  res: Response,
): Promise<void> => {
  const grant = verifyFileToken(req.params.token, [deps.keys], deps.clock.now());
  if (!grant) throw notFound(null);
  const served = await onBehalfOf(downloadsOf(grant.workspaceId), () => serve(deps, grant, req, res));
  if (!served) throw notFound(null);
};

/** Answers the file; false where there is none. */
const serve = async (deps: Deps, grant: FileGrant, req: Request, res: Response): Promise<boolean> => {
  const ctx = { ...deps, workspaceId: grant.workspaceId };
  const file = isId('att', grant.fileId)
    ? downloadOfFile(deps, await getAttachment(ctx, grant.fileId, null))
    : downloadOfRaw(deps, await getMessage(ctx, grant.fileId, null));
  const request = { method: req.method, rangeHeader: req.headers.range, ifRangeHeader: req.get('if-range') };
  return serveFile(res, { ...file, ...request }).catch((error: unknown) => {
    if (!(error instanceof SizeCorrected)) throw error;
    return serve(deps, grant, req, res);
  });
};

type Download = Pick<ServedFile, 'open' | 'sizeBytes' | 'filename' | 'contentType' | 'etag'>;

const downloadOfRaw = (
  deps: Deps,
  message: { workspace_id: string; inbox_id: string; id: string; size_bytes: number },
): Download => ({
  open: (range) => openOriginal(deps, message, range),
  sizeBytes: message.size_bytes,
  filename: `${message.id}.eml`,
  contentType: 'message/rfc822',
  etag: `"${message.id}"`,
});

const downloadOfFile = (deps: Deps, row: AttachmentRow | DraftFileRow): Download => ({
  open: (range) => ('draft_id' in row ? openDraftFile(deps, row, range) : openAttachment(deps, row, range)),
  sizeBytes: row.size_bytes,
  filename: row.filename,
  contentType: row.mime_type,
  etag: `"${row.id}"`,
});

/**
 * The bytes of an attachment are taken out of the original when they are first asked for, and whenever they are missing. That takes
 * the memory of the whole mail, so the workspace's turn is waited for as with any read of messages.
 */
const openAttachment = async (
  deps: Deps,
  row: AttachmentRow,
  range?: ByteRange,
): Promise<OpenedFile | null> => {
  const key = attachmentKey(row);
  const kept = await deps.files.open(key, range);
  if (kept) return kept;
  await deriveOnce(deps, row, key);
  return deps.files.open(key, range);
};

const underway = new Map<string, Promise<void>>();

/** However many ask for it at once, the bytes of an attachment are derived once. */
const deriveOnce = (deps: Deps, row: AttachmentRow, key: string): Promise<void> => {
  const begun = underway.get(key);
  if (begun) return begun;
  const derived = deps.readTurns
    .run(row.workspace_id, () => derive(deps, row, key))
    .finally(() => underway.delete(key));
  underway.set(key, derived);
  return derived;
};

const derive = async (deps: Deps, row: AttachmentRow, key: string): Promise<void> => {
  requireNoTransaction('Reading files');
  const message = { workspace_id: row.workspace_id, inbox_id: row.inbox_id, id: row.message_id };
  const file = (await readAttachments(deps, message))[row.position];
  if (!file) throw notFound(null);
  const { content } = file;
  const isCorrected = content.length !== row.size_bytes;
  if (isCorrected) await correctSize({ ...deps, workspaceId: row.workspace_id }, row, content.length);
  await deps.files.put(key, content);
  if (isCorrected) throw new SizeCorrected();
};
