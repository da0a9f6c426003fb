// Generated from the contract by scripts/sdk-types.ts. Do not edit.

import type {
  Account,
  Attachment,
  Delivery,
  DeliveryPage,
  Domain,
  DomainPage,
  Draft,
  DraftPage,
  EffectivePolicy,
  ErrorCode,
  EventPage,
  Inbox,
  InboxPage,
  Label,
  LabelPage,
  Message,
  MessagePage,
  RawMessage,
  Rule,
  RulePage,
  SendCheck,
  SendReceipt,
  SentMessage,
  Suppression,
  SuppressionPage,
  ThreadPage,
  ThreadWithMessages,
  Webhook,
  WebhookPage,
  WebhookWithSecret,
} from './types.ts';

/** A route of the API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Whether `after` instead of `cursor` asks for the next page. */
  readonly continuesAfter?: boolean;
  /** Whether its body takes `attachments`. */
  readonly takesAttachments?: boolean;
  /** Whether its body takes a `client_id`, which makes a repeat safe. */
  readonly takesClientId?: boolean;
}

/** Every route by its resource and method, in few characters: `a` takes attachments, `c` a client_id, `e` continues after. */
const routes = {
  'inboxes.create': 'POST /inboxes',
  'inboxes.list': 'GET /inboxes',
  'inboxes.get': 'GET /inboxes/:id',
  'inboxes.update': 'PATCH /inboxes/:id',
  'inboxes.delete': 'DELETE /inboxes/:id',
  'messages.send': 'POST /messages ac',
  'messages.list': 'GET /messages',
  'messages.get': 'GET /messages/:id',
  'messages.update': 'PATCH /messages/:id',
  'messages.delete': 'DELETE /messages/:id',
  'messages.reply': 'POST /messages/:id/reply ac',
  'messages.forward': 'POST /messages/:id/forward c',
  'messages.raw': 'GET /messages/:id/raw',
  'messages.check': 'POST /messages/check ac',
  'threads.list': 'GET /threads',
  'threads.get': 'GET /threads/:id',
  'threads.delete': 'DELETE /threads/:id',
  'attachments.get': 'GET /attachments/:id',
  'labels.create': 'POST /labels',
  'labels.list': 'GET /labels',
  'labels.delete': 'DELETE /labels/:id',
  'labels.assign': 'POST /labels/:id/assign',
  'labels.unassign': 'POST /labels/:id/unassign',
  'rules.create': 'POST /lists',
  'rules.list': 'GET /lists',
  'rules.delete': 'DELETE /lists/:id',
  'suppressions.list': 'GET /suppressions',
  'suppressions.create': 'POST /suppressions',
  'suppressions.delete': 'DELETE /suppressions/:address',
  'drafts.create': 'POST /drafts a',
  'drafts.list': 'GET /drafts',
  'drafts.get': 'GET /drafts/:id',
  'drafts.update': 'PATCH /drafts/:id a',
  'drafts.delete': 'DELETE /drafts/:id',
  'drafts.send': 'POST /drafts/:id/send c',
  'domains.create': 'POST /domains',
  'domains.list': 'GET /domains',
  'domains.get': 'GET /domains/:id',
  'domains.delete': 'DELETE /domains/:id',
  'domains.verify': 'POST /domains/:id/verify',
  'domains.dmarc': 'POST /domains/:id/dmarc',
  'domains.subdomain': 'POST /domains/subdomain',
  'events.list': 'GET /events e',
  'webhooks.create': 'POST /webhooks',
  'webhooks.list': 'GET /webhooks',
  'webhooks.get': 'GET /webhooks/:id',
  'webhooks.update': 'PATCH /webhooks/:id',
  'webhooks.delete': 'DELETE /webhooks/:id',
  'webhooks.test': 'POST /webhooks/:id/test',
  'webhooks.rotateSecret': 'POST /webhooks/:id/rotate-secret',
  'webhooks.deliveries': 'GET /webhooks/:id/deliveries',
  'deliveries.redeliver': 'POST /deliveries/:id/redeliver',
  'account.get': 'GET /account',
  'policy.get': 'GET /policy',
} as const;

/** The name of a route: resource and method. */
export type RouteName = keyof typeof routes;

/** The names of all routes. */
export const routeNames = Object.keys(routes) as RouteName[];

/** A route by its name. */
export function readRoute(name: RouteName): Route {
  const [method, path, flags = ''] = routes[name].split(' ') as [Route['method'], string, string?];
  const has = (flag: string) => flags.includes(flag);
  return { method, path, takesAttachments: has('a'), takesClientId: has('c'), continuesAfter: has('e') };
}

