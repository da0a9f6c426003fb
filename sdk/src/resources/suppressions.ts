import type { APIPromise } from '../api-promise.ts';
import type {
  CreateSuppression,
  ListSuppressions,
  Suppression,
  SuppressionPage,
} from '../generated/types.ts';
import type { PagePromise } from '../page.ts';
import type { RequestOptions } from '../request.ts';
import { Resource } from './resource.ts';

/** Addresses that are no longer sent to. */
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
   * Suppresses an address, which later sends leave out. If it is suppressed already, returns the existing
   * entry.
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
