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
  /** The field that holds the items, when the answer is one page of a list. */
  readonly items?: string;
  /** Whether `after` instead of `cursor` asks for the next page. */
  readonly continuesAfter?: true;
  /** Whether its body takes `attachments`. */
  readonly takesAttachments?: true;
  /** Whether its body takes a `client_id`, which makes a repeat safe. */
  readonly takesClientId?: true;
}

/** Every route by its resource and method. */
export const routes = {
  'inboxes.create': { method: 'POST', path: '/inboxes' },
  'inboxes.list': { method: 'GET', path: '/inboxes', items: 'inboxes' },
  'inboxes.get': { method: 'GET', path: '/inboxes/:id' },
  'inboxes.update': { method: 'PATCH', path: '/inboxes/:id' },
  'inboxes.delete': { method: 'DELETE', path: '/inboxes/:id' },
  'messages.send': { method: 'POST', path: '/messages', takesAttachments: true, takesClientId: true },
  'messages.list': { method: 'GET', path: '/messages', items: 'messages' },
  'messages.get': { method: 'GET', path: '/messages/:id' },
  'messages.update': { method: 'PATCH', path: '/messages/:id' },
  'messages.delete': { method: 'DELETE', path: '/messages/:id' },
  'messages.reply': { method: 'POST', path: '/messages/:id/reply', takesAttachments: true, takesClientId: true },
  'messages.forward': { method: 'POST', path: '/messages/:id/forward', takesClientId: true },
  'messages.raw': { method: 'GET', path: '/messages/:id/raw' },
  'messages.check': { method: 'POST', path: '/messages/check', takesAttachments: true, takesClientId: true },
  'threads.list': { method: 'GET', path: '/threads', items: 'threads' },
  'threads.get': { method: 'GET', path: '/threads/:id' },
  'threads.delete': { method: 'DELETE', path: '/threads/:id' },
  'attachments.get': { method: 'GET', path: '/attachments/:id' },
  'labels.create': { method: 'POST', path: '/labels' },
  'labels.list': { method: 'GET', path: '/labels', items: 'labels' },
  'labels.delete': { method: 'DELETE', path: '/labels/:id' },
  'labels.assign': { method: 'POST', path: '/labels/:id/assign' },
  'labels.unassign': { method: 'POST', path: '/labels/:id/unassign' },
  'rules.create': { method: 'POST', path: '/lists' },
  'rules.list': { method: 'GET', path: '/lists', items: 'rules' },
  'rules.delete': { method: 'DELETE', path: '/lists/:id' },
  'suppressions.list': { method: 'GET', path: '/suppressions', items: 'suppressions' },
  'suppressions.create': { method: 'POST', path: '/suppressions' },
  'suppressions.delete': { method: 'DELETE', path: '/suppressions/:address' },
  'drafts.create': { method: 'POST', path: '/drafts', takesAttachments: true },
  'drafts.list': { method: 'GET', path: '/drafts', items: 'drafts' },
  'drafts.get': { method: 'GET', path: '/drafts/:id' },
  'drafts.update': { method: 'PATCH', path: '/drafts/:id', takesAttachments: true },
  'drafts.delete': { method: 'DELETE', path: '/drafts/:id' },
  'drafts.send': { method: 'POST', path: '/drafts/:id/send', takesClientId: true },
  'domains.create': { method: 'POST', path: '/domains' },
  'domains.list': { method: 'GET', path: '/domains', items: 'domains' },
  'domains.get': { method: 'GET', path: '/domains/:id' },
  'domains.delete': { method: 'DELETE', path: '/domains/:id' },
  'domains.verify': { method: 'POST', path: '/domains/:id/verify' },
  'domains.dmarc': { method: 'POST', path: '/domains/:id/dmarc' },
  'domains.subdomain': { method: 'POST', path: '/domains/subdomain' },
  'events.list': { method: 'GET', path: '/events', items: 'events', continuesAfter: true },
  'webhooks.create': { method: 'POST', path: '/webhooks' },
  'webhooks.list': { method: 'GET', path: '/webhooks', items: 'webhooks' },
  'webhooks.get': { method: 'GET', path: '/webhooks/:id' },
  'webhooks.update': { method: 'PATCH', path: '/webhooks/:id' },
  'webhooks.delete': { method: 'DELETE', path: '/webhooks/:id' },
  'webhooks.test': { method: 'POST', path: '/webhooks/:id/test' },
  'webhooks.rotateSecret': { method: 'POST', path: '/webhooks/:id/rotate-secret' },
  'webhooks.deliveries': { method: 'GET', path: '/webhooks/:id/deliveries', items: 'deliveries' },
  'deliveries.redeliver': { method: 'POST', path: '/deliveries/:id/redeliver' },
  'account.get': { method: 'GET', path: '/account' },
} as const satisfies Record<string, Route>;

/** The name of a route: resource and method. */
export type RouteName = keyof typeof routes;

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
}

/** The codes of errors that any route may answer. */
export type CommonErrorCode = Extract<
  ErrorCode,
  | 'invalid_request'
  | 'malformed_json'
  | 'invalid_token'
  | 'not_found'
  | 'method_not_allowed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'rate_limited'
  | 'internal_error'
  | 'not_implemented'
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
    | 'domain_not_verified'
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
    | 'domain_not_verified'
    | 'auto_reply_loop'
    | 'attachment_too_large'
    | 'no_deliverable_recipients'
    | 'message_rejected';
  'messages.forward':
    | 'email_limit_reached'
    | 'storage_limit_reached'
    | 'domain_not_verified'
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
    | 'draft_already_sent'
    | 'domain_not_verified'
    | 'auto_reply_loop'
    | 'attachment_too_large'
    | 'no_deliverable_recipients'
    | 'message_rejected';
  'domains.create': 'custom_domains_require_paid_plan' | 'domain_taken';
  'domains.list': never;
  'domains.get': never;
  'domains.delete': 'domain_in_use';
  'domains.verify': never;
  'domains.dmarc': never;
  'domains.subdomain': 'dedicated_subdomain_requires_scale' | 'domain_taken';
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
}
