import { HttpResponse } from 'msw';
import { describe, expect, it } from 'vitest';
import { settlesBefore } from '../../test/settles-before.ts';
import { answer, errorAnswer, stubApi } from '../../test/stub-api.ts';
import { AbortedError, ConnectionError, RateLimitError, TimeoutError } from '../index.ts';

const { reply, client } = stubApi();
const never = () => new Promise<Response>(() => {});
const send = { inbox_id: 'inb_1', to: ['ada@example.com'], subject: 'Hi' };

describe('what is repeated', () => {
  it.each([408, 429, 500, 502, 503, 504])('repeats a GET after status %i', async (status) => {
    const seen = reply(
      () => errorAnswer(status, 'unavailable'),
      () => answer(200, { id: 'inb_1' }),
    );
    expect(await client().inboxes.get('inb_1')).toEqual({ id: 'inb_1' });
    expect(seen).toHaveLength(2);
  });

  it.each([400, 401, 402, 404, 409, 410, 413, 422, 501])(
    'does not repeat after status %i',
    async (status) => {
      const seen = reply(() => errorAnswer(status, 'some_code', {}, { 'retry-after': '0' }));
      await expect(client({ maxRetries: 3 }).inboxes.get('inb_1')).rejects.toMatchObject({ status });
      expect(seen).toHaveLength(1);
    },
  );

  it('repeats a failed connection', async () => {
    const seen = reply(
      () => HttpResponse.error(),
      () => answer(200, { id: 'inb_1' }),
    );
    await client().inboxes.get('inb_1');
    expect(seen).toHaveLength(2);
  });

  it('repeats PATCH and DELETE', async () => {
    const unavailable = () => errorAnswer(503, 'unavailable');
    const patched = reply(unavailable, () => answer(200, { id: 'inb_1' }));
    await client().inboxes.update('inb_1', { display_name: null });
    expect(patched.map(({ body }) => body)).toEqual([{ display_name: null }, { display_name: null }]);
    const deleted = reply(unavailable, () => answer(204));
    expect(await client().inboxes.delete('inb_1')).toBeUndefined();
    expect(deleted).toHaveLength(2);
  });

  it('does not repeat a POST that takes no client_id', async () => {
    const seen = reply(() => errorAnswer(503, 'unavailable'));
    await expect(client().inboxes.create({ local_part: 'ada' })).rejects.toMatchObject({ status: 503 });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.body).toEqual({ local_part: 'ada' });
  });

  it('does not repeat a POST without client_id after a failed connection either', async () => {
    const seen = reply(() => HttpResponse.error());
    await expect(client().webhooks.test('whk_1')).rejects.toThrow(ConnectionError);
    expect(seen).toHaveLength(1);
  });

  it('repeats any POST that the server refused because of its rate', async () => {
    const seen = reply(
      () => errorAnswer(429, 'rate_limited', {}, { 'retry-after': '0' }),
      () => answer(201, { id: 'inb_1' }),
    );
    expect(await client().inboxes.create({ local_part: 'ada' })).toEqual({ id: 'inb_1' });
    expect(seen).toHaveLength(2);
  });

  it('repeats any POST whose connection was refused', async () => {
    reply(() => answer(201, { id: 'inb_1' }));
    let attempts = 0;
    const fetch: typeof globalThis.fetch = (...request) => {
      attempts += 1;
      if (attempts > 1) return globalThis.fetch(...request);
      const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
      return Promise.reject(new TypeError('fetch failed', { cause }));
    };
    expect(await client({ fetch }).inboxes.create({ local_part: 'ada' })).toEqual({ id: 'inb_1' });
    expect(attempts).toBe(2);
  });

  it('gives up after maxRetries, which a call can set for itself', async () => {
    const seen = reply(() => errorAnswer(503, 'unavailable'));
    await expect(client({ maxRetries: 2 }).account.get()).rejects.toMatchObject({ code: 'unavailable' });
    expect(seen).toHaveLength(3);
    await expect(client({ maxRetries: 2 }).account.get({ maxRetries: 0 })).rejects.toThrow();
    expect(seen).toHaveLength(4);
  });
});

describe('client_id', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  it('is made once and kept over the attempts of a call', async () => {
    const seen = reply(
      () => HttpResponse.error(),
      () => errorAnswer(503, 'unavailable', {}, { 'retry-after': '0' }),
      () => answer(200, { id: 'msg_1', idempotent: true }),
    );
    await client({ maxRetries: 2 }).messages.send(send);
    const ids = seen.map(({ body }) => (body as { client_id: string }).client_id);
    expect(ids[0]).toMatch(uuid);
    expect(ids).toEqual([ids[0], ids[0], ids[0]]);
  });

  it('differs from call to call, and is the one of the caller when there is one', async () => {
    const seen = reply(() => answer(201, { id: 'msg_1' }));
    const api = client();
    await api.messages.send(send);
    await api.messages.send({ ...send, client_id: undefined });
    await api.messages.reply('msg_1', { text: 'Hi', client_id: 'mine' });
    await api.messages.forward('msg_1', { to: ['ada@example.com'] });
    await api.drafts.send('dft_1');
    const ids = seen.map(({ body }) => (body as { client_id: string }).client_id);
    expect(new Set(ids).size).toBe(5);
    expect(ids[2]).toBe('mine');
    for (const id of [ids[0], ids[1], ids[3], ids[4]]) expect(id).toMatch(uuid);
  });
});

