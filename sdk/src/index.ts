/*
 * The whole public API. Every name here is a promise to users, so a new one needs a deliberate decision. The
 * caller, the route table and the classes of the resources are left out on purpose, because users reach
 * resources through a client.
 */

export { type Answered, APIPromise } from './calls/api-promise.ts';
export type { AttachmentContent, AttachmentPath, AttachmentSource } from './calls/encode-attachments.ts';
export { type Page, PagePromise } from './calls/page.ts';
export type { RequestOptions } from './calls/request.ts';
export { Postrider, type RequestParams } from './client.ts';
export type { ClientOptions } from './client-options.ts';
export type { Logger, LogLevel } from './log.ts';
export type { CreateDraftParams, UpdateDraftParams } from './resources/drafts.ts';
export type { EventPageOf, EventQuery } from './resources/events.ts';
export type { ReplyToMessageParams, SendMessageParams } from './resources/messages.ts';
export type { EventOf, EventStream, StreamEvents } from './streams/event-stream.ts';
export type { MailFilters } from './streams/follow-mail.ts';
export type { EventFilters } from './streams/log-reader.ts';
export type { After } from './streams/mail-place.ts';
export type { MessageStream, StreamMessages } from './streams/message-stream.ts';
export type { ResumableStream } from './streams/resumable-stream.ts';
export type { LinkMatch } from './waits/find-link.ts';
export type { WaitForMessage, WaitOptions } from './waits/wait-for-message.ts';
export type { WaitForReply } from './waits/wait-for-reply.ts';
export type { CodeFound, LinkFound, WaitForCode, WaitForLink } from './waits/wait-for-secret.ts';
export type { WaitLimits } from './waits/wait-time.ts';
export type { DeliveryHeaders } from './webhooks/delivery-headers.ts';
export type { RawBody, UnwrapOptions } from './webhooks/unwrap.ts';

// Errors of responses, by status, and errors without a response.

export {
  APIError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  GoneError,
  NotFoundError,
  PayloadTooLargeError,
  PaymentRequiredError,
  PermissionDeniedError,
  RateLimitError,
  ServerError,
  UnprocessableEntityError,
} from './calls/api-error.ts';
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
export { DeliveryFailedError, type DeliveryFailureReason } from './waits/delivery-failed-error.ts';

// Requests and responses, generated from the contract.

export type { CommonErrorCode, RouteErrorCodes } from './generated/routes.ts';
export type {
  Access,
  Account,
  AdminRight,
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
  DraftFailedEvent,
  DraftPage,
  DraftSentEvent,
  DraftStatus,
  DroppedRecipient,
  EffectivePolicy,
  ErrorCode,
  Event,
  Event as PostriderEvent,
  EventKind,
  EventPage,
  ForwardMessage,
  GetPolicy,
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
  MessageDeferredEvent,
  MessageDeletedEvent,
  MessageDeliveredEvent,
  MessageHeldEvent,
  MessagePage,
  MessageReceivedEvent,
  MessageRecipient,
  MessageRejectedEvent,
  MessageSentEvent,
  MessageUpdatedEvent,
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
  SendMode,
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
