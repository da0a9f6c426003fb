import type { Selectable } from 'kysely';
import type { Tables } from '../../db/tables.ts';
import type { NewEvent } from '../../events/write-log.ts';
import { newId } from '../../lib/ids.ts';
import type { ParsedAttachment } from '../../mail/parse/parsed-mail.ts';

/** A message as a row. */
export type MessageRow = Selectable<Tables['messages']>;

/** A message to be stored: the row without the columns that the database fills. It has no `traceparent` unless there are traces. */
export type NewMessage = Omit<MessageRow, 'thread_id' | 'terms' | 'traceparent'> &
  Partial<Pick<MessageRow, 'traceparent'>>;

/** Returns the number of bytes in all bodies of a message. */
export function bodyBytes({ body_text, body_html, extracted_text }: NewMessage): number {
  return [body_text, body_html, extracted_text].reduce((sum, body) => sum + Buffer.byteLength(body ?? ''), 0);
}

/** A recipient that is stored with an outbound message. */
export type NewRecipient = Selectable<Tables['message_recipients']>;

/** A file that is stored with a message. */
export type NewAttachment = Selectable<Tables['attachments']>;

/** Returns the row of a file. Its bytes are found again in the original by `position`. */
export function createAttachmentRow(
  file: ParsedAttachment,
  position: number,
  message: NewMessage,
): NewAttachment {
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

/** One mail of either direction, with everything that is stored with it in one transaction. */
export interface MessageRecord {
  message: NewMessage;
  /** The Message-IDs by which other mail may name it. */
  ownIds: string[];
  /** The Message-IDs that it names, best first: In-Reply-To, then References from the right. */
  namedIds: string[];
  /** The thread of the message if the caller knows it; null to find it by `namedIds`. */
  threadId: string | null;
  newThreadId: string;
  participants: string[];
  recipients: NewRecipient[];
  attachments: NewAttachment[];
  usage: { kind: 'emails' | 'storage_bytes'; amount: number }[];
  events: NewEvent[];
  /** The client of a mail that is still to be parsed. */
  unparsed?: { remoteAddress: string | null; helo: string | null };
  client?: { clientId: string; requestHash?: Buffer | null; expiresAt: Date };
  fingerprint?: { hash: Buffer; expiresAt: Date };
}

/** The outcome of storing a record. `repeated` means that nothing was stored, and names the message that was stored first. */
export type StoreOutcome =
  | { outcome: 'stored'; messageId: string; threadId: string }
  | { outcome: 'repeated'; messageId: string }
  | { outcome: 'inbox_gone' };
