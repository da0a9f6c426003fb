import type { APIPromise } from '../api-promise.ts';
import type { CreateInbox, Inbox, InboxPage, ListInboxes, UpdateInbox } from '../generated/types.ts';
import type { PagePromise } from '../page.ts';
import type { RequestOptions } from '../request.ts';
import { Resource } from './resource.ts';

/** Addresses that send and receive mail. */
export class Inboxes extends Resource {
  /** Creates an inbox, live at once on the shared domain. */
  create(params: CreateInbox, options?: RequestOptions): APIPromise<Inbox> {
    return this.caller.call('inboxes.create', { body: params }, options);
  }

  /** Lists the inboxes of the workspace, newest first; with `address` the one that has it. */
  list(query?: ListInboxes, options?: RequestOptions): PagePromise<InboxPage> {
    return this.caller.list('inboxes.list', { query }, options);
  }

  /** Gets an inbox. */
  get(id: string, options?: RequestOptions): APIPromise<Inbox> {
    return this.caller.call('inboxes.get', { id }, options);
  }

  /** Changes the display name or the metadata of an inbox; its address stays. */
  update(id: string, params: UpdateInbox, options?: RequestOptions): APIPromise<Inbox> {
    return this.caller.call('inboxes.update', { id, body: params }, options);
  }

  /** Deletes an inbox with all its messages, threads and drafts. */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('inboxes.delete', { id }, options);
  }
}
