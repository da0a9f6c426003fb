import { spawn, spawnSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/*
 * The tests of the Python client, in `python/tests`, run against a server of this test. Each of them is a test here, which is skipped where
 * there is no Python.
 */

const folder = resolve(import.meta.dirname, '../../../../python/tests');
const isNew = ['-c', 'import sys; sys.exit(sys.version_info < (3, 10))'];
const hasPython = spawnSync('python3', isNew).status === 0;
const missing = hasPython ? '' : ' (no Python 3.10 or newer is here)';

/** The names of the tests of a file, as Python has them. */
const namesIn = async (file: string): Promise<string[]> => {
  const source = await readFile(join(folder, file), 'utf8');
  let className = '';
  return source.split('\n').flatMap((line) => {
    className = /^class (\w+)/.exec(line)?.[1] ?? className;
    const name = /^ {4}(?:async )?def (test_\w+)/.exec(line)?.[1];
    return name === undefined ? [] : [`tests.${file.replace('.py', '')}.${className}.${name}`];
  });
};

const files = (await readdir(folder)).filter((name) => /^test_\w+\.py$/.test(name));
const names = (await Promise.all(files.map(namesIn))).flat();

/** The failure of each test that ran; null if it passed. */
const outcomes = new Map<string, string | null>();
let problems = '';
let server: TestServer | undefined;

beforeAll(async () => {
  if (!hasPython) return;
  server = await startTestServer({ env: { POSTRIDER_EMBEDDINGS: 'words' } });
  const child = spawn('python3', [join(folder, 'run.py')], {
    env: {
      PATH: process.env.PATH,
      PYTHONDONTWRITEBYTECODE: '1',
      POSTRIDER_API_KEY: server.key,
      POSTRIDER_BASE_URL: `${server.url}/v1`,
      POSTRIDER_SMTP_PORT: String(server.smtpPort),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  problems = said;
  for (const line of printed.split('\n').filter((one) => one !== '')) {
    const { name, failure } = JSON.parse(line) as { name: string; failure: string | null };
    outcomes.set(name, outcomes.get(name) ?? failure);
  }
});
afterAll(() => server?.stop());

describe(`the Python client${missing}`, () => {
  it.skipIf(!hasPython).each(names)('%s', (name) => {
    expect(outcomes.has(name), `it was not run: ${problems}`).toBe(true);
    expect(outcomes.get(name) ?? '').toBe('');
  });
});
