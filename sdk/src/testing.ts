/*
 * `postrider/testing`: what a test needs to post deliveries to a webhook of its own. Every name here is a promise to users.
 */

export { type EventOf, type EventOverrides, sampleEvent } from './testing/sample-event.ts';
export {
  type DeliveredEvent,
  type SignedDelivery,
  type SignOptions,
  signDelivery,
  testSecret,
} from './testing/sign-delivery.ts';
