import type { APIPromise } from '../calls/api-promise.ts';
import type { PagePromise } from '../calls/page.ts';
import type { RequestOptions } from '../calls/request.ts';
import type {
  CreateSuppression,
  ListSuppressions,
  Suppression,
  SuppressionPage,
} from '../generated/types.ts';
import { Resource } from './resource.ts';

/** Addresses that the workspace no longer sends to. */
export class Suppressions extends Resource {
  /**
   * Lists the suppressed addresses, newest first.
   *
   * @example
   * for await (const { address, reason } of client.suppressions.list()) console.log(address, reason);
   */
  list(query?: ListSuppressions, options?: RequestOptions): PagePromise<SuppressionPage> {
    return this.caller.list('suppressions.list', { query }, options);
  }

  /**
   * Suppresses an address, so that later sends leave it out, and returns its entry. If it is already
   * suppressed, returns the existing entry.
   *
   * @example
   * await client.suppressions.create({ address: 'ada@example.com' });
   */
  create(params: CreateSuppression, options?: RequestOptions): APIPromise<Suppression> {
    return this.caller.call('suppressions.create', { body: params }, options);
  }

  /**
   * Removes an address from the list, so that later sends include it again.
   *
   * @example
   * await client.suppressions.delete('ada@example.com');
   */
  delete(address: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('suppressions.delete', { id: address }, options);
  }
}
