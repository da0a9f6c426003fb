/*
 * The whole public API. Every name here is a promise to users, so adding one is a decision. The caller behind
 * the resources, the route table and the classes of the resources are left out on purpose: users reach
 * resources through a client.
 */

export { type Answered, APIPromise } from './api-promise.ts';
export { Postrider, type RequestParams } from './client.ts';
export type { ClientOptions } from './client-options.ts';
export type { AttachmentContent, AttachmentPath, AttachmentSource } from './encode-attachments.ts';
export type { EventStream, StreamEvents } from './event-stream.ts';
export type { LinkMatch } from './find-link.ts';
export type { MailFilters } from './follow-mail.ts';
export type { Logger, LogLevel } from './log.ts';
export type { EventFilters } from './log-reader.ts';
export type { After } from './mail-place.ts';
export type { MessageStream, StreamMessages } from './message-stream.ts';
export { type Page, PagePromise } from './page.ts';
export type { RequestOptions } from './request.ts';
export type { CreateDraftParams, UpdateDraftParams } from './resources/drafts.ts';
export type { ReplyToMessageParams, SendMessageParams } from './resources/messages.ts';
export type { ResumableStream } from './resumable-stream.ts';
export type { WaitForMessage, WaitOptions } from './wait-for-message.ts';
export type { WaitForReply } from './wait-for-reply.ts';
export type { CodeFound, LinkFound, WaitForCode, WaitForLink } from './wait-for-secret.ts';
export type { WaitLimits } from './wait-time.ts';
export type { DeliveryHeaders } from './webhooks/delivery-headers.ts';
export type { RawBody, UnwrapOptions } from './webhooks/unwrap.ts';

// Errors: those of responses, by status, and those without a response.

export {
  APIError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  GoneError,
  NotFoundError,
  PayloadTooLargeError,
  PaymentRequiredError,
  RateLimitError,
  ServerError,
  UnprocessableEntityError,
} from './api-error.ts';
export {
  AbortedError,
  ConnectionError,
  PostriderError,
  TimeoutError,
  WaitTimeoutError,
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './errors.ts';

export { VERSION } from './generated/brand.ts';

// Requests and responses, generated from the contract.

export type { CommonErrorCode, RouteErrorCodes } from './generated/routes.ts';
export type {
  Account,
  AppliedLabel,
  Attachment,
  AttachmentInput,
  Authentication,
  AuthenticationResult,
  Bounce,
  Complaint,
  CreateDomain,
  CreateInbox,
  CreateLabel,
  CreateRule,
  CreateSubdomain,
  CreateSuppression,
  CreateWebhook,
  Delivery,
  DeliveryAttempt,
  DeliveryPage,
  DeliveryStatus,
  Direction,
  DmarcPolicy,
  DnsRecord,
  Domain,
  DomainPage,
  Draft,
  DraftPage,
  DraftStatus,
  DroppedRecipient,
  ErrorCode,
  Event,
  Event as PostriderEvent,
  EventKind,
  EventPage,
  ForwardMessage,
  Inbox,
  InboxPage,
  Issue,
  Label,
  LabelMessage,
  LabelPage,
  ListDeliveries,
  ListDomains,
  ListDrafts,
  ListEvents,
  ListedMessage,
  ListInboxes,
  ListLabels,
  ListMessages,
  ListRules,
  ListSuppressions,
  ListThreads,
  ListWebhooks,
  Message,
  MessageBouncedEvent,
  MessageComplainedEvent,
  MessageDeliveredEvent,
  MessagePage,
  MessageReceivedEvent,
  MessageRecipient,
  MessageRejectedEvent,
  Metadata,
  Plan,
  PlanLimits,
  RawMessage,
  Recipient,
  Rule,
  RulePage,
  SearchMode,
  SendCheck,
  SendDraft,
  SendReceipt,
  SentMessage,
  SetDmarcPolicy,
  Suppression,
  SuppressionPage,
  Thread,
  ThreadPage,
  ThreadWithMessages,
  UpdateInbox,
  UpdateMessage,
  UpdateWebhook,
  Usage,
  Webhook,
  WebhookPage,
  WebhookWithSecret,
  Workspace,
} from './generated/types.ts';
