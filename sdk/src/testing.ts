/*
 * `postrider/testing`: a fake server in the process of the test, a real server, and signed deliveries for a
 * webhook receiver. Every name here is a promise to users.
 */

export type { EventOf } from './streams/event-stream.ts';
export {
  type FakeAnswer,
  type FakeClientOptions,
  type FakeRequest,
  FakeServer,
  type MswLike,
} from './testing/fake-server.ts';
export { type EventOverrides, sampleEvent } from './testing/sample-event.ts';
export {
  type DeliveredEvent,
  type SignedDelivery,
  type SignOptions,
  signDelivery,
  testSecret,
} from './testing/sign-delivery.ts';
export { type StartedServer, type StartServerOptions, startServer } from './testing/start-server.ts';
