/* The messages that wait for the approval of people, and the decisions about them. */
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { DroppedRecipient } from '../fields/recipients.ts';
import { NextCursor, pageQuery } from '../fields/scalars.ts';
import { limits } from '../limits.ts';
import { Message } from '../message.ts';
import { RawMessage } from '../messages.ts';
import { problems } from './errors.ts';
import { byId, consoleLimits, nameField, SearchedText, time } from './fields.ts';

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
  /** The message that it replies to; null for a new conversation, or if it is gone. */
  answers: z
    .object({
      id: z.string(),
      from_addr: z.string(),
      from_name: z.string().nullable(),
      created_at: time(),
    })
    .nullable(),
  /** How many files are attached. */
  attachments: z.int(),
  held_at: time(),
  expires_at: time(),
  state: ApprovalState,
  /** The SHA-256 of what goes out: the bytes and the recipients. A decision names it. */
  content_hash: z.string(),
  /** The key that sent it; null if a person sent what a key had drafted. */
  key: named.nullable(),
  /** The key that wrote it as a draft, if somebody else sent it; otherwise null. */
  writer: named.nullable(),
  decided_at: time().nullable(),
  /** Null for the operator, and if nobody has decided. */
  decided_by: named.nullable(),
  /** Why it was refused. */
  reason: z.string().nullable(),
});
export type ApprovalSummary = z.infer<typeof ApprovalSummary>;

/** The history of a recipient, from mail that this inbox received. */
export const Correspondent = z.object({
  address: z.string(),
  /** The name of the recipient in the message; null if it gives none. */
  name: z.string().nullable(),
  /** Whether the inbox received mail with this address in From. Anybody can write that. */
  wrote_before: z.boolean(),
  /** Whether some of that mail passed DMARC for the domain of the address, or came from an inbox of this server. */
  proven: z.boolean(),
  /** The domain for which the newest proven mail was written. */
  verified_domain: z.string().nullable(),
  last_wrote_at: time().nullable(),
  /** When the newest proven mail came. Mail after it may be forged. */
  proven_at: time().nullable(),
  /** Whether the inbox has neither received mail from the address nor sent any to it. */
  is_new: z.boolean(),
  /**
   * The From of the message that it replies to, if its Reply-To named this recipient instead: the reply goes to somebody else than the
   * writer.
   */
  reply_to_of: z.string().nullable(),
});
export type Correspondent = z.infer<typeof Correspondent>;

/** All that people see before they decide. In names, subjects and headers, controls of the direction of text stand as `[U+202E]`. */
export const Approval = ApprovalSummary.extend({
  message: Message,
  /** The mail that would go out, byte for byte. */
  raw: RawMessage,
  /** The header fields of that mail, in their order. Encoded words are decoded. */
  headers: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      /** Whether it is none of those that the server writes itself. */
      is_added: z.boolean(),
    }),
  ),
  /** The SHA-256 of each attachment, in the order of `message.attachments`. */
  attachment_hashes: z.array(z.string()),
  /** The message that it replies to, with its texts cut at 64 KiB; null for a new conversation, or if it is gone. */
  answers: Message.nullable(),
  correspondents: z.array(Correspondent),
});
export type Approval = z.infer<typeof Approval>;

/** A decision of people. */
export const Decision = z.enum(['approve', 'refuse']);
export type Decision = z.infer<typeof Decision>;

const ContentHash = z
  .string()
  .regex(/^[0-9a-f]{64}$/, { error: 'must be the `content_hash` that was shown' });

/** Why a message is refused. Its sender reads it. */
const Reason = nameField(limits.approvalReasonCharactersMax).optional();

/** Body of `approvals.decide`. Each message is decided about alone, so one that cannot be leaves the others as they are. */
export const DecideApprovals = z.strictObject({
  decision: Decision,
  messages: z
    .array(z.strictObject({ message_id: z.string().max(100), content_hash: ContentHash }))
    .min(1)
    .max(consoleLimits.approvalsPerDecisionMax),
  reason: Reason,
});
export type DecideApprovals = z.infer<typeof DecideApprovals>;

/**
 * Why a decision does not count: what goes out is no longer what was shown, somebody has decided before, the approval has expired, or
 * there is no such message.
 */
export const DecisionProblem = z.enum(['changed', 'decided', 'expired', 'not_found']);
export type DecisionProblem = z.infer<typeof DecisionProblem>;

/** The result of a decision about one message. */
export const DecisionResult = z.object({
  message_id: z.string(),
  /** Null if the decision counts. */
  problem: DecisionProblem.nullable(),
  /** The state now; null if there is no such message. */
  state: ApprovalState.nullable(),
  /** The recipients that do not get the approved message, because they are suppressed, blocked or not allowed by now. */
  left_out: z.array(DroppedRecipient),
});
export type DecisionResult = z.infer<typeof DecisionResult>;

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
  decide: {
    method: 'POST',
    path: '/approvals/decide',
    body: DecideApprovals,
    responses: { 200: z.object({ results: z.array(DecisionResult) }), ...problems },
  },
});

/** The token of a link in a mail about a held message. */
const ApprovalToken = z
  .string()
  .max(300)
  .regex(/^[\w.-]*$/, { error: 'is not the token of a link' });

/** The page of a link. Once somebody has decided, the message itself is no longer shown. */
export const LinkedApproval = z.object({
  workspace: z.string(),
  person: z.object({ name: z.string(), email: z.string() }),
  summary: ApprovalSummary,
  approval: Approval.nullable(),
  /** The path of the page that shows the HTML of the message, for a frame; null without HTML. It works for some minutes. */
  frame_url: z.string().nullable(),
});
export type LinkedApproval = z.infer<typeof LinkedApproval>;

/** Routes of the links in mails about held messages. They need no session: the token names the person, the message and its hash. */
export const approvalLinks = c.router({
  show: {
    method: 'POST',
    path: '/approval-link',
    body: z.strictObject({ token: ApprovalToken }),
    responses: { 200: LinkedApproval, ...problems },
  },
  decide: {
    method: 'POST',
    path: '/approval-link/decide',
    body: z.strictObject({
      token: ApprovalToken,
      content_hash: ContentHash,
      decision: Decision,
      reason: Reason,
    }),
    responses: { 200: DecisionResult, ...problems },
  },
});