/** What each route answers; void where the answer has no body. */
export interface RouteAnswers {
  'inboxes.create': Inbox;
  'inboxes.list': InboxPage;
  'inboxes.get': Inbox;
  'inboxes.update': Inbox;
  'inboxes.delete': void;
  'messages.send': SendReceipt;
  'messages.list': MessagePage;
  'messages.get': Message;
  'messages.update': Message;
  'messages.delete': void;
  'messages.reply': SentMessage;
  'messages.forward': SentMessage;
  'messages.raw': RawMessage;
  'messages.check': SendCheck;
  'threads.list': ThreadPage;
  'threads.get': ThreadWithMessages;
  'threads.delete': void;
  'attachments.get': Attachment;
  'labels.create': Label;
  'labels.list': LabelPage;
  'labels.delete': void;
  'labels.assign': Message;
  'labels.unassign': Message;
  'rules.create': Rule;
  'rules.list': RulePage;
  'rules.delete': void;
  'suppressions.list': SuppressionPage;
  'suppressions.create': Suppression;
  'suppressions.delete': void;
  'drafts.create': Draft;
  'drafts.list': DraftPage;
  'drafts.get': Draft;
  'drafts.update': Draft;
  'drafts.delete': void;
  'drafts.send': SendReceipt;
  'domains.create': Domain;
  'domains.list': DomainPage;
  'domains.get': Domain;
  'domains.delete': void;
  'domains.verify': Domain;
  'domains.dmarc': Domain;
  'domains.subdomain': Domain;
  'events.list': EventPage;
  'webhooks.create': WebhookWithSecret;
  'webhooks.list': WebhookPage;
  'webhooks.get': Webhook;
  'webhooks.update': Webhook;
  'webhooks.delete': void;
  'webhooks.test': Delivery;
  'webhooks.rotateSecret': WebhookWithSecret;
  'webhooks.deliveries': DeliveryPage;
  'deliveries.redeliver': Delivery;
  'account.get': Account;
  'policy.get': EffectivePolicy;
}

/** The codes of errors that any route may answer. */
export type CommonErrorCode = Extract<
  ErrorCode,
  | 'invalid_request'
  | 'malformed_json'
  | 'invalid_token'
  | 'sending_not_allowed'
  | 'not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'internal_error'
  | 'unavailable'
>;

/** The codes of errors that a route may answer beside the common ones. */
export interface RouteErrorCodes {
  'inboxes.create': 'inbox_limit_reached' | 'address_taken' | 'domain_not_verified';
  'inboxes.list': never;
  'inboxes.get': never;
  'inboxes.update': never;
  'inboxes.delete': never;
  'messages.send':
    | 'email_limit_reached'
    | 'storage_limit_reached'
    | 'sending_paused'
    | 'domain_not_verified'
    | 'limit_reached'
    | 'attachment_too_large'
    | 'no_deliverable_recipients'
    | 'message_rejected';
  'messages.list': 'limit_reached';
  'messages.get': never;
  'messages.update': 'limit_reached';
  'messages.delete': never;
  'messages.reply':
    | 'email_limit_reached'
    | 'storage_limit_reached'
    | 'sending_paused'
    | 'domain_not_verified'
    | 'auto_reply_loop'
    | 'limit_reached'
    | 'attachment_too_large'
    | 'no_deliverable_recipients'
    | 'message_rejected';
  'messages.forward':
    | 'email_limit_reached'
    | 'storage_limit_reached'
    | 'sending_paused'
    | 'domain_not_verified'
    | 'limit_reached'
    | 'attachment_too_large'
    | 'no_deliverable_recipients'
    | 'message_rejected';
  'messages.raw': never;
  'messages.check': 'attachment_too_large';
  'threads.list': never;
  'threads.get': never;
  'threads.delete': never;
  'attachments.get': never;
  'labels.create': 'label_name_taken' | 'limit_reached';
  'labels.list': never;
  'labels.delete': never;
  'labels.assign': 'limit_reached';
  'labels.unassign': never;
  'rules.create': 'limit_reached';
  'rules.list': never;
  'rules.delete': never;
  'suppressions.list': never;
  'suppressions.create': never;
  'suppressions.delete': never;
  'drafts.create': 'storage_limit_reached' | 'limit_reached' | 'attachment_too_large';
  'drafts.list': never;
  'drafts.get': never;
  'drafts.update':
    | 'storage_limit_reached'
    | 'draft_already_sent'
    | 'limit_reached'
    | 'attachment_too_large';
  'drafts.delete': 'draft_already_sent';
  'drafts.send':
    | 'email_limit_reached'
    | 'storage_limit_reached'
    | 'sending_paused'
    | 'draft_already_sent'
    | 'domain_not_verified'
    | 'auto_reply_loop'
    | 'limit_reached'
    | 'attachment_too_large'
    | 'no_deliverable_recipients'
    | 'message_rejected';
  'domains.create': 'custom_domains_require_paid_plan' | 'domain_taken' | 'limit_reached';
  'domains.list': never;
  'domains.get': never;
  'domains.delete': 'domain_in_use';
  'domains.verify': never;
  'domains.dmarc': never;
  'domains.subdomain': 'dedicated_subdomain_requires_scale' | 'domain_taken' | 'limit_reached';
  'events.list': 'limit_reached' | 'cursor_expired';
  'webhooks.create': 'limit_reached';
  'webhooks.list': never;
  'webhooks.get': never;
  'webhooks.update': never;
  'webhooks.delete': never;
  'webhooks.test': 'limit_reached';
  'webhooks.rotateSecret': never;
  'webhooks.deliveries': never;
  'deliveries.redeliver': 'limit_reached';
  'account.get': never;
  'policy.get': never;
}
