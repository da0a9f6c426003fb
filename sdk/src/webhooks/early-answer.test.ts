import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { sampleEvent, signDelivery, testSecret } from '../testing.ts';
import { expressWebhook, fetchWebhook } from '../webhooks.ts';

const signed = await signDelivery(sampleEvent('message.received'));
const request = () => new Request('http://agent.test/', { method: 'POST', ...signed });

/** Work that ends when the test calls `finish`. */
function openWork() {
  const steps: string[] = [];
  let finish = () => {};
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const handler = async () => {
    steps.push('begun');
    await finished;
    steps.push('done');
  };
  return { steps, handler, finish };
}

it('an early answer comes before the work, over HTTP too', async () => {
  const { steps, handler, finish } = openWork();
  const server = createServer(expressWebhook(handler, { secret: testSecret, ack: 'early' }));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', ...signed });
  expect(answer.status).toBe(204);
  await expect.poll(() => steps).toEqual(['begun']);
  finish();
  await expect.poll(() => steps).toEqual(['begun', 'done']);
});

it('an early answer comes before a handler that blocks the thread', async () => {
  let isAnswered = false;
  const seen: boolean[] = [];
  const webhook = fetchWebhook(() => void seen.push(isAnswered), { secret: testSecret, ack: 'early' });
  expect((await webhook(request())).status).toBe(204);
  isAnswered = true;
  await expect.poll(() => seen).toEqual([true]);
});

it('waitUntil is given the work with the context of the handler, and means an early answer', async () => {
  const { steps, handler, finish } = openWork();
  const works: Promise<void>[] = [];
  const context = { waitUntil: (work: Promise<void>) => void works.push(work) };
  const webhook = fetchWebhook(async (_event, _env: { SECRET: string }, _ctx: typeof context) => handler(), {
    secret: (env) => env.SECRET,
    waitUntil: (work, _env, ctx) => ctx.waitUntil(work),
  });
  expect((await webhook(request(), { SECRET: testSecret }, context)).status).toBe(204);
  finish();
  await Promise.all(works);
  expect([works.length, steps]).toEqual([1, ['begun', 'done']]);
});

it('a handler that fails after its early answer tells onError, and what does not verify is refused as ever', async () => {
  const failure = new Error('the model is away');
  const errors: unknown[] = [];
  const webhook = fetchWebhook(() => Promise.reject(failure), {
    secret: testSecret,
    ack: 'early',
    onError: (error) => void errors.push(error),
  });
  expect((await webhook(request())).status).toBe(204);
  await expect.poll(() => errors).toEqual([failure]);
  const forged = new Request('http://agent.test/', { method: 'POST', headers: signed.headers, body: '{}' });
  expect((await webhook(forged)).status).toBe(400);
});
