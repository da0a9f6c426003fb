import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { StubRealtime } from '../../test/stub-realtime.ts';
import { AbortedError, APIError, AuthenticationError, type EventStream, GoneError } from '../index.ts';

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

describe('the end of a stream', () => {
  it('comes with leaving the loop, which closes the socket', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add(3);
    for await (const event of events.stream({ after: 'evt_00001' })) {
      expect(event.id).toBe('evt_00002');
      break;
    }
    await opened(server, 0);
  });

  it('comes with return(), also while it waits', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add();
    for (const transport of ['socket', 'poll'] as const) {
      const stream = events.stream({ transport });
      const waiting = stream.next();
      await sleep(100);
      await stream.return();
      expect(await waiting).toEqual({ value: undefined, done: true });
      expect(await stream.next()).toEqual({ value: undefined, done: true });
    }
    await opened(server, 0);
  });

  it('comes with the signal, also when nothing is asked for', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add(2);
    const controller = new AbortController();
    const stream = events.stream({ after: 'evt_00001', signal: controller.signal });
    expect(await take(stream, 1)).toEqual(['evt_00002']);
    await opened(server);
    controller.abort(new Error('enough'));
    await opened(server, 0);
    const error = await stream.next().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AbortedError);
    expect(error).toMatchObject({ message: 'The stream was aborted.', cause: new Error('enough') });
    expect((await stream.next()).done).toBe(true);
  });

  it.each([
    [4001, 401, 'invalid_token', AuthenticationError],
    [4010, 410, 'cursor_expired', GoneError],
    [1006, 404, 'not_found', APIError],
  ])(
    'comes with the error of the log after a socket was closed with %i',
    async (code, status, error, errorClass) => {
      const server = new StubRealtime();
      const { events } = await server.open();
      server.add();
      const stream = events.stream();
      const next = stream.next().catch((reason: unknown) => reason);
      await opened(server);
      server.refusePolls = { status, error };
      server.refuseSockets = status;
      if (code === 1006) for (const socket of server.sockets) socket.terminate();
      else server.closeAll(code);
      const thrown = await next;
      expect(thrown).toBeInstanceOf(errorClass);
      expect(thrown).toMatchObject({ status, code: error });
      expect((await stream.next()).done).toBe(true);
    },
  );

  it('does not come while the server is away', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add();
    const stream = events.stream();
    const first = take(stream, 1);
    await opened(server);
    server.refuseSockets = 503;
    server.refusePolls = { status: 503, error: 'unavailable' };
    server.closeAll(1001);
    await sleep(400);
    [server.refuseSockets, server.refusePolls] = [null, null];
    const added = server.add();
    expect(await first).toEqual(added);
    await stream.return();
  });

  it('does not come while the server is away at the start', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add();
    server.refusePolls = { status: 503, error: 'unavailable' };
    const stream = events.stream();
    const first = take(stream, 1);
    await expect.poll(() => server.seen.length).toBe(2);
    server.refusePolls = null;
    await opened(server);
    const added = server.add();
    expect(await first).toEqual(added);
    await stream.return();
  });
});

describe('the cursor', () => {
  it('is there before the first event, so that a stream that is begun anew misses nothing', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add(3);
    for (const transport of ['socket', 'poll'] as const) {
      const stream = events.stream({ transport });
      const after = await stream.ready();
      expect(stream.cursor).toBe(after);
      await stream.return();
      const [missed] = server.add();
      const again = events.stream({ transport, after });
      expect((await again.next()).value?.id).toBe(missed);
      expect(again.cursor).toBe(missed);
      await again.return();
    }
  });

  it('of an empty log is its beginning', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    const stream = events.stream();
    const after = await stream.ready();
    await stream.return();
    const added = server.add(2);
    const again = events.stream({ after });
    expect([(await again.next()).value?.id, (await again.next()).value?.id]).toEqual(added);
    await again.return();
  });

  it('stands behind the event that is dealt with, and not behind what was read ahead', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    const added = server.add(5);
    const stream = events.stream({ after: 'beginning', transport: 'poll' });
    for (const id of added) {
      expect((await stream.next()).value?.id).toBe(id);
      expect(stream.cursor).toBe(id);
    }
    await stream.return();
  });
});
