import {
  type EmbeddingsAnswer,
  type EmbeddingsRequest,
  sendJson,
  startEmbeddingsServer,
} from '@postrider/testkit/servers/embeddings-server.ts';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createTimeScale } from '../../lib/clock.ts';
import { EmbeddingError } from '../provider.ts';
import { createRemote } from './create-remote.ts';

const key = 'sk-very-secret-0123456789';
const dimensions = 8;
/** A pause of half a second takes 5 ms, and the rest of 30 s takes 0.3 s. */
const timeScale = createTimeScale(100);

let asked: EmbeddingsRequest[];
let logged: unknown[];

beforeEach(() => {
  asked = [];
  logged = [];
});

/** A vector that tells the text that it is of by its second number. */
const makeVector = (text: string) => [3, text.length, 0, 0, 0, 0, 0, 0];

const vectors: EmbeddingsAnswer = ({ body }, response) =>
  sendJson(response, 200, {
    object: 'list',
    data: body.input.map((text, index) => ({ object: 'embedding', index, embedding: makeVector(text) })),
    model: body.model,
  });

const open = async (answer: EmbeddingsAnswer) => {
  const { origin, close } = await startEmbeddingsServer((request, response, number) => {
    asked.push(request);
    return answer(request, response, number);
  });
  const provider = createRemote(
    { url: `${origin}/v1/embeddings`, key, model: 'small', dimensions },
    { warn: (...args: unknown[]) => void logged.push(args) },
    timeScale,
  );
  onTestFinished(async () => {
    await provider.close();
    close();
  });
  return provider;
};

const { signal } = new AbortController();

const catchProblem = async (promise: Promise<unknown>): Promise<EmbeddingError> => {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof EmbeddingError) return error;
  throw new Error('There was no EmbeddingError.', { cause: error });
};

describe('a service for embeddings', () => {
  test('is asked with the key, the model and the dimensions, and its vectors get unit length', async () => {
    const provider = await open(vectors);
    const [vector] = await provider.embedMany(['four'], signal);
    expect([...vector!]).toEqual([expect.closeTo(0.6, 6), expect.closeTo(0.8, 6), 0, 0, 0, 0, 0, 0]);
    expect(asked).toEqual([
      {
        path: '/v1/embeddings',
        authorization: `Bearer ${key}`,
        body: { model: 'small', input: ['four'], encoding_format: 'float', dimensions },
      },
    ]);
    expect(provider).toMatchObject({ name: 'openai:small', version: '8', dimensions: 8 });
  });

  test('gets at most 64 texts at once, and empty ones not at all', async () => {
    const provider = await open(vectors);
    const texts = Array.from({ length: 150 }, (_, index) => (index % 50 === 0 ? ' \n' : 'x'.repeat(index)));
    const found = await provider.embedMany(texts, signal);
    expect(asked.map(({ body }) => body.input.length)).toEqual([64, 64, 19]);
    expect(found).toHaveLength(150);
    expect([...found[50]!]).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(found[149]![1]! / found[149]![0]!).toBeCloseTo(149 / 3, 3);
    expect(await provider.embedMany([], signal)).toEqual([]);
    expect(await provider.embedMany(['', ''], signal)).toHaveLength(2);
    expect(asked).toHaveLength(3);
  });

  test('gets the first 8,000 characters, and no half of a surrogate pair', async () => {
    const provider = await open(vectors);
    await provider.embedQuery(`${'x'.repeat(7_999)}😀`, signal);
    expect(asked[0]!.body.input[0]).toBe(`${'x'.repeat(7_999)}\ufffd`);
  });

  test('may answer in another order, or without one', async () => {
    const reversed = await open(({ body }, response) =>
      sendJson(response, 200, {
        data: body.input.map((text, index) => ({ index, embedding: makeVector(text) })).reverse(),
      }),
    );
    const unnumbered = await open(({ body }, response) =>
      sendJson(response, 200, { data: body.input.map((text) => ({ embedding: makeVector(text) })) }),
    );
    const expected = await (await open(vectors)).embedMany(['a', 'bbbb', 'cc'], signal);
    expect(await reversed.embedMany(['a', 'bbbb', 'cc'], signal)).toEqual(expected);
    expect(await unnumbered.embedMany(['a', 'bbbb', 'cc'], signal)).toEqual(expected);
  });

  test('that refuses to be told the dimensions is asked without them from then on', async () => {
    const provider = await open((request, response, number) =>
      request.body.dimensions
        ? sendJson(response, 400, {
            error: { message: 'This model does not support specifying dimensions.' },
          })
        : vectors(request, response, number),
    );
    expect(await provider.embedMany(['one'], signal)).toHaveLength(1);
    await provider.embedMany(['two'], signal);
    expect(asked.map(({ body }) => body.dimensions)).toEqual([8, undefined, undefined]);
  });
});

