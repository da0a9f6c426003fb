import type { APIPromise } from '../calls/api-promise.ts';
import type { PagePromise } from '../calls/page.ts';
import type { RequestOptions } from '../calls/request.ts';
import type { ListThreads, ThreadPage, ThreadWithMessages } from '../generated/types.ts';
import { Resource } from './resource.ts';

/** Conversations within one inbox. */
export class Threads extends Resource {
  /**
   * Lists threads, those with the latest activity first.
   *
   * @example
   * for await (const { subject, message_count } of client.threads.list({ inbox_id: inbox.id }))
   *   console.log(subject, message_count);
   */
  list(query?: ListThreads, options?: RequestOptions): PagePromise<ThreadPage> {
    return this.caller.list('threads.list', { query }, options);
  }

  /**
   * Searches messages and returns their threads, best first, each once, with its best match in `messages`.
   *
   * @example
   * for await (const { subject, messages } of client.threads.search('delivery date', { inbox_id: inbox.id }))
   *   console.log(subject, messages?.[0]?.snippet);
   */
  search(
    query: string,
    params: Omit<ListThreads, 'query'> = {},
    options?: RequestOptions,
  ): PagePromise<ThreadPage> {
    return this.list({ ...params, query }, options);
  }

  /**
   * Returns a thread with its newest 200 messages, oldest first.
   *
   * @example
   * const { messages } = await client.threads.get(message.thread_id);
   * console.log(messages.map(({ from_addr, extracted_text }) => `${from_addr}: ${extracted_text}`).join('\n'));
   */
  get(id: string, options?: RequestOptions): APIPromise<ThreadWithMessages> {
    return this.caller.call('threads.get', { id }, options);
  }

  /**
   * Deletes a thread with all its messages at once. Mail that replies to them begins a new thread.
   *
   * @example
   * await client.threads.delete(message.thread_id);
   */
  delete(id: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('threads.delete', { id }, options);
  }
}
