import type { CreateInbox, CreateLabel, CreateWebhook, Inbox, Label, Webhook } from '../generated/types.ts';
import { APIError } from './api-error.ts';
import { type Answered, APIPromise } from './api-promise.ts';
import type { Caller } from './call.ts';
import type { RequestOptions } from './request.ts';

/** Returns the workspace's inbox with this address, and creates it if it does not exist. */
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
    // A repeat fails because the address is taken, and names the inbox that the first attempt created.
    return await caller.callRepeatably('inboxes.create', { body: params }, options).withResponse();
  } catch (error) {
    if (!(error instanceof APIError) || error.code !== 'address_taken' || error.inbox_id === undefined)
      throw error;
    return caller.call('inboxes.get', { id: error.inbox_id }, options).withResponse();
  }
}

/** Returns the workspace's label with this name, ignoring case, and creates it if it does not exist. */
export function getOrCreateLabel(
  caller: Caller,
  params: CreateLabel,
  options: RequestOptions = {},
): APIPromise<Label> {
  return new APIPromise(createOrFindLabel(caller, params, options));
}

async function createOrFindLabel(
  caller: Caller,
  params: CreateLabel,
  options: RequestOptions,
): Promise<Answered<Label>> {
  try {
    return await caller.callRepeatably('labels.create', { body: params }, options).withResponse();
  } catch (error) {
    if (!(error instanceof APIError) || error.code !== 'label_name_taken') throw error;
    const wanted = params.name.trim().toLowerCase();
    for (let page = caller.list('labels.list', { query: { limit: 100 } }, options); ; ) {
      const { data: listed, ...answered } = await page.withResponse();
      const label = listed.labels.find(({ name }) => name.toLowerCase() === wanted);
      if (label !== undefined) return { data: label, ...answered };
      // It was deleted meanwhile.
      if (!listed.hasNextPage()) throw error;
      page = listed.nextPage();
    }
  }
}

/**
 * Returns the webhook with this URL and these inboxes, enabled and with these events. Creates it if it does
 * not exist. If several programs create it at the same moment, all but the first delete theirs and return the
 * first one.
 */
export async function ensureWebhook(
  caller: Caller,
  params: CreateWebhook,
  options: RequestOptions = {},
): Promise<Webhook & { secret?: string }> {
  const { events } = params;
  const known = await oldestLike(caller, params, options);
  if (!known) {
    const created = await caller.call('webhooks.create', { body: params }, options);
    const oldest = await oldestLike(caller, params, options);
    if (!oldest || oldest.id >= created.id) return created;
    await caller.call('webhooks.delete', { id: created.id }, options);
    return oldest;
  }
  if (known.enabled && sorted(known.events) === sorted(events)) return known;
  return caller.call('webhooks.update', { id: known.id, body: { events, enabled: true } }, options);
}

async function oldestLike(
  caller: Caller,
  params: CreateWebhook,
  options: RequestOptions,
): Promise<Webhook | undefined> {
  const { url } = params;
  let oldest: Webhook | undefined;
  for await (const known of caller.list('webhooks.list', { query: { limit: 100 } }, options)) {
    const isSameURL = known.url === url || (URL.canParse(url) && known.url === new URL(url).href);
    if (isSameURL && describeInboxes(known) === describeInboxes(params)) oldest = known;
  }
  return oldest;
}

function describeInboxes({ inbox_ids }: Pick<CreateWebhook, 'inbox_ids'>): string {
  return sorted(inbox_ids ?? []);
}

function sorted(items: readonly string[]): string {
  return items.toSorted().join();
}
