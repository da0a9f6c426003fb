import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { ClaimedDelivery } from '../delivery.ts';
import { createPostSlots } from './post-slots.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const deliveries = (webhook_id: string, count: number, is_retry = false) =>
  Array.from({ length: count }, () => ({ webhook_id, is_retry }) as ClaimedDelivery);

test('there is room for as many events as the webhook that has least of it takes', () => {
  const slots = createPostSlots();
  expect(slots.roomForEvents()).toBe(128);
  for (const delivery of deliveries('a', 20)) slots.enter(delivery);
  for (const delivery of deliveries('b', 100)) slots.enter(delivery);
  for (const delivery of deliveries('c', 128, true)) slots.enter(delivery);
  expect(slots.roomForEvents()).toBe(28);
  for (const delivery of deliveries('b', 100)) slots.leave(delivery);
  expect(slots.roomForEvents()).toBe(108);
});

test('nobody waits for a webhook whose room was taken for a quarter of a second, whether it hangs or is slow', () => {
  const slots = createPostSlots();
  for (const webhook of ['hung', 'slow'])
    for (const delivery of deliveries(webhook, 128)) slots.enter(delivery);
  expect(slots.roomForEvents()).toBe(0);
  for (let n = 0; n < 3; n++) {
    vi.advanceTimersByTime(100);
    for (const delivery of deliveries('slow', 1)) slots.leave(delivery);
  }
  expect(slots.roomForEvents()).toBe(128);
  for (const delivery of deliveries('slow', 65)) slots.leave(delivery);
  expect(slots.roomForEvents()).toBe(68);
});
