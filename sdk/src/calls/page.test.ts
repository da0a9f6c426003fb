import { describe, expect, it } from 'vitest';
import { answer, errorAnswer, stubApi } from '../../test/stub-api.ts';
import { APIError, PostriderError } from '../index.ts';

const { reply, client } = stubApi();
const page = (ids: string[], next_cursor: string | null) => () =>
  answer(200, { inboxes: ids.map((id) => ({ id })), next_cursor });

describe('a page', () => {
  it('is awaited with its items and its cursor', async () => {
    reply(page(['a', 'b'], 'c1'));
    const first = await client().inboxes.list({ limit: 2 });
    expect(first.inboxes.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(first.next_cursor).toBe('c1');
    expect(first.hasNextPage()).toBe(true);
    expect(JSON.parse(JSON.stringify(first))).toEqual({
      inboxes: [{ id: 'a' }, { id: 'b' }],
      next_cursor: 'c1',
    });
  });

  it('asks for the next one with the same query and its cursor', async () => {
    const seen = reply(page(['a'], 'c1'), page(['b'], null));
    const first = await client().inboxes.list({ limit: 1 }, { headers: { 'x-trace': 't' } });
    const second = await first.nextPage();
    expect(second.inboxes).toEqual([{ id: 'b' }]);
    expect(second.hasNextPage()).toBe(false);
    expect(seen.map(({ path }) => path)).toEqual(['/inboxes?limit=1', '/inboxes?limit=1&cursor=c1']);
    expect(seen[1]?.headers.get('x-trace')).toBe('t');
    expect(() => second.nextPage()).toThrow(PostriderError);
  });

  it('has a response and a request id', async () => {
    reply(page(['a'], null));
    const { data, response, requestId } = await client().inboxes.list().withResponse();
    expect(data.inboxes).toEqual([{ id: 'a' }]);
    expect(response.status).toBe(200);
    expect(requestId).toBe('req_stub');
  });

  it('keeps the fields beside its items', async () => {
    reply(() =>
      answer(200, { messages: [], next_cursor: null, mode_used: 'keyword', fallback_reason: 'plan' }),
    );
    expect(await client().messages.list({ query: 'x' })).toMatchObject({
      mode_used: 'keyword',
      fallback_reason: 'plan',
    });
  });
});

describe('for await', () => {
  it('goes over the items of all pages, one request a page', async () => {
    const seen = reply(page(['a', 'b'], 'c1'), page(['c'], 'c2'), page([], 'c3'), page(['d'], null));
    const ids: string[] = [];
    for await (const { id } of client().inboxes.list()) ids.push(id);
    expect(ids).toEqual(['a', 'b', 'c', 'd']);
    expect(seen).toHaveLength(4);
  });

  it('asks for no page that is not needed', async () => {
    const seen = reply(page(['a', 'b'], 'c1'), page(['c'], null));
    for await (const { id } of client().inboxes.list()) if (id === 'b') break;
    expect(seen).toHaveLength(1);
  });

  it('goes on from a page that was awaited', async () => {
    reply(page(['a'], 'c1'), page(['b'], null));
    const ids: string[] = [];
    for await (const { id } of await client().inboxes.list()) ids.push(id);
    expect(ids).toEqual(['a', 'b']);
  });

  it('throws the error of any page', async () => {
    reply(page(['a'], 'c1'), () => errorAnswer(400, 'invalid_request', { issues: [] }));
    const ids: string[] = [];
    const all = async () => {
      for await (const { id } of client().inboxes.list()) ids.push(id);
    };
    await expect(all()).rejects.toThrow(APIError);
    expect(ids).toEqual(['a']);
  });

  it('goes over thousands of pages', async () => {
    let asked = 0;
    reply(() => {
      asked += 1;
      return answer(200, { inboxes: [{ id: String(asked) }], next_cursor: asked < 1_000 ? 'more' : null });
    });
    let count = 0;
    for await (const _inbox of client().inboxes.list()) count += 1;
    expect(count).toBe(1_000);
  });

  it('waits only for the first page of messages', async () => {
    const seen = reply(
      () => answer(200, { messages: [{ id: 'm1' }], next_cursor: 'c1' }),
      () => answer(200, { messages: [], next_cursor: null }),
    );
    for await (const { id } of client().messages.list({ wait_seconds: 5 })) expect(id).toBe('m1');
    expect(seen.map(({ path }) => path)).toEqual(['/messages?wait_seconds=5', '/messages?cursor=c1']);
  });

  it('follows the event log by `after` until a page is empty', async () => {
    const seen = reply(
      () => answer(200, { events: [{ id: 'evt_1' }, { id: 'evt_2' }], next_cursor: 'evt_2' }),
      () => answer(200, { events: [], next_cursor: 'evt_9' }),
    );
    const ids: string[] = [];
    for await (const { id } of client().events.list({ after: 'evt_0', events: ['message.received'] }))
      ids.push(id);
    expect(ids).toEqual(['evt_1', 'evt_2']);
    expect(seen.map(({ path }) => path)).toEqual([
      '/events?after=evt_0&events=message.received',
      '/events?after=evt_2&events=message.received',
    ]);
  });
});
