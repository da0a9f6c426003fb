import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { StubRealtime } from '../../test/stub-realtime.ts';
import { Caller } from '../calls/call.ts';
import { callSettings } from '../client-options.ts';
import type { EventStream } from '../index.ts';
import { followEvents } from './follow-events.ts';
import { LogReader } from './log-reader.ts';
import { PersistentRequests } from './persistent-requests.ts';

/** Takes `count` events from a stream and leaves it open. */
async function take(stream: EventStream, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const { value, done } = await stream.next();
    if (done) throw new Error('The stream has ended.');
    ids.push(value.id);
  }
  return ids;
}

const opened = (server: StubRealtime, count = 1) => expect.poll(() => server.sockets.size).toBe(count);
const sockets = ({ seen }: StubRealtime) => seen.filter((request) => request.startsWith('SOCKET'));

describe('a stream of events', () => {
  it('gives what happens from the call on over one socket', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add(2);
    const stream = events.stream();
    const first = take(stream, 3);
    await opened(server);
    const added = [...server.add(2), ...server.add()];
    expect(await first).toEqual(added);
    expect(server.seen).toEqual(['POLL ?after=latest&limit=1', 'SOCKET ?after=evt_00002']);
    await stream.return();
  });

  it('begins with the call, and not when the first event is asked for', async () => {
    const server = new StubRealtime();
    const { events, account } = await server.open();
    server.add();
    const stream = events.stream();
    await account.get();
    const added = server.add(3);
    expect(await take(stream, 3)).toEqual(added);
    await stream.return();
  });

  it('gives what follows an event, with its filters', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    const [first = '', ...others] = server.add(250);
    const stream = events.stream({
      after: first,
      events: ['message.received', 'message.bounced'],
      inbox_id: 'inb_1',
    });
    expect(await take(stream, 249)).toEqual(others);
    expect(server.seen).toEqual([
      `SOCKET ?events=message.received%2Cmessage.bounced&inbox_id=inb_1&after=${first}`,
    ]);
    await stream.return();
  });

  it('follows an empty log by polls until it has an event', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    const stream = events.stream();
    const first = take(stream, 2);
    await expect.poll(() => server.seen.length).toBe(2);
    const added = [...server.add()];
    await opened(server);
    added.push(...server.add());
    expect(await first).toEqual(added);
    await stream.return();
  });

  it.each([1001, 1006, 1011, 4008])(
    'goes on behind the last event when its socket is closed with %i',
    async (code) => {
      const server = new StubRealtime();
      const { events } = await server.open();
      server.add();
      const stream = events.stream();
      const taken = take(stream, 30);
      await opened(server);
      const added: string[] = [];
      for (let round = 0; round < 6; round++) {
        added.push(...server.add(2));
        if (code === 1006) for (const socket of server.sockets) socket.terminate();
        else server.closeAll(code);
        await expect.poll(() => sockets(server).length).toBe(round + 2);
        added.push(...server.add(3));
      }
      expect(await taken).toEqual(added);
      await stream.return();
    },
  );

  it('reads the log where no socket can be opened, and tries again ever more rarely', async () => {
    const server = new StubRealtime();
    server.refuseSockets = 404;
    const { events } = await server.open();
    server.add();
    const stream = events.stream();
    await expect.poll(() => server.seen.length).toBe(1);
    const fromMs = performance.now();
    const added: string[] = [];
    for (let round = 0; round < 40; round++) {
      added.push(...server.add());
      expect(await take(stream, 1)).toEqual(added.slice(-1));
      await sleep(25);
    }
    expect(sockets(server).length).toBeGreaterThan(1);
    // The pauses are at least 150 ms, 300 ms, 600 ms and so on.
    const triesMax = 2 + Math.log2((performance.now() - fromMs) / 150 + 1);
    expect(sockets(server).length).toBeLessThanOrEqual(triesMax);
    await stream.return();
  });

  it('opens the next socket soon after one that was open for long, though it brought nothing', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add();
    const stream = events.stream();
    const first = take(stream, 1);
    for (let round = 1; round <= 5; round++) {
      await expect.poll(() => sockets(server).length).toBe(round);
      await opened(server);
      await sleep(320);
      server.closeAll(1001);
    }
    const added = server.add();
    expect(await first).toEqual(added);
    await stream.return();
  });

  it('reads at once what sockets that break do not bring, and opens the next one later', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add();
    const stream = events.stream();
    const first = take(stream, 1);
    for (let round = 1; round <= 3; round++) {
      await expect.poll(() => sockets(server).length).toBe(round);
      await opened(server);
      server.isMute = round === 3;
      if (round < 3) server.closeAll(1011);
    }
    const added = server.add();
    server.closeAll(1011);
    expect(await first).toEqual(added);
    const third = server.seen.flatMap((request, at) => (request.startsWith('SOCKET') ? [at] : []))[2]!;
    expect(server.seen[third + 1]).toMatch(/^POLL/);
    await stream.return();
  });

  it('asks the log where a socket says nothing for long, and leaves one that is dead', async () => {
    const server = new StubRealtime();
    await server.open();
    const [start = ''] = server.add();
    const { signal } = new AbortController();
    const caller = new Caller(callSettings({ apiKey: 'pr_test_key', baseURL: server.baseURL }));
    const log = new LogReader(caller, {}, start, new PersistentRequests(signal));
    const events = followEvents(caller, log, { transport: 'socket', silentMsMax: 100 }, signal);
    const first = events.next();
    await opened(server);
    await expect.poll(() => server.seen.length).toBeGreaterThan(3);
    expect(sockets(server)).toHaveLength(1);
    server.isMute = true;
    const added = server.add(2);
    server.isMute = false;
    const ids = [(await first).value, (await events.next()).value].map((event) => event?.id);
    expect(ids).toEqual(added);
    const next = events.next();
    await expect.poll(() => sockets(server).at(-1)).toBe(`SOCKET ?after=${added[1]}`);
    const [last] = server.add();
    expect((await next).value?.id).toBe(last);
    await events.return();
    await opened(server, 0);
  });
});

