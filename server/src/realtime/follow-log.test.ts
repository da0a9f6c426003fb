import { afterEach, expect, test, vi } from 'vitest';
import { hasTaken } from './follow-log.ts';

afterEach(() => void vi.useRealTimers());

const withinMs = 15_000;

/** The part of a channel that `hasTaken` reads. */
const makePeer = () => {
  const peer = {
    waitingBytes: 1_000_000,
    tookAll: () => {},
    whenSent: (then: () => void) => {
      peer.tookAll = then;
    },
  };
  return peer;
};

test('a socket that takes a part of what waits for it in the time is waited for, until it has all', async () => {
  vi.useFakeTimers();
  const peer = makePeer();
  const taken = hasTaken(peer, withinMs);
  for (let turn = 0; turn < 5; turn++) {
    peer.waitingBytes -= 100_000;
    await vi.advanceTimersByTimeAsync(withinMs);
  }
  peer.tookAll();
  expect(await taken).toBe(true);
});

test('a socket that takes nothing in the time is not', async () => {
  vi.useFakeTimers();
  const peer = makePeer();
  const taken = hasTaken(peer, withinMs);
  peer.waitingBytes -= 1;
  await vi.advanceTimersByTimeAsync(2 * withinMs);
  expect(await taken).toBe(false);
});
