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
  const { url, events } = params;
  for await (const { id, ...known } of caller.list('webhooks.list', { query: { limit: 100 } }, options)) {
    const isSameURL = known.url === url || (URL.canParse(url) && known.url === new URL(url).href);
    if (isSameURL && inboxesOf(known) === inboxesOf(params)) {
      if (known.enabled && sorted(known.events) === sorted(events)) return { id, ...known };
      return caller.call('webhooks.update', { id, body: { events, enabled: true } }, options);
    }
  }
  return caller.call('webhooks.create', { body: params }, options);
}

function inboxesOf(webhook: object): string {
  return sorted(('inbox_ids' in webhook && (webhook.inbox_ids as string[] | null)) || []);
}

function sorted(items: readonly string[]): string {
  return items.toSorted().join();
}
