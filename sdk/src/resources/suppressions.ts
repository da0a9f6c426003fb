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

/** Addresses that are not sent to any more. */
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
   * Suppresses an address: later sends leave it out.
   *
   * @example
   * await client.suppressions.create({ address: 'ada@example.com' });
   */
  create(params: CreateSuppression, options?: RequestOptions): APIPromise<Suppression> {
    return this.caller.call('suppressions.create', { body: params }, options);
  }

  /**
   * Takes an address off the list, so that it is sent to again.
   *
   * @example
   * await client.suppressions.delete('ada@example.com');
   */
  delete(address: string, options?: RequestOptions): APIPromise<void> {
    return this.caller.call('suppressions.delete', { id: address }, options);
  }
}
