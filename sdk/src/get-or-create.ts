import { APIError } from './api-error.ts';
import { type Answered, APIPromise } from './api-promise.ts';
import type { Caller } from './call.ts';
import type { CreateInbox, CreateWebhook, Inbox, Webhook } from './generated/types.ts';
import type { RequestOptions } from './request.ts';

/** Gives the inbox of the workspace with this address, created when there is none. */
export function getOrCreateInbox(
  caller: Caller,
  params: CreateInbox,
  options: RequestOptions = {},
): APIPromise<Inbox> {
  return new APIPromise(getOrCreate(caller, params, options));
}

async function getOrCreate(
  caller: Caller,
  params: CreateInbox,
  options: RequestOptions,
): Promise<Answered<Inbox>> {
  try {
    // A repeat finds the address taken, by the inbox that the first one made.
    return await caller.callRepeatably('inboxes.create', { body: params }, options).withResponse();
  } catch (error) {
    const id = await findOwn(caller, params, error, options);
    if (id === null) throw error;
    return caller.call('inboxes.get', { id }, options).withResponse();
  }
}

/** The id of the own inbox that stood in the way of a creation; null when it was something else. */
async function findOwn(
  caller: Caller,
  { local_part, domain_id = null }: CreateInbox,
  error: unknown,
  options: RequestOptions,
): Promise<string | null> {
  if (!(error instanceof APIError)) return null;
  if ('inbox_id' in error && typeof error.inbox_id === 'string') return error.inbox_id;
  const isTaken = error.code === 'address_taken' && !('reason' in error);
  // Where the plan has no room for another inbox, the server does not get to look at the address.
  if (!isTaken && error.code !== 'inbox_limit_reached') return null;
  for await (const inbox of caller.list('inboxes.list', { query: { limit: 100 } }, options)) {
    if (inbox.local_part === local_part.toLowerCase() && inbox.domain_id === domain_id) return inbox.id;
  }
  return null;
}

/** Gives the webhook with this URL and these inboxes, with these events and enabled, created when there is none. */
export async function ensureWebhook(
  caller: Caller,
  params: CreateWebhook,
  options: RequestOptions = {},
): Promise<Webhook & { secret?: string }> {
  const known = await findWebhook(caller, params, options);
  if (known === null) {
    const created = await caller.call('webhooks.create', { body: params }, options);
    // Another process may have created one at the same moment: both keep the older one.
    const oldest = await findWebhook(caller, params, options);
    if (oldest === null || oldest.id === created.id) return created;
    await caller.call('webhooks.delete', { id: created.id }, options);
    return oldest;
  }
  const events = params.events ?? known.events;
  if (known.enabled && isSame(known.events, events)) return known;
  return caller.call('webhooks.update', { id: known.id, body: { events, enabled: true } }, options);
}

/** The oldest webhook with this URL and these inboxes. */
async function findWebhook(
  caller: Caller,
  params: CreateWebhook,
  options: RequestOptions,
): Promise<Webhook | null> {
  const webhooks: Webhook[] = [];
  for await (const webhook of caller.list('webhooks.list', { query: { limit: 100 } }, options)) {
    if (isSameURL(webhook.url, params.url) && isSame(inboxesOf(webhook), inboxesOf(params)))
      webhooks.push(webhook);
  }
  return webhooks.reduce<Webhook | null>(
    (oldest, one) => (oldest && oldest.id < one.id ? oldest : one),
    null,
  );
}

function inboxesOf(webhook: object): string[] {
  const ids = 'inbox_ids' in webhook ? webhook.inbox_ids : null;
  return Array.isArray(ids) ? ids : [];
}

/** Servers write URLs in their normal form. */
function isSameURL(one: string, other: string): boolean {
  return one === other || (URL.canParse(other) && one === new URL(other).href);
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one) => others.includes(one));
}
