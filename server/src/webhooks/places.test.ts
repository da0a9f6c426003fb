import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { createPlaces } from './places.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const deliveries = (webhook_id: string, count: number, is_retry = false) =>
  Array.from({ length: count }, () => ({ webhook_id, is_retry }) as ClaimedDelivery);

test('there is room for as many events as the webhook that has least of it takes', () => {
  const places = createPlaces();
  expect(places.roomForEvents()).toBe(128);
  for (const delivery of deliveries('a', 20)) places.enter(delivery);
  for (const delivery of deliveries('b', 100)) places.enter(delivery);
  for (const delivery of deliveries('c', 128, true)) places.enter(delivery);
  expect(places.roomForEvents()).toBe(28);
  for (const delivery of deliveries('b', 100)) places.leave(delivery);
  expect(places.roomForEvents()).toBe(108);
});

test('nobody waits for a webhook that has not answered for a quarter of a second, until it answers', () => {
  const places = createPlaces();
  for (const delivery of deliveries('hung', 128)) places.enter(delivery);
  expect(places.roomForEvents()).toBe(0);
  vi.advanceTimersByTime(251);
  expect(places.roomForEvents()).toBe(128);
  for (const delivery of deliveries('hung', 28)) places.leave(delivery);
  expect(places.roomForEvents()).toBe(28);
});
