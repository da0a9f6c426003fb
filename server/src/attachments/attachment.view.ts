import { type Attachment, limits } from '@postrider/contract';
import type { Selectable } from 'kysely';
import type { Tables } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { signFileUrl } from '../files/signed-url.ts';

/** An attachment as a row. */
export type AttachmentRow = Selectable<Tables['attachments']>;

/** What signing a download link takes. */
export type LinkDeps = Pick<Deps, 'keys' | 'filesUrl' | 'clock' | 'timeScale'>;

/** What is shown of a file, whether it is a message's or a draft's. */
export type ShownFile = Omit<AttachmentRow, 'inbox_id' | 'message_id' | 'position'>;

/** An attachment as the API shows it, with a fresh download link. */
export const viewAttachment = (deps: LinkDeps, row: ShownFile): Attachment => {
  const expiresAt = linkExpiry(deps);
  return {
    id: row.id,
    filename: row.filename,
    mime_type: row.mime_type,
    size_bytes: row.size_bytes,
    content_id: row.content_id,
    inline: row.inline,
    url: signFileUrl(deps.filesUrl, deps.keys, { workspaceId: row.workspace_id, fileId: row.id, expiresAt }),
    expires_at: expiresAt.toISOString(),
  };
};

/** When a link that is made now stops working. */
export const linkExpiry = (deps: LinkDeps): Date =>
  deps.timeScale.after(deps.clock.now(), limits.downloadLinkMs);
