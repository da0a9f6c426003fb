import { keepBusy } from '@postrider/testkit/servers/keep-busy.ts';
import { expect, test } from 'vitest';
import { loopIdle } from './loop-idle.ts';

test('an event loop without work is waited for briefly', async () => {
  const later = new Promise((resolve) => setTimeout(resolve, 30_000, 'late').unref());
  expect(await Promise.race([loopIdle(60_000), later])).not.toBe('late');
});

test('an event loop that is busy is waited for as long as it may take', async () => {
  const stop = keepBusy();
  const from = performance.now();
  await loopIdle(200);
  stop();
  expect(performance.now() - from).toBeGreaterThanOrEqual(200);
});
