import type { APIPromise } from '../calls/api-promise.ts';
import type { RequestOptions } from '../calls/request.ts';
import type { Account } from '../generated/types.ts';
import { Resource } from './resource.ts';

/** The workspace of the API key. */
export class AccountResource extends Resource {
  /**
   * Returns the workspace of the API key with its plan, limits and usage.
   *
   * @example
   * const { plan, limits, usage } = await client.account.get();
   * console.log(plan, limits, usage);
   */
  get(options?: RequestOptions): APIPromise<Account> {
    return this.caller.call('account.get', {}, options);
  }
}
