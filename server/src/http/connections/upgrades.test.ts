import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { isForSocket, readBearer } from './raw-requests.ts';

test.each([
  ['postrider.v1, bearer.pr_live_x', 'Bearer pr_live_x'],
  ['bearer.a,bearer.b', 'Bearer a'],
  ['postrider.v1', undefined],
  ['bearer', undefined],
  ['', undefined],
  [undefined, undefined],
])('the subprotocols %j name the key %j', (protocols, authorization) => {
  expect(readBearer(protocols)).toBe(authorization);
});

test.each([
  ['GET', '/v1/realtime', 'websocket', true],
  ['GET', '/v1/realtime/?after=latest', 'WebSocket', true],
  ['POST', '/v1/realtime', 'websocket', false],
  ['GET', '/v1/realtime', 'h2c', false],
  ['GET', '/v1/realtimes', 'websocket', false],
  ['GET', '/v1/inboxes?x=/v1/realtime', 'websocket', false],
  ['GET', '/v1/realtime', undefined, false],
])('%s %s with the upgrade %s is for a socket: %j', (method, url, upgrade, expected) => {
  expect(isForSocket({ method, url, headers: { upgrade } } as unknown as IncomingMessage)).toBe(expected);
});
