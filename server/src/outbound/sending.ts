import type { Metadata } from '@postrider/contract';
import type { OutgoingAttachment } from '../mail/compose/compose-attachment.ts';
import type { Controls } from '../policies/controls.ts';
import type { Deliverable, OutgoingRecipient } from './allow-recipients.ts';
import type { SenderRequest, SendingInbox } from './find-sender.ts';
import type { DraftClaim } from './store-send.ts';

/** A message that a caller wants sent. New messages, replies, forwards and drafts differ in nothing else. */
export interface SendRequest extends SenderRequest {
  /** Writes the message. Called once it is known that it was not sent before, and that the inbox may send. */
  write(inbox: SendingInbox): Outgoing | Promise<Outgoing>;
  /** The draft that becomes the message. */
  draft?: DraftClaim;
}

/** The fields by which a message names those before it. */
export interface ThreadingHeaders {
  inReplyTo: string | null;
  references: string[];
  threadIndex: string | null;
}

/** A message as its sender wrote it. */
export interface Outgoing extends ThreadingHeaders {
  recipients: OutgoingRecipient[];
  replyTo: string | null;
  subject: string;
  text: string | null;
  html: string | null;
  headers: Record<string, string>;
  metadata: Metadata;
  /** The thread of the message; null to find it by the ids that the message names. */
  threadId: string | null;
  /** Returns the files, and is called once the message will be sent. Null if it has none. */
  attachments: (() => Promise<OutgoingAttachment[]>) | null;
}

/** A message without any limit. */
export interface Sending extends Deliverable {
  request: SenderRequest & Pick<SendRequest, 'draft'>;
  inbox: SendingInbox;
  controls: Controls;
  outgoing: Outgoing;
}
