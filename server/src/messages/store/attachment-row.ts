import { newId } from '../../lib/ids.ts';
import type { ParsedAttachment } from '../../mail/parse/parsed-mail.ts';
import type { NewAttachment, NewMessage } from './message-record.ts';

/** Returns the row of a file. Its bytes are found again in the original by `position`. */
export function attachmentRow(file: ParsedAttachment, position: number, message: NewMessage): NewAttachment {
  return {
    workspace_id: message.workspace_id,
    id: newId('att', message.created_at),
    inbox_id: message.inbox_id,
    message_id: message.id,
    position,
    filename: file.filename,
    mime_type: file.mimeType,
    size_bytes: file.sizeBytes,
    content_id: file.contentId,
    inline: file.inline,
  };
}
