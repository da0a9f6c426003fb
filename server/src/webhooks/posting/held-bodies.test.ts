import { afterEach, expect, test } from 'vitest';
import { bodyLimits, createHeldBodies } from './held-bodies.ts';

const { waitMs } = bodyLimits;
afterEach(() => {
  bodyLimits.waitMs = waitMs;
});

test('a workspace takes half of what is free, and leaves the rest to others', async () => {
  bodyLimits.waitMs = 0;
  const bodies = createHeldBodies();
  const mb = 1_048_576;
  const fill = async (workspaceId: string): Promise<number> => {
    let held = 0;
    while (await bodies.room(workspaceId)) {
      bodies.hold(workspaceId, mb);
      held += 1;
    }
    return held;
  };
  expect([await fill('a'), await fill('b'), await fill('c')]).toEqual([49, 24, 12]);
});

test('who waits goes on once there is room, and gives up when it is cut; who holds nothing never waits', async () => {
  const bodies = createHeldBodies();
  const release = bodies.hold('a', bodyLimits.bytesMax);
  const waiting = bodies.room('a');
  const cut = new AbortController();
  const cutting = bodies.room('a', cut.signal);
  cut.abort();
  expect(await cutting).toBe(false);
  expect(await bodies.room('b')).toBe(true);
  release();
  expect(await waiting).toBe(true);
});