describe('a slow consumer', () => {
  it('gets every event, and the client holds no more than it may', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add();
    const stream = events.stream();
    const first = take(stream, 1);
    await opened(server);
    const added = server.add(2_500);
    expect(await first).toEqual(added.slice(0, 1));
    await expect.poll(() => server.sockets.size).toBe(0);
    expect(await take(stream, 2_499)).toEqual(added.slice(1));
    expect(sockets(server).length).toBeGreaterThan(1);
    await stream.return();
  });

  it('with large events does not let them fill its memory', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add();
    const stream = events.stream();
    const first = take(stream, 1);
    await opened(server);
    const added = server.add(30, 'x'.repeat(500_000));
    await first;
    await expect.poll(() => server.sockets.size).toBe(0);
    expect(await take(stream, 29)).toEqual(added.slice(1));
    await stream.return();
  });
});

describe('the transport', () => {
  it('poll opens no socket', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add(120);
    const stream = events.stream({ transport: 'poll', after: 'evt_00001' });
    expect(await take(stream, 119)).toHaveLength(119);
    expect(sockets(server)).toEqual([]);
    await stream.return();
  });

  it('is poll where the client has a fetch of its own, unless it is named', async () => {
    const server = new StubRealtime();
    const { events } = await server.open({ fetch: (...request) => fetch(...request) });
    server.add(2);
    const polled = events.stream({ after: 'evt_00001' });
    await take(polled, 1);
    expect(sockets(server)).toEqual([]);
    const socket = events.stream({ after: 'evt_00001', transport: 'socket' });
    await take(socket, 1);
    expect(sockets(server)).toHaveLength(1);
    await Promise.all([polled.return(), socket.return()]);
  });

  it('cannot be a socket where there is no WebSocket', async () => {
    vi.stubGlobal('WebSocket', undefined);
    const { events } = await new StubRealtime().open();
    expect(() => events.stream({ transport: 'socket' })).toThrow('There is no WebSocket here');
    vi.unstubAllGlobals();
  });
});
