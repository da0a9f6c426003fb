import type { APIPromise } from '../api-promise.ts';
import type { ListThreads, ThreadPage, ThreadWithMessages } from '../generated/types.ts';
import type { PagePromise } from '../page.ts';
import type { RequestOptions } from '../request.ts';
import { Resource } from './resource.ts';

/** Conversations within one inbox. */
export class Threads extends Resource {
  /** Lists threads, last activity first. */
  list(query?: ListThreads, options?: RequestOptions): PagePromise<ThreadPage> {
    return this.caller.list('threads.list', { query }, options);
  }

  /** Gets a thread with its newest 200 messages, oldest first. */
  get(id: string, options?: RequestOptions): APIPromise<ThreadWithMessages> {
    return this.caller.call('threads.get', { id }, options);
  }

  /** Deletes a thread with all its messages at once; mail that answers them begins a new thread. */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('threads.delete', { id }, options);
  }
}
