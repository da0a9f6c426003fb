import { rm } from 'node:fs/promises';
import { Postrider } from 'postrider';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { errorOf } from '../harness/api-errors.ts';
import { makeServerHome, type ServerHome, type ServerProcess } from '../harness/server-process.ts';

const isPostgres = inject('testDatabases').kind === 'postgres';

let home: ServerHome;

beforeEach(async () => {
  home = await makeServerHome();
});

afterEach(() => home.remove());

const clientOf = (server: ServerProcess, apiKey: string) =>
  new Postrider({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });

/** Runs a verb that must succeed, and gives what it printed. */
const run = async (...args: string[]): Promise<unknown> => {
  const { code, output } = await home.run(args);
  expect([args, code, output]).toEqual([args, 0, output]);
  return args[0] === 'migrate' ? output : JSON.parse(output);
};

/** Runs a verb that must fail, and gives the sentence that it says. */
const fail = async (...args: string[]): Promise<string> => {
  const { code, output } = await home.run(args);
  expect([args, code]).toEqual([args, 1]);
  expect(output).not.toContain('    at ');
  return output.trim();
};

type Key = { id: string; key: string };

describe('the command line', () => {
  test('reaches a running server, whose answers change at once', async () => {
    const server = await home.start();
    expect(await run('migrate')).toBe('The schema is up to date.\n');
    expect(await run('workspaces', 'create', 'acme', '--plan', 'free')).toMatchObject({
      name: 'acme',
      plan: 'free',
    });
    const { id, key } = (await run('keys', 'create', '--workspace', 'acme', '--name', 'ci')) as Key;
    const client = clientOf(server, key);
    await client.inboxes.create({ local_part: 'one' });
    const test = (await run('workspaces', 'create', 'lab', '--test')) as { is_test: boolean };
    expect(test.is_test).toBe(true);
    expect(((await run('keys', 'create', '--workspace', 'lab')) as Key).key).toMatch(/^pr_test_/);

    const listed = (await run('keys', 'list', '--workspace', 'acme')) as object[];
    expect(listed).toMatchObject([{ id, name: 'ci', workspace: 'acme', revoked_at: null }]);
    expect(JSON.stringify(listed)).not.toContain(key);
    expect(await run('workspaces', 'set-plan', 'acme', 'pro')).toMatchObject({ plan: 'pro' });

    const waiting = errorOf(client.messages.list({ wait_seconds: 60 }), 'invalid_token');
    await run('keys', 'revoke', id);
    await waiting;
    await errorOf(client.inboxes.list(), 'invalid_token');
    expect(await run('keys', 'revoke', id)).toEqual({ id, revoked: true });
    await server.stop();
  }, 90_000);

  test('opens the database itself when no server runs, also after one was killed', async () => {
    const server = await home.start();
    await server.crash();
    const { key } = (await run('keys', 'create', '--workspace', 'home')) as Key;
    expect(await run('workspaces', 'list')).toMatchObject([{ name: 'home' }]);
    expect(await run('migrate')).toBe('The schema is up to date.\n');
    const again = await home.start();
    expect((await clientOf(again, key).inboxes.list()).inboxes).toEqual([]);
    await again.stop();
  }, 90_000);

  test('says what is wrong in a sentence', async () => {
    const server = await home.start();
    expect(await fail('keys', 'create', '--workspace', 'nobody')).toBe(
      'Error: There is no workspace nobody. "workspaces list" shows them.',
    );
    expect(await fail('keys', 'revoke', 'key_unknown')).toContain('There is no key key_unknown.');
    expect(await fail('workspaces', 'create', 'home')).toBe('Error: There is a workspace home already.');
    expect(await fail('workspaces', 'set-plan', 'home', 'golden')).toContain('There is no plan golden.');
    expect(await fail('start', '--roles', 'api,cook')).toContain('There is no role cook.');
    if (!isPostgres) {
      expect(await fail('start')).toBe(
        `Error: ${home.dataDir} is in use by process ${server.pid}. Stop it first, or give this one another data folder.`,
      );
      // Without the socket the verb cannot reach it and must not open the files under it.
      await rm(`${home.dataDir}/admin.sock`);
      expect(await fail('keys', 'list')).toContain(`in use by process ${server.pid}.`);
    }
    await server.stop();
  }, 90_000);
});
