import { EventEmitter } from 'node:events';
import { afterEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { createKeepAlive, type KeepAlive } from './keep-alive.ts';
import { socketChannel } from './open-socket.ts';

afterEach(() => void vi.useRealTimers());

/** The part of a socket that its channel uses for signs of life. */
const makePeer = (answers: boolean) => {
  const peer = Object.assign(new EventEmitter(), {
    readyState: WebSocket.OPEN as number,
    pings: [] as number[],
    bufferedAmount: 0,
    ping: () => {
      peer.pings.push(Date.now());
      if (answers) peer.emit('pong');
    },
    terminate: () => {
      peer.readyState = WebSocket.CLOSED;
      peer.emit('close');
    },
  });
  return peer;
};

const add = (keepAlive: KeepAlive, peer: ReturnType<typeof makePeer>) => {
  const channel = socketChannel(peer as never, { cork: () => {}, uncork: () => {} });
  keepAlive.add(channel, () => channel.beat(null));
};

test('each socket is asked once in the time, a share of them at each moment, and one that does not answer is cut at the second', () => {
  vi.useFakeTimers();
  const keepAlive = createKeepAlive(25_000);
  const lively = Array.from({ length: 100 }, () => makePeer(true));
  const silent = makePeer(false);
  for (const peer of [...lively, silent]) add(keepAlive, peer);
  vi.advanceTimersByTime(25_000);
  expect(lively.map(({ pings }) => pings.length)).toEqual(Array(100).fill(1));
  const moments = lively.flatMap(({ pings }) => pings);
  expect(new Set(moments).size).toBe(25);
  expect([silent.pings.length, silent.readyState]).toEqual([1, WebSocket.OPEN]);
  vi.advanceTimersByTime(25_000);
  expect([silent.pings.length, silent.readyState]).toEqual([1, WebSocket.CLOSED]);
  lively[0]?.terminate();
  keepAlive.stop();
  vi.advanceTimersByTime(100_000);
  expect(lively.map(({ pings }) => pings.length)).toEqual(Array(100).fill(2));
});

test('a socket that has not come to the question, because it still takes what is before it, stays', () => {
  vi.useFakeTimers();
  const keepAlive = createKeepAlive(25_000);
  const slow = makePeer(false);
  slow.bufferedAmount = 3_000;
  add(keepAlive, slow);
  for (const left of [3_000, 2_000, 1_000]) {
    slow.bufferedAmount = left;
    vi.advanceTimersByTime(25_000);
    expect(slow.readyState).toBe(WebSocket.OPEN);
  }
  vi.advanceTimersByTime(25_000);
  expect(slow.readyState).toBe(WebSocket.CLOSED);
  keepAlive.stop();
});

test('a socket that is closing is left to its own time', () => {
  vi.useFakeTimers();
  const keepAlive = createKeepAlive(25_000);
  const peer = makePeer(false);
  add(keepAlive, peer);
  vi.advanceTimersByTime(25_000);
  peer.readyState = WebSocket.CLOSING;
  vi.advanceTimersByTime(100_000);
  expect([peer.pings.length, peer.readyState]).toEqual([1, WebSocket.CLOSING]);
  keepAlive.stop();
});
