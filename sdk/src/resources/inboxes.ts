import type { APIPromise } from '../calls/api-promise.ts';
import { getOrCreateInbox } from '../calls/get-or-create.ts';
import type { PagePromise } from '../calls/page.ts';
import type { RequestOptions } from '../calls/request.ts';
import type { CreateInbox, Inbox, InboxPage, ListInboxes, UpdateInbox } from '../generated/types.ts';
import { Resource } from './resource.ts';

/** Addresses that send and receive mail. */
export class Inboxes extends Resource {
  /**
   * Creates an inbox and returns it. On the shared domain it can send and receive at once. Throws an
   * `APIError` with `address_taken`, `inbox_limit_reached` or `domain_not_verified`.
   *
   * @example
   * const inbox = await client.inboxes.create({ local_part: 'support', display_name: 'Support' });
   * console.log(inbox.address);
   */
  create(params: CreateInbox, options?: RequestOptions): APIPromise<Inbox> {
    return this.caller.call('inboxes.create', { body: params }, options);
  }

  /**
   * Returns the inbox with this address if the workspace has it, and creates it otherwise. An agent can call
   * this at every start, because an existing inbox is not changed. Throws an `APIError` with `address_taken`
   * if the workspace cannot have the address.
   *
   * @example
   * const inbox = await client.inboxes.getOrCreate({ local_part: 'support', display_name: 'Support' });
   */
  getOrCreate(params: CreateInbox, options?: RequestOptions): APIPromise<Inbox> {
    return getOrCreateInbox(this.caller, params, options);
  }

  /**
   * Lists the inboxes of the workspace, newest first. With `address`, lists only the inbox that has it.
   *
   * @example
   * for await (const { address } of client.inboxes.list()) console.log(address);
   */
  list(query?: ListInboxes, options?: RequestOptions): PagePromise<InboxPage> {
    return this.caller.list('inboxes.list', { query }, options);
  }

  /**
   * Returns an inbox.
   *
   * @example
   * const { address } = await client.inboxes.get(inbox.id);
   */
  get(id: string, options?: RequestOptions): APIPromise<Inbox> {
    return this.caller.call('inboxes.get', { id }, options);
  }

  /**
   * Changes the display name or the metadata of an inbox, and returns it. Its address never changes.
   *
   * @example
   * await client.inboxes.update(inbox.id, { display_name: 'Support of Example', metadata: { team: 'support' } });
   */
  update(id: string, params: UpdateInbox, options?: RequestOptions): APIPromise<Inbox> {
    return this.caller.call('inboxes.update', { id, body: params }, options);
  }

  /**
   * Deletes an inbox with all its messages, threads and drafts.
   *
   * @example
   * await client.inboxes.delete(inbox.id);
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('inboxes.delete', { id }, options);
  }
}