describe('a delete that is repeated', () => {
  it('is done when the first attempt may have deleted and the second finds nothing', async () => {
    reply(
      () => HttpResponse.error(),
      () => errorAnswer(404, 'not_found'),
    );
    expect(await client().inboxes.delete('inb_1')).toBeUndefined();
  });

  it('is a 404 when the first attempt finds nothing, or was refused before it did anything', async () => {
    reply(() => errorAnswer(404, 'not_found'));
    await expect(client().inboxes.delete('inb_1')).rejects.toMatchObject({ code: 'not_found' });
    reply(
      () => errorAnswer(429, 'rate_limited', {}, { 'retry-after': '0' }),
      () => errorAnswer(404, 'not_found'),
    );
    await expect(client().inboxes.delete('inb_1')).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('how long is waited', () => {
  it('waits as long as Retry-After asks', async () => {
    reply(
      () => errorAnswer(429, 'rate_limited', {}, { 'retry-after': '1' }),
      () => answer(200, {}),
    );
    const startMs = performance.now();
    await client().account.get();
    expect(performance.now() - startMs).toBeGreaterThan(950);
  });

  it('understands a date in Retry-After, also one that has passed', async () => {
    const seen = reply(
      () => errorAnswer(503, 'unavailable', {}, { 'retry-after': new Date(0).toUTCString() }),
      () => answer(200, {}),
    );
    await client().account.get();
    expect(seen).toHaveLength(2);
  });

  it('throws at once when Retry-After asks for more than a minute', async () => {
    const extra = { retry_after_seconds: 61, reason: 'requests' };
    const seen = reply(() => errorAnswer(429, 'rate_limited', extra, { 'retry-after': '61' }));
    const error = await client({ timeout: 600_000 })
      .account.get()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ retry_after_seconds: 61, reason: 'requests' });
    expect(seen).toHaveLength(1);
  });

  it.each(['loop', 'policy'])(
    'throws a 429 with the reason %s at once, so that the agent hears of it',
    async (reason) => {
      const extra = { retry_after_seconds: 0, reason };
      const seen = reply(() => errorAnswer(429, 'rate_limited', extra, { 'retry-after': '0' }));
      const error = await client({ maxRetries: 3 })
        .messages.reply('msg_1', { text: 'Hi' })
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(RateLimitError);
      expect(error).toMatchObject({ code: 'rate_limited', reason });
      expect(seen).toHaveLength(1);
    },
  );

  it('repeats after a 429 that something other than the API gave', async () => {
    const seen = reply(
      () => new HttpResponse('slow down', { status: 429, headers: { 'retry-after': '0' } }),
      () => errorAnswer(429, 'rate_limited', { reason: 'requests' }, { 'retry-after': '0' }),
      () => answer(200, {}),
    );
    await client({ maxRetries: 2 }).messages.reply('msg_1', { text: 'Hi' });
    expect(seen).toHaveLength(3);
  });

  it('throws the error at once when the wait would outlast the call', async () => {
    reply(() => errorAnswer(503, 'unavailable', {}, { 'retry-after': '50' }));
    await expect(client({ timeout: 40_000 }).account.get()).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('time limits', () => {
  it('limits each attempt and repeats it', async () => {
    const seen = reply(never, () => answer(200, {}));
    await client({ timeout: 3_000 }).account.get();
    expect(seen).toHaveLength(2);
  });

  it('rejects with a TimeoutError that names the call, its limit and its attempts', async () => {
    const seen = reply(never);
    const error = await client({ timeout: 3_000 })
      .account.get()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TimeoutError);
    expect(String(error)).toMatch(
      /^TimeoutError: account\.get: no response within the timeout of \d+ ms in any of 2 attempts, \d+ ms in total\.$/,
    );
    expect(seen).toHaveLength(2);
  });

  it('keeps all attempts together within timeout × (maxRetries + 1)', async () => {
    reply(never);
    const call = client({ timeout: 300, maxRetries: 5 }).account.get();
    const inTime = settlesBefore(3_500, call);
    await expect(call).rejects.toThrow(TimeoutError);
    expect(await inTime).toBe(true);
  });

  it('gives a waiting request the time that it waits, and a margin', async () => {
    const slow = () =>
      new Promise<Response>((resolve) => setTimeout(() => resolve(answer(200, { messages: [] })), 300));
    reply(slow);
    const page = await client({ timeout: 100, maxRetries: 0 }).messages.list({ wait_seconds: 1 });
    expect(page.messages).toEqual([]);
    await expect(client({ timeout: 100, maxRetries: 0 }).messages.list()).rejects.toThrow(TimeoutError);
  });

  it('ends an attempt also when the given fetch does not listen to its signal', async () => {
    const api = client({ timeout: 50, maxRetries: 0, fetch: never });
    await expect(api.account.get()).rejects.toThrow(TimeoutError);
  });

  it('ends an aborted attempt also when the given fetch does not listen to its signal', async () => {
    const api = client({ fetch: never });
    const call = api.account.get({ signal: AbortSignal.timeout(50) });
    await expect(call).rejects.toThrow(AbortedError);
  });

  it('refuses limits that are none', async () => {
    await expect(client().account.get({ timeout: 0 })).rejects.toThrow('timeout must be above 0');
    await expect(client().account.get({ timeout: Number.NaN })).rejects.toThrow('timeout must be above 0');
    await expect(client().account.get({ maxRetries: -1 })).rejects.toThrow(
      'maxRetries must be a whole number',
    );
  });
});
