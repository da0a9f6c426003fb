import { describe, expect, it, onTestFinished } from 'vitest';
import { settlesBefore } from '../../test/settles-before.ts';
import { answer, errorAnswer, stubApi } from '../../test/stub-api.ts';
import { AbortedError, APIError, APIPromise } from '../index.ts';

const { reply, client } = stubApi();

describe('the promise of a call', () => {
  it('gives the data, and with withResponse() the response and the request id too', async () => {
    reply(() => answer(201, { id: 'inb_1' }, { 'x-more': '1' }));
    const call = client().inboxes.create({ local_part: 'ada' });
    expect(call).toBeInstanceOf(APIPromise);
    expect(await call).toEqual({ id: 'inb_1' });
    const { data, response, requestId } = await call.withResponse();
    expect(data).toEqual({ id: 'inb_1' });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-more')).toBe('1');
    expect(await response.json()).toEqual({ id: 'inb_1' });
    expect(requestId).toBe('req_stub');
  });

  it('sends one request, also when nobody awaits it or many do', async () => {
    const seen = reply(() => answer(200, { id: 'inb_1' }));
    const call = client().inboxes.get('inb_1');
    await expect.poll(() => seen.length).toBe(1);
    await Promise.all([call, call.withResponse(), call.then((inbox) => inbox.id), call.finally(() => {})]);
    expect(seen).toHaveLength(1);
  });

  it('gives undefined for an answer without a body', async () => {
    reply(() => answer(204));
    const { data, response } = await client().labels.delete('lbl_1').withResponse();
    expect(data).toBeUndefined();
    expect(response.status).toBe(204);
  });

  it('reports a failure once, by the promise that is used', async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listen);
    onTestFinished(() => void process.off('unhandledRejection', listen));
    reply(() => errorAnswer(404, 'not_found'));
    await expect(client().inboxes.get('inb_1').withResponse()).rejects.toThrow(APIError);
    await expect(client().inboxes.get('inb_1')).rejects.toThrow(APIError);
    await expect(client().inboxes.list().withResponse()).rejects.toThrow(APIError);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(unhandled).toEqual([]);
  });
});

describe('a signal', () => {
  it('that is aborted already keeps the request from being sent', async () => {
    const seen = reply(() => answer(200, {}));
    const call = client().account.get({ signal: AbortSignal.abort(new Error('not now')) });
    const error = await call.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(AbortedError);
    expect((error as Error).cause).toEqual(new Error('not now'));
    expect(seen).toHaveLength(0);
  });

  it('ends a call that is under way, and it is not repeated', async () => {
    const seen = reply(() => new Promise<Response>(() => {}));
    const controller = new AbortController();
    const call = client({ maxRetries: 3 }).account.get({ signal: controller.signal });
    await expect.poll(() => seen.length).toBe(1);
    controller.abort();
    await expect(call).rejects.toThrow(AbortedError);
    expect(seen).toHaveLength(1);
  });

  it('ends the wait before a repeat', async () => {
    const seen = reply(() => errorAnswer(503, 'unavailable', {}, { 'retry-after': '20' }));
    const call = client().account.get({ signal: AbortSignal.timeout(100) });
    const inTime = settlesBefore(15_000, call);
    await expect(call).rejects.toThrow(AbortedError);
    expect(await inTime).toBe(true);
    expect(seen).toHaveLength(1);
  });
});
