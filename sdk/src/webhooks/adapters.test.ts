import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { fastify } from 'fastify';
import { Hono } from 'hono';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event } from '../index.ts';
import { sampleEvent, signDelivery, testSecret } from '../testing.ts';
import {
  expressWebhook,
  fastifyWebhook,
  fetchWebhook,
  honoWebhook,
  nextWebhook,
  type WebhookOptions,
} from '../webhooks.ts';

const event = sampleEvent('message.received', { message: { subject: 'Grüße 🙂' } });
const signed = await signDelivery(event);
const path = '/hooks';

/** The arguments that the handlers under test and `onError` got. */
let events: Event[] = [];
let errors: unknown[] = [];
let failure: Error | null = null;

beforeEach(() => {
  [events, errors, failure] = [[], [], null];
});
afterEach(() => vi.unstubAllEnvs());

const handle = async (received: Event) => {
  if (failure) throw failure;
  events.push(received);
};
const options = {
  secret: () => process.env.TEST_HOOK_SECRET ?? testSecret,
  maxBodyBytes: 100_000,
  onError: (error: unknown) => void errors.push(error),
} satisfies WebhookOptions<unknown[]>;

/** Posts to the webhook under test. */
type Post = (body: string | Uint8Array, headers?: Record<string, string>) => Promise<Response>;

const closers: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closers.map((close) => close())));

async function listen(server: Server): Promise<Post> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return (body, headers = signed.headers) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: body as BodyInit });
}

const toRequest: (answer: (request: Request) => Response | Promise<Response>) => Post =
  (answer) =>
  async (body, headers = signed.headers) =>
    answer(new Request(`http://agent.test${path}`, { method: 'POST', headers, body: body as BodyInit }));

const adapters: [name: string, open: () => Post | Promise<Post>][] = [
  ['express', () => listen(createServer(express().post(path, expressWebhook(handle, options))))],
  ['node:http', () => listen(createServer(expressWebhook(handle, options)))],
  [
    'fastify',
    async () => {
      const app = fastify();
      app.register(fastifyWebhook(handle, options), { prefix: path });
      await app.ready();
      closers.push(() => app.close());
      return listen(app.server);
    },
  ],
  ['hono', () => toRequest((request) => new Hono().post(path, honoWebhook(handle, options)).fetch(request))],
  ['next', () => toRequest(nextWebhook(handle, options))],
  ['fetch', () => toRequest(fetchWebhook(handle, options))],
];

describe.each(adapters)('the adapter for %s', (_name, open) => {
  let post: Post;
  beforeAll(async () => {
    post = await open();
  });

  it('answers 204 and gives the event of a signed delivery', async () => {
    const answer = await post(signed.body);
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(events).toEqual([event]);
    expect(errors).toEqual([]);
  });

  it('verifies the bytes as they came, whatever their content type', async () => {
    const odd = JSON.stringify(event, null, 3).replaceAll('/', '\\/');
    const { body, headers } = await signDelivery(odd);
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      expect((await post(body, { ...headers, 'content-type': type })).status).toBe(204);
    }
    expect(events).toHaveLength(3);
  });

  it('answers 400 with the reason to what is not signed, and does not call the handler', async () => {
    const answers = [
      await post(`${signed.body} `),
      await post(signed.body, { 'content-type': 'application/json' }),
      await post(signed.body, { ...signed.headers, 'webhook-timestamp': '1' }),
      await post(''),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    const reasons = await Promise.all(answers.map(async (answer) => (await answer.json()).reason));
    expect(reasons).toEqual([
      'signature_mismatch',
      'missing_header',
      'timestamp_too_old',
      'signature_mismatch',
    ]);
    expect([events, errors]).toEqual([[], []]);
  });

  it('answers 500 when the handler fails, so that the delivery comes again, and tells of it here alone', async () => {
    failure = new Error('the secret database is full');
    const answer = await post(signed.body);
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({ reason: 'handler_failed' });
    expect(errors).toEqual([failure]);
  });

  it('answers 500 when it has no good secret itself', async () => {
    vi.stubEnv('TEST_HOOK_SECRET', 'whsec_%');
    const answer = await post(signed.body);
    expect([answer.status, await answer.json()]).toMatchObject([500, { reason: 'malformed_secret' }]);
    expect(errors).toMatchObject([{ reason: 'malformed_secret' }]);
  });

  it('answers 413 to a body that is too large', async () => {
    const large = await post(' '.repeat(100_001));
    expect(large.status).toBe(413);
    expect((await post(signed.body)).status).toBe(204);
  });

  it('takes many deliveries at once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(signed.body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(events).toHaveLength(20);
  });
});

