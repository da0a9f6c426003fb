import type { APIPromise } from '../api-promise.ts';
import type { Delivery } from '../generated/types.ts';
import type { RequestOptions } from '../request.ts';
import { Resource } from './resource.ts';

/** Posts of events to webhooks. */
export class Deliveries extends Resource {
  /** Posts the same event to the same webhook once more and gives the new delivery. */
  redeliver(id: string, options?: RequestOptions): APIPromise<Delivery> {
    return this.caller.call('deliveries.redeliver', { id }, options);
  }
}
