import type { APIPromise } from '../calls/api-promise.ts';
import type { RequestOptions } from '../calls/request.ts';
import type { Delivery } from '../generated/types.ts';
import { Resource } from './resource.ts';

/** Deliveries of events to webhooks. */
export class Deliveries extends Resource {
  /**
   * Posts the same event to the same webhook once more, and returns the new delivery after its first attempt.
   * Throws an `APIError` with `limit_reached` if too many tests and redeliveries are in progress.
   *
   * @example
   * const delivery = await client.deliveries.redeliver('dlv_01m7z2h4myefgtxva99ef6d5ws');
   * console.log(delivery.status, delivery.attempts);
   */
  redeliver(id: string, options?: RequestOptions): APIPromise<Delivery> {
    return this.caller.call('deliveries.redeliver', { id }, options);
  }
}
