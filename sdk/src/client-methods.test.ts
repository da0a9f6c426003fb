import { describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { answer, errorAnswer, type SeenRequest, stubApi } from '../test/stub-api.ts';
import { StubMailbox } from '../test/stub-mailbox.ts';
import {
  APIError,
  NotFoundError,
  Postrider,
  PostriderError,
  ServerError,
  TimeoutError,
  VERSION,
} from './index.ts';

const { reply, client } = stubApi();
const calls = (seen: SeenRequest[]) => seen.map(({ method, path }) => `${method} ${path}`);

describe('withOptions', () => {
  it('gives a client with some options changed, and leaves the first one as it is', async () => {
    const seen = reply(() => errorAnswer(503, 'unavailable'));
    const first = client({ maxRetries: 0, timeout: 1_000 });
    const second = first.withOptions({ maxRetries: 1 });
    expect(second).toBeInstanceOf(Postrider);
    await expect(second.account.get()).rejects.toThrow(ServerError);
    expect(seen).toHaveLength(2);
    await expect(first.account.get()).rejects.toThrow(ServerError);
    expect(seen).toHaveLength(3);
    expect(() => first.withOptions({ maxRetries: -1 })).toThrow('maxRetries must be a whole number');
  });

  it('has the calls of both come after a wait that either began', async () => {
    const mailbox = new StubMailbox();
    reply(async (seen) => {
      if (seen.method !== 'POST') return mailbox.answer(seen);
      mailbox.deliver('caused');
      return answer(201, {});
    });
    const first = client();
    const waiting = first.messages.waitFor({});
    const other = first.withOptions({ timeout: 5_000 });
    await other.messages.send({ inbox_id: 'inb_1', to: ['ada@example.com'], subject: 'Hi' });
    expect((await waiting).subject).toBe('caused');
  });
});

describe('request', () => {
  it('calls what has no method here, with the key, the query and the body', async () => {
    const seen = reply(() => answer(200, { hits: 3 }));
    const { data, requestId } = await client()
      .request<{ hits: number }>('POST', '/search', {
        query: { q: 'a b', kinds: ['x', 'y'], none: undefined },
        body: { deep: true },
        headers: { 'x-trace': 't1' },
      })
      .withResponse();
    expect([data.hits, requestId]).toEqual([3, 'req_stub']);
    expect(seen[0]).toMatchObject({
      method: 'POST',
      path: '/search?q=a+b&kinds=x%2Cy',
      body: { deep: true },
    });
    expect(seen[0]?.headers.get('authorization')).toBe('Bearer pr_test_key');
    expect(seen[0]?.headers.get('x-trace')).toBe('t1');
  });

  it('repeats what only reads, and no POST', async () => {
    const seen = reply(() => errorAnswer(503, 'unavailable'));
    await expect(client().request('GET', '/search')).rejects.toThrow(ServerError);
    expect(seen).toHaveLength(2);
    await expect(client().request('POST', '/search', { body: {} })).rejects.toThrow(ServerError);
    expect(seen).toHaveLength(3);
  });

  it('gives the errors of the API', async () => {
    reply(() => errorAnswer(404, 'not_found'));
    await expect(client().request('DELETE', '/things/1')).rejects.toThrow(NotFoundError);
  });

  it.each([
    'search',
    'http://evil.example/',
    '/a?b=c',
    '/a#b',
    '/../admin',
    '/a/..',
    '/%2E%2e/admin',
    '/\\..',
    '',
    7,
  ])('refuses %j, which is no path below the base URL', (path) => {
    expect(() => client().request('GET', path as string)).toThrow('the path must begin with a slash');
  });

  it('refuses what is no method', () => {
    expect(() => client().request('get' as 'GET', '/search')).toThrow('the method must be one of GET');
  });
});

describe('toArray', () => {
  const page = (ids: string[], next_cursor: string | null) => () =>
    answer(200, { inboxes: ids.map((id) => ({ id })), next_cursor });

  it('collects up to its limit and asks for no page that is not needed', async () => {
    const seen = reply(page(['a', 'b'], 'c1'), page(['c', 'd'], 'c2'), page(['e'], null));
    const three = await client().inboxes.list().toArray({ limit: 3 });
    expect(three.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(seen).toHaveLength(2);
  });

  it('collects all where there are fewer, from a page too', async () => {
    reply(page(['a', 'b'], 'c1'), page(['c'], null));
    const first = await client().inboxes.list();
    expect((await first.toArray({ limit: 100 })).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it.each([undefined, {}, { limit: 0 }, { limit: 1.5 }, { limit: Number.POSITIVE_INFINITY }])(
    'needs a limit, which %j is not',
    async (options) => {
      reply(page([], null));
      const listing = client().inboxes.list();
      await expect(listing.toArray(options as { limit: number })).rejects.toThrow('toArray needs a limit');
      await listing;
    },
  );
});

describe('attachments.download', () => {
  const bytes = new Uint8Array([0, 255, 10, 13]);

  it('gives the bytes by a fresh link, without the key', async () => {
    const seen = reply(({ path }) =>
      path === '/attachments/att_1'
        ? answer(200, { id: 'att_1', url: 'http://api.test/v1/files/signed?t=1' })
        : new Response(bytes, { headers: { 'content-type': 'application/pdf' } }),
    );
    for (const file of ['att_1', { id: 'att_1' }]) {
      const { data, response } = await client().attachments.download(file).withResponse();
      expect(data).toEqual(bytes);
      expect(response.headers.get('content-type')).toBe('application/pdf');
    }
    expect(calls(seen).slice(0, 2)).toEqual(['GET /attachments/att_1', 'GET /files/signed?t=1']);
    expect(seen.map(({ headers }) => headers.has('authorization'))).toEqual([true, false, true, false]);
  });

  it('is repeated like a call, and fails like one', async () => {
    const link = () => answer(200, { id: 'att_1', url: 'http://api.test/v1/files/signed' });
    reply(
      link,
      () => new Response('busy', { status: 503 }),
      () => new Response(bytes),
    );
    expect(await client().attachments.download('att_1')).toEqual(bytes);
    reply(link, () => errorAnswer(404, 'not_found'));
    await expect(client().attachments.download('att_1')).rejects.toThrow(APIError);
    const file = undefined as unknown as string;
    await expect(client().attachments.download(file)).rejects.toThrow('attachments.get needs an id');
  });

  it('keeps its time limit', async () => {
    reply(({ path }) =>
      path === '/attachments/att_1'
        ? answer(200, { id: 'att_1', url: 'http://api.test/v1/files/slow' })
        : new Promise<Response>(() => {}),
    );
    const download = client({ maxRetries: 0 }).attachments.download('att_1', { timeout: 200 });
    await expect(download).rejects.toThrow(TimeoutError);
    await expect(download).rejects.toThrow('no response within the timeout of 200 ms');
  });
});

describe('VERSION', () => {
  it('is that of the package', () => {
    expect(VERSION).toBe(manifest.version);
  });
});

describe('options that are not known', () => {
  const make = (options: unknown) => () => new Postrider(options as object);

  it.each([
    ['apikey', 'apiKey'],
    ['api_key', 'apiKey'],
    ['key', 'apiKey'],
    ['base_url', 'baseURL'],
    ['baseUrl', 'baseURL'],
    ['retries', 'maxRetries'],
    ['timeoutMs', 'timeout'],
    ['LogLevel', 'logLevel'],
  ])('of a client are refused: %s is told to be %s', (name, meant) => {
    expect(make({ apiKey: 'k', [name]: 'x' })).toThrow(
      `${name} is not an option of new Postrider(). Did you mean ${meant}?`,
    );
  });

  it('of a client are refused with those that there are', () => {
    expect(make({ apiKey: 'k', colour: 'red' })).toThrow('It takes apiKey, baseURL,');
    expect(make('pr_live_key')).toThrow('new Postrider() takes an object with apiKey');
    expect(make({ apiKey: 'k', colour: undefined })).not.toThrow();
    expect(make({ apiKey: 'k', logLevel: 'loud' })).toThrow('logLevel is not one of off, fatal, error');
  });

  it('of a call are refused, before anything is sent', async () => {
    const seen = reply(() => answer(200, {}));
    const { inboxes, messages } = client();
    const call = (options: object) => inboxes.get('inb_1', options);
    await expect(call({ time_out: 5 })).rejects.toThrow(
      'time_out is not an option of inboxes.get. Did you mean timeout?',
    );
    await expect(call({ abort: 1 })).rejects.toThrow('It takes signal, timeout, maxRetries, headers.');
    await expect(messages.waitFor({}, { maxRetries: 1 } as object)).rejects.toThrow(PostriderError);
    await expect(messages.waitForReply('msg_1', { after_id: 1 } as object)).rejects.toThrow(
      'Did you mean after?',
    );
    expect(seen).toEqual([]);
  });
});
