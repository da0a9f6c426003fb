import type { AttachmentInput } from '@postrider/contract';
import { sha256 } from '../lib/crypto/sha256.ts';
import { parseMailbox } from '../lib/email-address.ts';

/** The requests that take a `client_id`, and the field by which each names what it acts on. */
type Action = 'send' | 'reply' | 'forward' | 'draft';

/** A validated request. The fields that are named here have more than one spelling. */
interface Request {
  client_id?: string | undefined;
  force?: boolean | undefined;
  include_attachments?: boolean | undefined;
  to?: string[] | undefined;
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
  reply_to?: string | undefined;
  attachments?: AttachmentInput[] | undefined;
}

/**
 * Returns a hash of what a validated request asks for, by which a repeat of its `client_id` is compared. It is the same in any order of
 * fields, for any spelling of an address, and whether a default is given or left out. Files count by their bytes.
 */
export function hashRequest(action: Action, targetId: string, request: Request): Buffer {
  const {
    client_id: _,
    force: __,
    include_attachments,
    to,
    cc,
    bcc,
    reply_to,
    attachments,
    ...rest
  } = request;
  const asked = {
    ...rest,
    to: to?.map(readMailbox),
    cc: cc?.map(readMailbox),
    bcc: bcc?.map(readMailbox),
    reply_to: reply_to === undefined ? undefined : readMailbox(reply_to),
    without_files: include_attachments === false,
    attachments: attachments?.map(({ content_base64, ...file }) => ({
      ...file,
      bytes: sha256(Buffer.from(content_base64, 'base64')).toString('hex'),
    })),
  };
  return sha256(JSON.stringify([action, targetId, inOrder(asked)]));
}

/** Local parts keep their case, because the servers of others may distinguish it. */
function readMailbox(text: string): unknown {
  const mailbox = parseMailbox(text);
  return mailbox ? [mailbox.name, mailbox.address] : text;
}

/** Returns a value with the fields of objects in one order, without those that ask for nothing. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, field]) => !asksForNothing(field))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => [name, inOrder(field)]);
}

function asksForNothing(field: unknown): boolean {
  if (field === undefined || field === null || field === false) return true;
  return typeof field === 'object' && Object.keys(field).length === 0;
}
