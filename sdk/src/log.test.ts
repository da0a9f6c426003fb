import { afterEach, describe, expect, it, vi } from 'vitest';
import { answer, errorAnswer, stubApi } from '../test/stub-api.ts';
import type { LogLevel } from './index.ts';

const { reply, client } = stubApi();
const message = { inbox_id: 'inb_1', to: ['ada@example.com'], subject: 'the subject', text: 'the text' };

function memoryLogger() {
  const lines: string[] = [];
  const write =
    (level: string) =>
    (text: string, ...details: unknown[]) => {
      lines.push(`${level} ${text} ${JSON.stringify(details)}`);
    };
  return {
    lines,
    logger: { error: write('error'), warn: write('warn'), info: write('info'), debug: write('debug') },
  };
}

async function linesAt(logLevel: LogLevel | undefined): Promise<string[]> {
  const { lines, logger } = memoryLogger();
  reply(
    () => errorAnswer(503, 'unavailable', {}, { 'retry-after': '0', 'set-cookie': 'session=secret' }),
    () => answer(201, { id: 'msg_1', secret: 'whsec_secret', body_text: 'the answer' }),
    () => errorAnswer(400, 'invalid_request', { issues: [{ path: 'query', message: 'is "the search"' }] }),
  );
  const api = client({ apiKey: 'pr_live_secret', logger, logLevel });
  await api.messages.send(message);
  await api.messages.list({ query: 'the search' }).catch(() => {});
  return lines;
}

afterEach(() => vi.unstubAllEnvs());

describe('the log', () => {
  it('says nothing at off, error and warn, which is the default', async () => {
    vi.stubEnv('POSTRIDER_LOG', undefined);
    expect(await linesAt('off')).toEqual([]);
    expect(await linesAt('error')).toEqual([]);
    expect(await linesAt('fatal')).toEqual([]);
    expect(await linesAt('silent' as LogLevel)).toEqual([]);
    expect(await linesAt(undefined)).toEqual([]);
  });

  it('warns of a client_id that was used for something else, since nothing was sent', async () => {
    const { lines, logger } = memoryLogger();
    reply(
      () => answer(200, { id: 'msg_1', idempotent: true }),
      () => answer(200, { id: 'msg_1', idempotent: true, differs: true }),
    );
    const api = client({ logger });
    await api.messages.send({ ...message, client_id: 'one' });
    expect(lines).toEqual([]);
    await api.messages.send({ ...message, client_id: 'one' });
    expect(lines).toEqual([expect.stringMatching(/^warn messages\.send: nothing was sent/)]);
  });

  it('has one line for each call and each repeat at info', async () => {
    const lines = await linesAt('info');
    expect(lines.map((line) => line.replace(/\d+ ms/, 'N ms'))).toEqual([
      'info messages.send: retry 1 of 1 after 503 []',
      'info messages.send: 201 after N ms [{"requestId":"req_stub"}]',
      'info messages.list: 400 invalid_request (request req_stub) after N ms []',
    ]);
  });

  it('has a line for each attempt and answer at debug', async () => {
    const lines = await linesAt('debug');
    expect(await linesAt('trace')).toHaveLength(lines.length);
    expect(lines.filter((line) => line.startsWith('debug'))).toHaveLength(6);
    expect(lines[0]).toContain('messages.send: attempt 1: POST http://api.test/v1/messages');
    expect(lines[0]).toContain('"authorization":"***"');
  });

  it('takes its level from the environment when none is given', async () => {
    vi.stubEnv('POSTRIDER_LOG', 'info');
    expect(await linesAt(undefined)).toHaveLength(3);
    expect(await linesAt('off')).toEqual([]);
  });

  it('warns of a level that is none', async () => {
    vi.stubEnv('POSTRIDER_LOG', 'loud');
    expect(await linesAt(undefined)).toEqual([
      'warn POSTRIDER_LOG is not one of off, fatal, error, warn, info, debug, trace; the level is warn. []',
    ]);
  });

  it('never has keys, cookies or bodies in it', async () => {
    const text = (await linesAt('debug')).join('\n');
    for (const secret of ['pr_live', 'whsec_', 'session=', 'the subject', 'the text', 'the answer', 'ada@']) {
      expect(text).not.toContain(secret);
    }
    expect((await linesAt('info')).join('\n')).not.toContain('search');
  });

  it('calls the methods of a logger on the logger', async () => {
    class Counter {
      count = 0;
      error() {}
      warn() {}
      info() {
        this.count += 1;
      }
      debug() {}
    }
    const logger = new Counter();
    reply(() => answer(200, {}));
    await client({ logger, logLevel: 'info' }).account.get();
    expect(logger.count).toBe(1);
  });
});
