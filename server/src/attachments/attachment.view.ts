import { type Attachment, limits } from '@postrider/contract';
import type { Selectable } from 'kysely';
import type { Tables } from '../db/tables.ts';
import type { Deps } from '../deps.ts';
import { signFileUrl } from '../files/signed-url.ts';

/** An attachment as a row. */
export type AttachmentRow = Selectable<Tables['attachments']>;

/** Everything that is needed to sign a download link. */
export type LinkDeps = Pick<Deps, 'keys' | 'address' | 'clock' | 'timeScale'>;

/** The fields of a file that are shown, for messages and drafts alike. */
export type ShownFile = Omit<AttachmentRow, 'inbox_id' | 'message_id' | 'position'>;

/** Returns an attachment as the API shows it, with a fresh download link. */
export function viewAttachment(deps: LinkDeps, row: ShownFile): Attachment {
  const expiresAt = linkExpiry(deps);
  return {
    id: row.id,
    filename: row.filename,
    mime_type: row.mime_type,
    size_bytes: row.size_bytes,
    content_id: row.content_id,
    inline: row.inline,
    url: signFileUrl(deps.address.filesUrl, deps.keys, {
      workspaceId: row.workspace_id,
      fileId: row.id,
      expiresAt,
    }),
    expires_at: expiresAt.toISOString(),
  };
}

/** Returns when a link that is created now expires. */
export function linkExpiry(deps: LinkDeps): Date {
  return deps.timeScale.after(deps.clock.now(), limits.downloadLinkMs);
}
