/* The messages that wait for the approval of people, and the decisions about them. */
import { initContract } from '@ts-rest/core';
import * as z from 'zod';
import { DroppedRecipient } from '../fields/recipients.ts';
import { about, NextCursor, pageQuery } from '../fields/scalars.ts';
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

/** A message that is or was held for approval, as lists show it. */
export const ApprovalSummary = z
  .object({
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
    attachments: z.int().meta(about('The number of attachments.')),
    held_at: time(),
    expires_at: time(),
    state: ApprovalState,
    content_hash: z
      .string()
      .meta(about('The SHA-256 of the bytes and recipients to be sent. A decision must include it.')),
    key: named
      .nullable()
      .meta(about('The key that sent the message; null if a person sent the draft of a key.')),
    writer: named
      .nullable()
      .meta(about('The key that wrote the draft, if somebody else sent it; otherwise null.')),
    decided_at: time().nullable(),
    decided_by: named
      .nullable()
      .meta(
        about('The person or the admin token that decided; null for the operator, or if nobody has decided.'),
      ),
    reason: z.string().nullable().meta(about('The reason for the refusal.')),
  })
  .meta({
    id: 'ApprovalSummary',
    description: 'A message that is or was held for approval, as lists show it.',
  });
export type ApprovalSummary = z.infer<typeof ApprovalSummary>;

/** The history of a recipient, from mail that this inbox received. */
export const Correspondent = z
  .object({
    address: z.string(),
    name: z
      .string()
      .nullable()
      .meta(about('The name that the message gives this recipient; null if it gives none.')),
    wrote_before: z
      .boolean()
      .meta(about('Whether the inbox received mail with this address in From. Anyone can forge From.')),
    proven: z
      .boolean()
      .meta(
        about(
          'Whether some of that mail passed DMARC for the domain of the address, or came from an inbox of this server.',
        ),
      ),
    verified_domain: z.string().nullable().meta(about('The verified domain of the newest proven mail.')),
    last_wrote_at: time().nullable(),
    proven_at: time()
      .nullable()
      .meta(about('When the newest proven mail arrived. Later mail may be forged.')),
    is_new: z
      .boolean()
      .meta(about('Whether the inbox has neither received mail from the address nor sent any to it.')),
    reply_to_of: z
      .string()
      .nullable()
      .meta(
        about(
          'The From address of the original message, if its Reply-To named this recipient: the reply goes to this recipient, not to its author.',
        ),
      ),
  })
  .meta({
    id: 'Correspondent',
    description: 'The history of a recipient, from mail that this inbox received.',
  });
export type Correspondent = z.infer<typeof Correspondent>;

/**
 * Everything that people see before they decide. In names, subjects and headers, characters that change the direction of text are shown
 * as, for example, `[U+202E]`.
 */
export const Approval = ApprovalSummary.extend({
  message: Message,
  /** The mail that would go out, byte for byte. */
  raw: RawMessage,
  /** The header fields of that mail, in their order. Encoded words are decoded. */
  headers: z.array(
    z.object({
      name: z.string(),
      value: z.string(),
      is_added: z
        .boolean()
        .meta(about('Whether the sender added this header; otherwise, the server wrote it.')),
    }),
  ),
  attachment_hashes: z
    .array(z.string())
    .meta(about('The SHA-256 of each attachment, in the order of `message.attachments`.')),
  answers: Message.nullable().meta(
    about(
      'The message that it replies to, with its texts cut at 64 KiB; null if there is none, or if it was deleted.',
    ),
  ),
  correspondents: z.array(Correspondent),
}).meta({
  id: 'Approval',
  description:
    'Everything that people see before they decide. In names, subjects and headers, characters that change the direction of text are ' +
    'shown as, for example, `[U+202E]`.',
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
export const DecisionResult = z
  .object({
    message_id: z.string(),
    problem: DecisionProblem.nullable().meta(about('Null if the decision took effect.')),
    state: ApprovalState.nullable().meta(about('The state now; null if there is no such message.')),
    left_out: z
      .array(DroppedRecipient)
      .meta(
        about(
          'The recipients that do not get the approved message, because they have since been suppressed, blocked or disallowed.',
        ),
      ),
  })
  .meta({ id: 'DecisionResult', description: 'The result of a decision about one message.' });
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

/** The token of a link in an email about a held message. */
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
  frame_url: z
    .string()
    .nullable()
    .meta(
      about(
        'The path of the page that shows the HTML of the message, for a frame; null without HTML. It works for some minutes.',
      ),
    ),
});
export type LinkedApproval = z.infer<typeof LinkedApproval>;

/** Routes of the links in emails about held messages. They need no session: the token names the person, the message and its hash. */
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
