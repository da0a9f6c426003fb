/* The messages that wait for the approval of people, and the decisions about them. */
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { NextCursor, pageQuery } from '../fields/scalars.ts';
import { Message } from '../message.ts';
import { RawMessage } from '../messages.ts';
import { problems } from './errors.ts';
import { byId, SearchedText, time } from './fields.ts';

const c = initContract();

/** `held` until people decide. An approval that nobody decided about in 72 hours is `expired`. */
export const ApprovalState = z.enum(['held', 'approved', 'refused', 'expired']);
export type ApprovalState = z.infer<typeof ApprovalState>;

const named = z.object({ id: z.string(), name: z.string() });

/** A message that waits or waited for approval, as a row of a list. */
export const ApprovalSummary = z.object({
  message_id: z.string(),
  thread_id: z.string(),
  inbox_id: z.string(),
  inbox_address: z.string(),
  to: z.array(z.string()),
  cc: z.array(z.string()),
  bcc: z.array(z.string()),
  subject: z.string(),
  snippet: z.string(),
  /** How many files are attached. */
  attachments: z.int(),
  held_at: time(),
  expires_at: time(),
  state: ApprovalState,
  /** The SHA-256 of what goes out: the bytes and the recipients. A decision names it. */
  content_hash: z.string(),
  /** The key that sent it; null if a person sent what a key had drafted. */
  key: named.nullable(),
  decided_at: time().nullable(),
  /** Null for the operator, and if nobody has decided. */
  decided_by: named.nullable(),
  /** Why it was refused. */
  reason: z.string().nullable(),
});
export type ApprovalSummary = z.infer<typeof ApprovalSummary>;

/** What this inbox knows about a recipient from mail that it received. */
export const Correspondent = z.object({
  address: z.string(),
  /** Whether the inbox received mail with this address in From. Anybody can write that. */
  wrote_before: z.boolean(),
  /** Whether some of that mail passed DMARC, or came from an inbox of this server. */
  proven: z.boolean(),
  /** The domain for which the newest proven mail was written. */
  verified_domain: z.string().nullable(),
  last_wrote_at: time().nullable(),
  /** Whether the inbox has neither received mail from the address nor sent any to it. */
  is_new: z.boolean(),
  /** The From of the message that is answered, if its Reply-To named this recipient instead: the reply goes to somebody else than the writer. */
  reply_to_of: z.string().nullable(),
});
export type Correspondent = z.infer<typeof Correspondent>;

/** All that people see before they decide. */
export const Approval = ApprovalSummary.extend({
  message: Message,
  /** The mail that would go out, byte for byte. */
  raw: RawMessage,
  /** The header fields of that mail, in their order. Encoded words are decoded. */
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** The SHA-256 of each attachment, in the order of `message.attachments`. */
  attachment_hashes: z.array(z.string()),
  /** The message that it answers, with its texts cut at 64 KiB; null for a new conversation, or if it is gone. */
  answers: Message.nullable(),
  correspondents: z.array(Correspondent),
});
export type Approval = z.infer<typeof Approval>;

/** Routes of approvals. */
export const approvals = c.router({
  list: {
    method: 'GET',
    path: '/approvals',
    query: z.strictObject({
      ...pageQuery,
      state: ApprovalState.optional(),
      inbox_id: SearchedText,
    }),
    responses: {
      200: z.object({ approvals: z.array(ApprovalSummary), next_cursor: NextCursor }),
      ...problems,
    },
  },
  /** The id is that of the message. */
  get: {
    method: 'GET',
    path: '/approvals/:id',
    pathParams: byId,
    responses: { 200: Approval, ...problems },
  },
});