describe('a service that fails', () => {
  test('is asked again after 429 and 5xx, and after the time that it names', async () => {
    const provider = await open((request, response, number) => {
      if (number === 1) return sendJson(response, 429, {}, { 'retry-after': '2' });
      if (number === 2) return sendJson(response, 503, 'not JSON');
      return vectors(request, response, number);
    });
    const startedAt = performance.now();
    expect(await provider.embedMany(['text'], signal)).toHaveLength(1);
    expect(asked).toHaveLength(3);
    // 2 s at a hundred times the speed, less what timers may be early.
    expect(performance.now() - startedAt).toBeGreaterThan(18);
  });

  test('is given up after four attempts, or at once if it asks for too long a pause', async () => {
    const failing = await open((_, response) =>
      sendJson(response, 500, { error: { message: 'overloaded' } }),
    );
    const problem = await catchProblem(failing.embedMany(['text'], signal));
    expect(problem).toMatchObject({ mayPass: true, message: expect.stringContaining('500: overloaded') });
    expect(asked).toHaveLength(4);
    const patient = await open((_, response) => sendJson(response, 429, {}, { 'retry-after': '3600' }));
    expect(await catchProblem(patient.embedMany(['text'], signal))).toMatchObject({ mayPass: true });
    expect(asked).toHaveLength(5);
  });

  test('gets one attempt for a search', async () => {
    const provider = await open((_, response) => sendJson(response, 503, {}));
    await catchProblem(provider.embedQuery('text', signal));
    expect(asked).toHaveLength(1);
  });

  test('is not asked again with a wrong key or model, and no message has the key', async () => {
    for (const status of [401, 403, 404, 402, 301]) {
      const provider = await open((_, response) =>
        sendJson(
          response,
          status,
          { error: { message: `Wrong key ${key}` } },
          { location: 'http://127.0.0.1:1/' },
        ),
      );
      const problem = await catchProblem(provider.embedMany(['text'], signal));
      expect(problem.mayPass).toBe(false);
      expect(problem.message).toContain(String(status));
      expect(JSON.stringify([problem.message, problem.stack, logged])).not.toContain(key);
    }
    expect(asked).toHaveLength(5);
  });

  test('by hanging is cut off, before its answer and in it', async () => {
    const silent = await open(() => {});
    const dripping = await open((_, response) => response.writeHead(200).write('{"data":['));
    const problems = await Promise.all(
      [silent, dripping].map((provider) => catchProblem(provider.embedQuery('text', signal))),
    );
    for (const problem of problems)
      expect(problem).toMatchObject({ mayPass: true, message: expect.stringContaining('within 3000 ms') });
  });

  test('by closing the connection is asked again', async () => {
    const provider = await open((request, response, number) => {
      if (number === 1) return response.destroy();
      if (number === 2) {
        response.writeHead(200, { 'content-length': '1000' }).write('{"data":[');
        return setTimeout(() => response.destroy(), 5);
      }
      return vectors(request, response, number);
    });
    expect(await provider.embedMany(['text'], signal)).toHaveLength(1);
    expect(asked).toHaveLength(3);
  });

  test('that cannot be reached is a problem that may pass', async () => {
    const provider = createRemote(
      { url: 'http://127.0.0.1:1/v1/embeddings', key, model: 'small', dimensions },
      { warn: () => {} },
      timeScale,
    );
    onTestFinished(() => provider.close());
    expect(await catchProblem(provider.embedQuery('text', signal))).toMatchObject({
      mayPass: true,
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });
});

describe('an answer that is wrong', () => {
  test('is a problem of the settings, and the service is not asked again', async () => {
    const provider = await open((_, response) =>
      sendJson(response, 200, { data: [{ embedding: [1, 2, 3] }] }),
    );
    expect(await catchProblem(provider.embedMany(['text'], signal))).toMatchObject({
      mayPass: false,
      message: expect.stringContaining('have 3 dimensions: set POSTRIDER_EMBEDDINGS_DIMENSIONS'),
    });
    expect(asked).toHaveLength(1);
  });

  test('by endless bytes is cut off', async () => {
    let sent = 0;
    const provider = await open((_, response) => {
      response.writeHead(200);
      const part = Buffer.alloc(65_536, '1');
      const more = () => {
        while (!response.destroyed && response.write(part)) sent += part.length;
      };
      response.on('drain', more);
      more();
    });
    const problem = await catchProblem(provider.embedMany(['text'], signal));
    expect(problem).toMatchObject({ mayPass: false, message: expect.stringContaining('more than') });
    expect(sent).toBeLessThan(20_000_000);
    expect(asked).toHaveLength(1);
  });

  test('that is not JSON may be better the next time', async () => {
    const provider = await open((request, response, number) =>
      number === 1 ? sendJson(response, 200, '<html>') : vectors(request, response, number),
    );
    expect(await provider.embedMany(['text'], signal)).toHaveLength(1);
  });

  test('of zeros stays zero', async () => {
    const provider = await open((_, response) =>
      sendJson(response, 200, { data: [{ embedding: Array(dimensions).fill(0) }] }),
    );
    expect([...(await provider.embedQuery('text', signal))]).toEqual(Array(dimensions).fill(0));
  });
});

describe('a text that the service refuses', () => {
  const refusing = (isRefused: (text: string) => boolean): EmbeddingsAnswer => {
    return (request, response, number) =>
      request.body.input.some(isRefused)
        ? sendJson(response, 400, { error: { message: 'too many tokens' } })
        : vectors(request, response, number);
  };

  test('does not keep the others from their vectors, and has one of its first part', async () => {
    const provider = await open(refusing((text) => text.length > 1_000));
    const texts = Array.from({ length: 64 }, (_, index) => `text ${index}`);
    texts[40] = 'long '.repeat(1_000);
    const found = await provider.embedMany(texts, signal);
    expect(found).toHaveLength(64);
    expect(found[40]![1]! / found[40]![0]!).toBeCloseTo(625 / 3, 3);
    expect(found[63]![1]! / found[63]![0]!).toBeCloseTo(7 / 3, 3);
    expect(asked.length).toBeLessThan(25);
    expect(logged).toEqual([]);
  });

  test('at any length has a vector of zeros, with a warning', async () => {
    const provider = await open(refusing((text) => text.startsWith('poison')));
    const [good, bad] = await provider.embedMany(['good', 'poison '.repeat(100)], signal);
    expect(good!.some((value) => value !== 0)).toBe(true);
    expect([...bad!]).toEqual(Array(dimensions).fill(0));
    expect(logged).toEqual([
      [
        { provider: 'openai:small', reason: expect.stringContaining('too many tokens') },
        'a text has no vector, because the service refuses it',
      ],
    ]);
  });

  test('like every other one is a problem of the settings', async () => {
    const provider = await open(refusing(() => true));
    const texts = Array.from({ length: 64 }, (_, index) => `text ${index}`);
    expect(await catchProblem(provider.embedMany(texts, signal))).toMatchObject({ mayPass: false });
    expect(asked.length).toBeLessThan(10);
  });
});

describe('a service that failed five times', () => {
  test('is left alone, then gets one try, and then all of them', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let isWell = false;
    const provider = await open((request, response, number) =>
      isWell ? vectors(request, response, number) : sendJson(response, 500, {}),
    );
    for (let tries = 0; tries < 5; tries += 1) await catchProblem(provider.embedQuery('text', signal));
    expect((await catchProblem(provider.embedQuery('text', signal))).message).toContain(
      'not used for a while',
    );
    expect(asked).toHaveLength(5);
    isWell = true;
    vi.advanceTimersByTime(299);
    await catchProblem(provider.embedQuery('text', signal));
    vi.advanceTimersByTime(1);
    await provider.embedQuery('text', signal);
    expect(asked).toHaveLength(6);
    await Promise.all([provider.embedQuery('one', signal), provider.embedQuery('two', signal)]);
    expect(asked).toHaveLength(8);
  });
});

describe('a call', () => {
  test('ends with the reason of its signal, also while it waits for the next attempt', async () => {
    const silent = await open(() => {});
    const stop = new AbortController();
    const call = silent.embedMany(['text'], stop.signal);
    setTimeout(() => stop.abort(new Error('stopped')), 20);
    await expect(call).rejects.toThrow('stopped');
    const busy = await open((_, response) => sendJson(response, 429, {}, { 'retry-after': '29' }));
    const later = new AbortController();
    const waiting = busy.embedMany(['text'], later.signal);
    setTimeout(() => later.abort(new Error('stopped later')), 20);
    await expect(waiting).rejects.toThrow('stopped later');
    await expect(busy.embedQuery('text', later.signal)).rejects.toThrow('stopped later');
  });

  test('ends when the provider is closed', async () => {
    const silent = await open(() => {});
    const call = catchProblem(silent.embedMany(['text'], signal));
    await expect.poll(() => asked.length).toBe(1);
    await silent.close();
    expect((await call).message).toContain('The server stops.');
  });
});