describe('an Express application with a parser before the webhook', () => {
  it('is told what to do', async () => {
    const post = await listen(
      createServer(express().use(express.json()).post(path, expressWebhook(handle, options))),
    );
    const answer = await post(signed.body);
    expect([answer.status, await answer.json()]).toMatchObject([500, { reason: 'parsed_body' }]);
    expect(String(errors[0])).toContain('mount the webhook before express.json()');
    expect((await post(signed.body, { ...signed.headers, 'content-type': 'text/plain' })).status).toBe(204);
  });

  it('may have one that keeps the bytes', async () => {
    const app = express()
      .use(express.raw({ type: '*/*' }))
      .post(path, expressWebhook(handle, options));
    const post = await listen(createServer(app));
    expect((await post(signed.body)).status).toBe(204);
    expect((await post(`${signed.body} `)).status).toBe(400);
    expect(events).toEqual([event]);
  });

  it('may keep the raw body for it', async () => {
    const keep = express.json({
      verify: (request, _response, raw) => {
        Object.assign(request, { rawBody: raw });
      },
    });
    const post = await listen(createServer(express().use(keep).post(path, expressWebhook(handle, options))));
    expect((await post(signed.body)).status).toBe(204);
    expect(events).toEqual([event]);
  });
});

describe('a request', () => {
  it('whose body was read already is explained', async () => {
    const read = toRequest(async (request) => {
      await request.text();
      return fetchWebhook(handle, options)(request);
    });
    expect((await read(signed.body)).status).toBe(500);
    expect(errors).toMatchObject([{ reason: 'parsed_body' }]);
  });

  it('that grows too large without saying so is cut off', async () => {
    let pulled = 0;
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 1;
        controller.enqueue(new Uint8Array(10_000));
      },
    });
    const init = { method: 'POST', body: endless, headers: signed.headers, duplex: 'half' };
    const answer = await fetchWebhook(
      handle,
      options,
    )(new Request('http://agent.test/', init as RequestInit));
    expect(answer.status).toBe(413);
    expect(pulled).toBeLessThan(20);
  });

  it('that breaks off is not an event, and not an error of the receiver', async () => {
    const server = createServer(expressWebhook(handle, options));
    await listen(server);
    const ended = new Promise((resolve) => {
      server.once('request', (_request, response) => response.once('close', resolve));
    });
    const { port } = server.address() as AddressInfo;
    const headers = { ...signed.headers, 'content-length': '1000' };
    const request = httpRequest({ port, method: 'POST', path, headers }).on('error', () => {});
    request.write(signed.body.slice(0, 10), () => request.destroy());
    await ended;
    expect([events, errors]).toEqual([[], []]);
  });
});

describe('the handler', () => {
  it('gets what comes behind the request, and so does the function that finds the secret', async () => {
    interface Env {
      HOOK_SECRET: string;
    }
    const seen: unknown[] = [];
    const worker = fetchWebhook(async (received, env: Env) => void seen.push(received.id, env), {
      secret: (env) => env.HOOK_SECRET,
    });
    const env = { HOOK_SECRET: testSecret };
    const request = new Request('http://agent.test/', { method: 'POST', ...signed });
    expect((await worker(request, env)).status).toBe(204);
    expect(seen).toEqual([event.id, env]);
  });
});
