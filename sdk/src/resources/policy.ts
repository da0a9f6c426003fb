import type { APIPromise } from '../calls/api-promise.ts';
import type { RequestOptions } from '../calls/request.ts';
import type { EffectivePolicy, GetPolicy } from '../generated/types.ts';
import { Resource } from './resource.ts';

/** The mail that people allow the API key to send. */
export class PolicyResource extends Resource {
  /**
   * Returns the sending policy of the API key, and where each setting comes from. With `inbox_id`, the
   * policy of that inbox is included. A key cannot change a policy.
   *
   * @example
   * const { send, per_day, paused } = await client.policy.get();
   * console.log(send === 'approve' ? 'people approve each message' : send, per_day, paused);
   */
  get(query?: GetPolicy, options?: RequestOptions): APIPromise<EffectivePolicy> {
    return this.caller.call('policy.get', { query }, options);
  }
}
