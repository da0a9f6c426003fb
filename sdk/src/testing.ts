/*
 * `postrider/testing`: what a test needs: a fake server in its process, a real one, and deliveries for a webhook of its own. Every
 * name here is a promise to users.
 */

export {
  type FakeAnswer,
  type FakeClientOptions,
  type FakeRequest,
  FakeServer,
  type MswLike,
} from './testing/fake-server.ts';

export { type EventOf, type EventOverrides, sampleEvent } from './testing/sample-event.ts';
export {
  type DeliveredEvent,
  type SignedDelivery,
  type SignOptions,
  signDelivery,
  testSecret,
} from './testing/sign-delivery.ts';
export { type StartedServer, type StartServerOptions, startServer } from './testing/start-server.ts';
