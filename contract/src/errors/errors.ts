import * as z from 'zod';
import { DroppedRecipient } from '../fields/recipients.ts';
import { about, exampleIds } from '../fields/scalars.ts';
import { limits, plans } from '../limits.ts';
import { Issue } from './issues.ts';

/** The remedy of the caller for an error: to change the request, to change the plan, to wait and repeat the request, or none. */
export type Retry = 'fix' | 'upgrade' | 'wait' | 'never';

interface ErrorEntry {
  status: number;
  /** The fields besides `error`, `message` and `request_id`. */
  extra: z.ZodObject;
  /** The case in which the server responds with the error. */
  meaning: string;
  /** The sentence in `message`, unless there is a better one. It says what to do. */
  message: string;
  retry: Retry;
}

const nothing = z.object({});
const upgrade = z.boolean().meta(about('Whether a higher plan lifts the limit; false on the highest.', true));
function limit(example: number) {
  return z.int().meta(about('The limit that was reached.', example));
}
function limitBytes(example: number) {
  return z.int().meta(about('The limit in bytes.', example));
}

/**
 * All errors of the API: the code of each, with its status, its extra fields, its meaning and what to do. Routes, thrown errors, the
 * client's error classes and the reference are derived from this table.
 */
export const errors = {
  invalid_request: {
    status: 400,
    extra: z.object({ issues: z.array(Issue).meta({ description: 'What is wrong, field by field.' }) }),
    meaning: 'A field is missing, malformed, unknown or over its limit.',
    message: 'Correct the fields named in `issues` and send the request again.',
    retry: 'fix',
  },
  malformed_json: {
    status: 400,
    extra: nothing,
    meaning: 'The body is not JSON.',
    message: 'Send a body that is valid JSON.',
    retry: 'fix',
  },
  invalid_token: {
    status: 401,
    extra: nothing,
    meaning:
      'The API key is missing, unknown, revoked or expired. The server responds before it reads the body.',
    message:
      'Invalid token: send `Authorization: Bearer <API key>` with a key that is neither revoked nor expired.',
    retry: 'never',
  },
  inbox_limit_reached: {
    status: 402,
    extra: z.object({ upgrade, limit: limit(plans.free.inboxes) }),
    meaning: 'The workspace has as many inboxes as its plan allows.',
    message: 'Delete an inbox or move to a plan with more of them.',
    retry: 'upgrade',
  },
  custom_domains_require_paid_plan: {
    status: 402,
    extra: z.object({ upgrade }),
    meaning: 'Custom domains need the Pro plan or higher.',
    message: 'Move to the Pro plan or higher to add a custom domain.',
    retry: 'upgrade',
  },
  dedicated_subdomain_requires_scale: {
    status: 402,
    extra: z.object({ upgrade }),
    meaning: 'A dedicated subdomain needs the Scale plan or higher.',
    message: 'Move to the Scale plan or higher to provision a dedicated subdomain.',
    retry: 'upgrade',
  },
  email_limit_reached: {
    status: 402,
    extra: z.object({ upgrade, limit: limit(plans.free.emails_per_month) }),
    meaning: 'The workspace has sent as many messages this UTC month as its plan allows.',
    message: 'Wait for the next UTC month or move to a plan with more messages.',
    retry: 'upgrade',
  },
  storage_limit_reached: {
    status: 402,
    extra: z.object({ upgrade, limit_bytes: limitBytes(plans.free.storage_bytes) }),
    meaning:
      'Stored attachments are at the cap of the plan, so a send with attachments is refused; or the files or texts of a draft do not fit.',
    message: 'Delete inboxes or drafts, leave attachments out, or move to a plan with more storage.',
    retry: 'upgrade',
  },
  sending_not_allowed: {
    status: 403,
    extra: z.object({
      at: z
        .enum(['key', 'inbox', 'workspace'])
        .meta(about('Where people have set what does not allow it.', 'key')),
    }),
    meaning:
      'People do not allow this key, inbox or workspace to send, or this key to change what it asked to change.',
    message: 'Do not send again: ask the people who run this workspace, or propose the text to them.',
    retry: 'never',
  },
  not_found: {
    status: 404,
    extra: z.object({
      param: z
        .string()
        .nullable()
        .meta(
          about(
            'The path parameter or field whose id names nothing; null where the path is unknown.',
            'inbox_id',
          ),
        ),
    }),
    meaning:
      'The path or an id is unknown, or the id belongs to another workspace or to an inbox that is out of scope of the key; these look the same. `param` says which.',
    message: 'Check the path, the base URL (it ends in /v1) and the method.',
    retry: 'fix',
  },
  method_not_allowed: {
    status: 405,
    extra: nothing,
    meaning: 'The path exists, the method does not; the `Allow` header names those that do.',
    message: 'Use one of the methods in the `Allow` header.',
    retry: 'fix',
  },
  address_taken: {
    status: 409,
    extra: z.object({
      reason: z
        .enum(['taken', 'reserved', 'held'])
        .meta(
          about(
            '`taken`: an inbox or a person has it. `reserved`: nobody can have it. `held`: it was deleted and is kept for its workspace.',
            'taken',
          ),
        ),
      inbox_id: z
        .string()
        .optional()
        .meta(about('The inbox that has it, where that is your own.', exampleIds.inbox)),
    }),
    meaning:
      'The address is in use, reserved, or held for the workspace that deleted it; `reason` says which.',
    message: 'Choose another local part, or use the inbox named in `inbox_id`.',
    retry: 'fix',
  },
  sending_paused: {
    status: 409,
    extra: z.object({
      at: z.enum(['key', 'inbox', 'workspace', 'server']).meta(about('What is paused.', 'workspace')),
    }),
    meaning: 'People have paused what this key, inbox, workspace or server sends; nothing was stored.',
    message: 'Stop sending until people resume it. Mail is still received.',
    retry: 'never',
  },
  label_name_taken: {
    status: 409,
    extra: nothing,
    meaning: 'The workspace has a label of this name; upper and lower case are the same.',
    message: 'Use the label that exists or choose another name.',
    retry: 'fix',
  },
  domain_taken: {
    status: 409,
    extra: nothing,
    meaning: 'The domain was added already, belongs to the service, or its name is reserved.',
    message: 'Choose another domain, or delete it where it was added first.',
    retry: 'fix',
  },
  domain_in_use: {
    status: 409,
    extra: nothing,
    meaning: 'Inboxes still use the domain.',
    message: 'Delete the inboxes on the domain first.',
    retry: 'fix',
  },
  draft_already_sent: {
    status: 409,
    extra: nothing,
    meaning: 'The draft is being sent or has been sent.',
    message: 'Create a new draft.',
    retry: 'never',
  },
  domain_not_verified: {
    status: 409,
    extra: nothing,
    meaning: 'The domain is not verified, so no inbox can be created on it and no mail sent from it.',
    message: 'Publish the DNS records of the domain and verify it first.',
    retry: 'fix',
  },
  auto_reply_loop: {
    status: 409,
    extra: nothing,
    meaning: 'The message to be replied to was sent by a machine, so a reply could start a loop.',
    message: 'Do not reply to automatic messages, or set `force` to reply all the same.',
    retry: 'fix',
  },
  limit_reached: {
    status: 409,
    extra: z.object({ limit: limit(limits.labelsPerWorkspaceMax) }),
    meaning: 'A fixed limit of the service is reached, whatever the plan.',
    message: 'Remove something first; the limit is the same on every plan.',
    retry: 'fix',
  },
  cursor_expired: {
    status: 410,
    extra: z.object({
      oldest: z
        .string()
        .nullable()
        .meta(about('Id of the oldest event that is kept; null when no event is.', exampleIds.event)),
    }),
    meaning: '`after` is older than the events that are kept.',
    message: 'Read the current state, then follow the log from `oldest` or from `latest`.',
    retry: 'fix',
  },
  attachment_too_large: {
    status: 413,
    extra: z.object({ limit_bytes: limitBytes(limits.attachmentBytesMax) }),
    meaning: 'The attachments of one message are over the limit in total; nothing was sent.',
    message: 'Send smaller attachments, or links to them.',
    retry: 'fix',
  },
  payload_too_large: {
    status: 413,
    extra: z.object({ limit_bytes: limitBytes(limits.requestBytesMax) }),
    meaning: 'The request, or the message composed from it, is over the limit; nothing was stored.',
    message: 'Send a smaller request.',
    retry: 'fix',
  },
  unsupported_media_type: {
    status: 415,
    extra: nothing,
    meaning: 'The body is not JSON by its content type, or is compressed.',
    message: 'Send `Content-Type: application/json`, and no `Content-Encoding`.',
    retry: 'fix',
  },
  no_deliverable_recipients: {
    status: 422,
    extra: z.object({
      blocked: z.array(DroppedRecipient).meta({ description: 'Every recipient and why it was dropped.' }),
    }),
    meaning: 'Every recipient is suppressed, blocked by a rule or left out by the policy; nothing was sent.',
    message:
      'Send to other recipients. `blocked` says why each was left out: you can remove a suppression or a rule, and only people change a policy.',
    retry: 'fix',
  },
  message_rejected: {
    status: 422,
    extra: z.object({
      id: z.string().meta(about('The message, stored with status `rejected`.', exampleIds.message)),
      reason: z
        .string()
        .meta(about('What the provider or people said.', '554 5.7.1 Message content rejected')),
    }),
    meaning: 'The provider, or people who were asked to approve it, refused the message for good.',
    message:
      'The message is stored and will not be sent again. `reason` says why: send another one only if that allows it.',
    retry: 'never',
  },
  rate_limited: {
    status: 429,
    extra: z.object({
      retry_after_seconds: z.int().min(0).meta(about('How long to wait; also in `Retry-After`.', 1)),
      reason: z
        .enum(['requests', 'loop', 'policy'])
        .meta(
          about(
            '`requests`: too many requests. `loop`: two machines reply to each other. `policy`: a cap that people have set is reached.',
            'requests',
          ),
        ),
    }),
    meaning:
      'Too many requests, large requests or reads at once, too many responses that were not read, too many replies in one thread or to one correspondent, or a cap of the sending policy.',
    message: 'Wait for `retry_after_seconds`, then send the request again.',
    retry: 'wait',
  },
  internal_error: {
    status: 500,
    extra: nothing,
    meaning: 'Something is wrong in the server; no detail leaks.',
    message: 'Try again later; if it stays, report the `request_id`.',
    retry: 'wait',
  },
  unavailable: {
    status: 503,
    extra: nothing,
    meaning:
      'The server is shutting down, or its database is away or busy; `Retry-After` says when to try again.',
    message: 'Send the request again after the time in `Retry-After`.',
    retry: 'wait',
  },
} as const satisfies Record<string, ErrorEntry>;

/** The code of an error, as in its `error` field. */
export type ErrorCode = keyof typeof errors;
