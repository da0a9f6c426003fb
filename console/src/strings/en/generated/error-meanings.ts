// Generated from the contract by scripts/console-errors.ts. Do not edit.

/** What an error of the API means, what to do, and whether the request may be repeated. */
export interface ErrorMeaning {
  meaning: string;
  message: string;
  retry: 'fix' | 'upgrade' | 'wait' | 'never';
}

/** The errors of the API by their codes. */
export const errorMeanings: Record<string, ErrorMeaning> = {
  invalid_request: {
    meaning: 'A field is missing, malformed, unknown or over its limit.',
    message: 'Correct the fields that issues lists and send the request again.',
    retry: 'fix',
  },
  malformed_json: {
    meaning: 'The body is not JSON.',
    message: 'Send a body that is valid JSON.',
    retry: 'fix',
  },
  invalid_token: {
    meaning: 'The API key is missing, unknown, revoked or expired. The server responds before reading the body.',
    message: 'Invalid token: send Authorization: Bearer <API key> with a key that is neither revoked nor expired.',
    retry: 'never',
  },
  inbox_limit_reached: {
    meaning: 'The workspace has as many inboxes as its plan allows.',
    message: 'Delete an inbox, or move to a plan with more inboxes.',
    retry: 'upgrade',
  },
  custom_domains_require_paid_plan: {
    meaning: 'Custom domains need the Pro plan or higher.',
    message: 'Move to the Pro plan or higher to add a custom domain.',
    retry: 'upgrade',
  },
  dedicated_subdomain_requires_scale: {
    meaning: 'A dedicated subdomain needs the Scale plan or higher.',
    message: 'Move to the Scale plan or higher to provision a dedicated subdomain.',
    retry: 'upgrade',
  },
  email_limit_reached: {
    meaning: 'The workspace has sent as many messages this UTC month as its plan allows.',
    message: 'Wait for the next UTC month, or move to a plan with more messages.',
    retry: 'upgrade',
  },
  storage_limit_reached: {
    meaning: 'The storage of the plan is full: it has no room for the attachments of a message, or for the files or text of a draft.',
    message: 'Delete inboxes or drafts, leave attachments out, or move to a plan with more storage.',
    retry: 'upgrade',
  },
  sending_not_allowed: {
    meaning: 'People have restricted this key, inbox or workspace: it cannot send, or the key cannot make the requested change.',
    message: 'Do not send again. Ask the people who run this workspace, or propose the text to them.',
    retry: 'never',
  },
  right_missing: {
    meaning: 'The admin token lacks the right that this route of the management API requires.',
    message: 'Do not try again: ask an owner of the workspace for a token with the right in right.',
    retry: 'never',
  },
  not_found: {
    meaning: 'The path or an id is unknown, or the id belongs to another workspace or to an inbox outside the scope of the key; the response does not tell these apart. param names the parameter or field with the id.',
    message: 'Check the path, the base URL (it ends in /v1) and the method.',
    retry: 'fix',
  },
  method_not_allowed: {
    meaning: 'The path does not support the method; the Allow header names the methods that it supports.',
    message: 'Use one of the methods in the Allow header.',
    retry: 'fix',
  },
  address_taken: {
    meaning: 'The address is in use, reserved, or held for the workspace that deleted it; reason says which.',
    message: 'Choose another local part, or use the inbox that inbox_id names.',
    retry: 'fix',
  },
  sending_paused: {
    meaning: 'People have paused sending for this key, inbox, workspace or server; nothing was stored.',
    message: 'Stop sending until people resume it. Mail is still received.',
    retry: 'never',
  },
  label_name_taken: {
    meaning: 'The workspace already has a label with this name, ignoring case.',
    message: 'Use the existing label, or choose another name.',
    retry: 'fix',
  },
  domain_taken: {
    meaning: 'The domain has already been added, belongs to the service, or has a reserved name.',
    message: 'Choose another domain, or first delete this one where it was added.',
    retry: 'fix',
  },
  domain_in_use: {
    meaning: 'Inboxes still use the domain.',
    message: 'Delete the inboxes on the domain first.',
    retry: 'fix',
  },
  draft_already_sent: {
    meaning: 'The draft is being sent or has been sent.',
    message: 'Create a new draft.',
    retry: 'never',
  },
  domain_not_verified: {
    meaning: 'The domain is not verified, so no inbox can be created on it and no mail sent from it.',
    message: 'Publish the DNS records of the domain and verify it first.',
    retry: 'fix',
  },
  auto_reply_loop: {
    meaning: 'The original message was sent automatically, so a reply could start a loop.',
    message: 'Do not reply to automatic messages, or set force to reply anyway.',
    retry: 'fix',
  },
  limit_reached: {
    meaning: 'A fixed limit, which is the same on every plan, has been reached.',
    message: 'Remove something first. The limit is the same on every plan.',
    retry: 'fix',
  },
  cursor_expired: {
    meaning: 'after is older than the oldest event in the log.',
    message: 'Read the current state, then follow the log from oldest or from latest.',
    retry: 'fix',
  },
  attachment_too_large: {
    meaning: 'The attachments of one message together exceed the limit; nothing was sent.',
    message: 'Send smaller attachments, or links to them.',
    retry: 'fix',
  },
  payload_too_large: {
    meaning: 'The request, or the message composed from it, exceeds the limit; nothing was stored.',
    message: 'Send a smaller request.',
    retry: 'fix',
  },
  unsupported_media_type: {
    meaning: 'The content type is not JSON, or the body is compressed.',
    message: 'Send Content-Type: application/json without Content-Encoding.',
    retry: 'fix',
  },
  no_deliverable_recipients: {
    meaning: 'Every recipient is suppressed, blocked by a rule or excluded by the policy; nothing was sent.',
    message: 'Send to other recipients. blocked says why each recipient was left out: you can remove a suppression or a rule, but only people can change a policy.',
    retry: 'fix',
  },
  message_rejected: {
    meaning: 'The provider rejected the message permanently, or the people who had to approve it refused it.',
    message: 'The message is stored and will not be sent again. reason says why it was rejected: send another message only if the reason allows it.',
    retry: 'never',
  },
  rate_limited: {
    meaning: 'There were too many requests, large requests or reads at once, unread responses, or replies in one thread or to one correspondent; or a cap of the sending policy has been reached.',
    message: 'Wait for retry_after_seconds, then send the request again.',
    retry: 'wait',
  },
  internal_error: {
    meaning: 'The server failed. The response does not reveal the cause.',
    message: 'Try again later. If the error persists, report the request_id.',
    retry: 'wait',
  },
  unavailable: {
    meaning: 'The server is shutting down, or its database is unavailable or busy; Retry-After says when to try again.',
    message: 'Send the request again after the time in Retry-After.',
    retry: 'wait',
  },
};
