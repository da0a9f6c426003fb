import type { APIPromise } from '../api-promise.ts';
import type { Account } from '../generated/types.ts';
import type { RequestOptions } from '../request.ts';
import { Resource } from './resource.ts';

/** The workspace of the key. */
export class AccountResource extends Resource {
  /**
   * Returns the workspace of the key, its plan, limits and usage.
   *
   * @example
   * const { plan, limits, usage } = await client.account.get();
   * console.log(plan, limits, usage);
   */
  get(options?: RequestOptions): APIPromise<Account> {
    return this.caller.call('account.get', {}, options);
  }
}
