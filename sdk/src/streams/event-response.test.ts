import { describe, expect, it, vi } from 'vitest';
import { StubRealtime } from '../../test/stub-realtime.ts';
import { AbortedError, AuthenticationError, type EventStream, GoneError } from '../index.ts';

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

const opened = (server: StubRealtime, count = 1) => expect.poll(() => server.streams.size).toBe(count);
const streams = ({ seen }: StubRealtime) => seen.filter((request) => request.startsWith('STREAM'));

describe('events over a stream of server-sent events', () => {
  it('come without a WebSocket, from the call on and over one response', async () => {
    vi.stubGlobal('WebSocket', undefined);
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add(2);
    const stream = events.stream();
    const first = take(stream, 3);
    await opened(server);
    const added = [...server.add(2, 'ä\n\ndata: \u2028x'), ...server.add()];
    expect(await first).toEqual(added);
    expect(server.seen).toEqual(['POLL ?after=latest&limit=1', 'STREAM ?after=evt_00002']);
    await stream.return();
    await opened(server, 0);
    vi.unstubAllGlobals();
  });

  it('come by long polls in a client with a fetch of its own, unless it is named', async () => {
    const server = new StubRealtime();
    const { events } = await server.open({ fetch: (...request) => fetch(...request) });
    server.add(2);
    const stream = events.stream({ after: 'evt_00001', transport: 'sse' });
    await take(stream, 1);
    expect(streams(server)).toHaveLength(1);
    await stream.return();
  });

  it.each([1001, 1006, 4008])('go on behind the last one when the stream ends with %i', async (code) => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add();
    const stream = events.stream({ transport: 'sse' });
    const taken = take(stream, 30);
    const added: string[] = [];
    for (let round = 0; round < 6; round++) {
      await expect.poll(() => streams(server).length).toBe(round + 1);
      await opened(server);
      added.push(...server.add(2));
      server.closeAll(code);
      added.push(...server.add(3));
    }
    expect(await taken).toEqual(added);
    await stream.return();
  });

  it.each([
    [4001, 401, 'invalid_token', AuthenticationError],
    [4010, 410, 'cursor_expired', GoneError],
  ])('end with the error of the log after %i', async (code, status, error, errorClass) => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add();
    const stream = events.stream({ transport: 'sse' });
    const next = stream.next().catch((reason: unknown) => reason);
    await opened(server);
    server.refusePolls = { status, error };
    server.closeAll(code);
    const thrown = await next;
    expect(thrown).toBeInstanceOf(errorClass);
    expect(thrown).toMatchObject({ status, code: error });
  });

  it('come by polls where no stream can be opened', async () => {
    const server = new StubRealtime();
    server.refuseSockets = 404;
    const { events } = await server.open();
    server.add();
    const stream = events.stream({ transport: 'sse' });
    await expect.poll(() => server.seen.length).toBe(1);
    for (let round = 0; round < 3; round++) {
      const added = server.add();
      expect(await take(stream, 1)).toEqual(added);
    }
    await stream.return();
  });

  it('end with the signal, also while nothing is read', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add(2);
    const controller = new AbortController();
    const stream = events.stream({ after: 'evt_00001', signal: controller.signal, transport: 'sse' });
    expect(await take(stream, 1)).toEqual(['evt_00002']);
    await opened(server);
    const waiting = stream.next().catch((reason: unknown) => reason);
    controller.abort(new Error('enough'));
    expect(await waiting).toBeInstanceOf(AbortedError);
    await opened(server, 0);
  });

  it('come once each and in order to a consumer that is slow', async () => {
    const server = new StubRealtime();
    const { events } = await server.open();
    server.add();
    const stream = events.stream({ transport: 'sse' });
    const first = take(stream, 1);
    await opened(server);
    const added = server.add(60, 'x'.repeat(500_000));
    expect(await first).toEqual(added.slice(0, 1));
    expect(await take(stream, 59)).toEqual(added.slice(1));
    expect(streams(server)).toHaveLength(1);
    await stream.return();
  });
});
