import {
  type EmbeddingsAnswer,
  sendJson,
  startEmbeddingsServer,
} from '@postrider/testkit/servers/embeddings-server.ts';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createTimeScale } from '../../lib/clock.ts';
import { openRemote } from './open-remote.ts';

const { signal } = new AbortController();
const key = 'sk-very-secret';

const threeNumbers: EmbeddingsAnswer = ({ body }, response) =>
  sendJson(response, 200, { data: body.input.map(() => ({ embedding: [0, 3, 4] })) });

const open = async (
  answer: EmbeddingsAnswer,
  { path = '/v1', ...settings }: { path?: string; dimensions?: number; model?: string; key?: null } = {},
) => {
  const server = await startEmbeddingsServer(answer);
  onTestFinished(() => server.close());
  const errors: unknown[][] = [];
  const log = { warn: () => {}, error: (...args: unknown[]) => void errors.push(args) };
  const provider = await openRemote(
    { kind: 'openai', url: server.origin + path, key, model: 'custom', dimensions: null, ...settings },
    log,
    createTimeScale(100),
  );
  onTestFinished(() => provider?.close());
  return { provider, errors, requests: server.requests };
};

describe('the dimensions of a service', () => {
  test('are learnt from a vector if nobody told them', async () => {
    const { provider, requests } = await open(threeNumbers);
    expect(provider).toMatchObject({ name: 'openai:custom', version: '3', dimensions: 3 });
    expect(requests.map(({ body }) => body)).toEqual([
      { model: 'custom', input: ['mail'], encoding_format: 'float' },
    ]);
    expect([...(await provider!.embedQuery('text', signal))]).toEqual([
      0,
      expect.closeTo(0.6, 6),
      expect.closeTo(0.8, 6),
    ]);
    expect(requests[1]!.body.dimensions).toBe(3);
  });

  test('are not asked for if they are configured, or those of a known model', async () => {
    const configured = await open(threeNumbers, { dimensions: 8 });
    expect(configured.provider).toMatchObject({ dimensions: 8 });
    const known = await open(threeNumbers, { model: 'text-embedding-3-small' });
    expect(known.provider).toMatchObject({ dimensions: 1_536 });
    expect([...configured.requests, ...known.requests]).toEqual([]);
  });

  test('that a service cannot tell for now leave search by meaning off, and the server starts', async () => {
    const { provider, errors, requests } = await open((_, response) => sendJson(response, 503, {}), {
      path: '/v1?api-key=secret',
    });
    expect(provider).toBeNull();
    expect(requests).toHaveLength(2);
    expect(errors).toEqual([
      [
        { url: expect.stringMatching('/v1/embeddings$'), reason: 'Status 503.' },
        expect.stringContaining('set POSTRIDER_EMBEDDINGS_DIMENSIONS to start without asking'),
      ],
    ]);
  });

  test('that a service refuses to tell end the start, without the key', async () => {
    for (const status of [400, 401, 404]) {
      const opening = open((_, response) => sendJson(response, status, { error: `no ${key}` }));
      const error = await opening.then(
        () => null,
        (reason: unknown) => reason as Error,
      );
      expect(error).toMatchObject({
        name: 'StartError',
        message: expect.stringContaining(`Status ${status}`),
      });
      expect(error!.message).not.toContain(key);
    }
  });
});

test('a service is asked at its URL as it is written, and without a key if none is set', async () => {
  const paths: string[] = [];
  for (const path of ['', '/', '/v1/', '/v1/embeddings', '/v1?api-version=2']) {
    const { requests } = await open(threeNumbers, { path, key: null });
    expect(requests[0]!.authorization).toBeUndefined();
    paths.push(requests[0]!.path);
  }
  expect(paths).toEqual([
    '/embeddings',
    '/embeddings',
    '/v1/embeddings',
    '/v1/embeddings',
    '/v1/embeddings?api-version=2',
  ]);
});
