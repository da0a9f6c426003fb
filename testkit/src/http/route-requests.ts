/**
 * The things that a request can name by an id. `held` is a message that waits for approval. `suppressed` is an address, by which a
 * suppression is named.
 */
export type Named =
  | 'inbox'
  | 'message'
  | 'thread'
  | 'attachment'
  | 'label'
  | 'rule'
  | 'webhook'
  | 'delivery'
  | 'draft'
  | 'domain'
  | 'event'
  | 'held'
  | 'suppressed';

/** The parts of a request that differ from route to route. */
export interface RequestParts {
  path?: Record<string, string>;
  query?: Record<string, string>;
  body?: object;
}

/** Returns a valid request of a route. It calls `id` once for each place of an id. */
export type RouteRequest = (id: (named: Named) => string) => RequestParts;

const plain: RouteRequest = () => ({});
function of(named: Named, more: Omit<RequestParts, 'path'> = {}): RouteRequest {
  return (id) => ({ path: { id: id(named) }, ...more });
}
function withBody(body: object): RouteRequest {
  return () => ({ body });
}
const labelled: RouteRequest = (id) => ({ path: { id: id('label') }, body: { message_id: id('message') } });
function message(inboxId: string) {
  return { inbox_id: inboxId, to: ['ada@remote.example'], subject: 'Hello' };
}

/** One valid request for every route of the contract, by its name, with an id in every place that takes one. */
export const routeRequests: Record<string, RouteRequest> = {
  'inboxes.create': (id) => ({ body: { local_part: 'one-of-its-own', domain_id: id('domain') } }),
  'inboxes.list': plain,
  'inboxes.get': of('inbox'),
  'inboxes.update': of('inbox', { body: { display_name: 'Changed' } }),
  'inboxes.delete': of('inbox'),
  'messages.send': (id) => ({ body: message(id('inbox')) }),
  'messages.list': (id) => ({
    query: { inbox_id: id('inbox'), thread_id: id('thread'), label_id: id('label') },
  }),
  'messages.get': of('message'),
  'messages.update': (id) => ({
    path: { id: id('message') },
    body: { add_labels: [id('label')], read: true, metadata: { order: '17' } },
  }),
  'messages.delete': of('message'),
  'messages.reply': of('message', { body: { text: 'Thank you.' } }),
  'messages.forward': of('message', { body: { to: ['bob@remote.example'] } }),
  'messages.raw': of('message'),
  'messages.check': (id) => ({ body: message(id('inbox')) }),
  'threads.list': (id) => ({ query: { inbox_id: id('inbox'), label_id: id('label') } }),
  'threads.get': of('thread'),
  'threads.delete': of('thread'),
  'attachments.get': of('attachment'),
  'labels.create': withBody({ name: 'Urgent' }),
  'labels.list': plain,
  'labels.delete': of('label'),
  'labels.assign': labelled,
  'labels.unassign': labelled,
  'rules.create': withBody({ kind: 'block', direction: 'both', pattern: 'spam.example' }),
  'rules.list': plain,
  'rules.delete': of('rule'),
  'suppressions.create': withBody({ address: 'eve@remote.example' }),
  'suppressions.list': plain,
  'suppressions.delete': (id) => ({ path: { address: id('suppressed') } }),
  'drafts.create': (id) => ({ body: { inbox_id: id('inbox'), reply_to_message_id: id('message') } }),
  'drafts.list': (id) => ({ query: { inbox_id: id('inbox') } }),
  'drafts.get': of('draft'),
  'drafts.update': (id) => ({ path: { id: id('draft') }, body: { reply_to_message_id: id('message') } }),
  'drafts.delete': of('draft'),
  'drafts.send': of('draft', { body: {} }),
  'domains.create': withBody({ hostname: 'mail.example.com' }),
  'domains.list': plain,
  'domains.get': of('domain'),
  'domains.delete': of('domain'),
  'domains.verify': of('domain', { body: {} }),
  'domains.dmarc': of('domain', { body: { policy: 'none' } }),
  'domains.subdomain': withBody({ label: 'acme' }),
  'events.list': (id) => ({ query: { after: id('event'), inbox_id: id('inbox') } }),
  'webhooks.create': (id) => ({
    body: { url: 'https://agent.example.com/hooks', events: ['message.received'], inbox_ids: [id('inbox')] },
  }),
  'webhooks.list': plain,
  'webhooks.get': of('webhook'),
  'webhooks.update': (id) => ({
    path: { id: id('webhook') },
    body: { enabled: false, inbox_ids: [id('inbox')] },
  }),
  'webhooks.delete': of('webhook'),
  'webhooks.test': of('webhook', { body: {} }),
  'webhooks.rotateSecret': of('webhook', { body: {} }),
  'webhooks.deliveries': of('webhook'),
  'deliveries.redeliver': of('delivery', { body: {} }),
  'account.get': plain,
  'policy.get': (id) => ({ query: { inbox_id: id('inbox') } }),
};

/** Returns the places for ids in a request, in the order in which the request asks for them. */
export function listPlaces(request: RouteRequest): Named[] {
  const places: Named[] = [];
  request((named) => {
    places.push(named);
    return 'x';
  });
  return places;
}
