import type { Delivery } from 'postrider';
import { expect, it } from 'vitest';
import { hasFailed } from './webhook-state.tsx';

const attempt = { at: '2026-11-29T10:00:00.000Z', status_code: 500, error: null, duration_ms: 3 };
const delivery = (status: Delivery['status'], attempts: Delivery['attempts']): Delivery => ({
  id: 'dlv_1',
  webhook_id: 'whk_1',
  event_id: 'evt_1',
  event: 'message.received',
  status,
  attempts,
  next_attempt_at: null,
  created_at: attempt.at,
});

it('counts a delivery that failed, for good or until its next attempt', () => {
  expect(hasFailed(delivery('failed', [attempt]))).toBe(true);
  expect(hasFailed(delivery('pending', [attempt]))).toBe(true);
});

it('counts none that succeeded, or that was not tried yet', () => {
  expect(hasFailed(delivery('succeeded', [attempt, { ...attempt, status_code: 200 }]))).toBe(false);
  expect(hasFailed(delivery('pending', []))).toBe(false);
  expect(hasFailed(null)).toBe(false);
});
