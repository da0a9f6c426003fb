import { rename } from 'node:fs/promises';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import {
  makeServerHome,
  type ServerHome,
  type ServerProcess,
} from '@postrider/testkit/servers/server-process.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let home: ServerHome;
let server: ServerProcess;

beforeAll(async () => {
  home = await makeServerHome();
  server = await home.start();
});

afterAll(() => home.remove());

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

describe('the command line beside a server', () => {
  test('reaches it, and its answers change at once', async () => {
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

    const waiting = catchApiError(client.messages.list({ wait_seconds: 60 }), 'invalid_token');
    await run('keys', 'revoke', id);
    await waiting;
    await catchApiError(client.inboxes.list(), 'invalid_token');
    expect(await run('keys', 'revoke', id)).toEqual({ id, revoked: true });
  });

  test('shows what the owner of a domain enters at the DNS provider', async () => {
    await run('workspaces', 'create', 'domains');
    const { key } = (await run('keys', 'create', '--workspace', 'domains')) as Key;
    await clientOf(server, key).domains.create({ hostname: 'mail.acme.example' });
    expect(await run('domains', 'list')).toMatchObject([
      { hostname: 'mail.acme.example', workspace: 'domains' },
    ]);
    const { zone, records } = (await run('domains', 'show', 'mail.acme.example')) as {
      zone: string;
      records: { host: string }[];
    };
    expect([zone, records[0]?.host]).toEqual(['acme.example', '_postrider.mail']);
    const { code, output } = await home.run(['domains', 'zone', 'mail.acme.example']);
    expect([code, output.split('\n')[0]]).toEqual([0, '$ORIGIN acme.example.']);
    expect(await run('domains', 'template')).toMatchObject({ serviceId: 'mail' });
    expect(await fail('domains', 'show', 'other.example')).toContain('There is no domain other.example');
  });

  test('says how it is called and which version it is', async () => {
    for (const args of [['--help'], ['keys', '--help'], ['start', '--help']]) {
      const { code, output } = await home.run(args);
      expect([code, output]).toEqual([0, expect.stringContaining('Usage: npm run postrider -- ')]);
    }
    const { code, output } = await home.run(['--version']);
    expect([code, output]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  test('says what is wrong in a sentence', async () => {
    expect(await fail('keys', 'create', '--workspace', 'nobody')).toBe(
      'Error: There is no workspace nobody. "workspaces list" shows them.',
    );
    expect(await fail('keys', 'revoke', 'key_unknown')).toContain('There is no key key_unknown.');
    expect(await fail('workspaces', 'create', 'home')).toBe('Error: There is already a workspace home.');
    expect(await fail('workspaces', 'set-plan', 'home', 'golden')).toContain('There is no plan golden.');
    expect(await fail('start', '--roles', 'api,cook')).toContain('There is no role cook.');
  });
});

describe('the command line of a server with a database of its own', () => {
  beforeAll(async () => {
    await home.remove();
    home = await makeServerHome({}, { database: {} });
    server = await home.start();
  });

  test('reaches the server, and is kept from the files as a second server is', async () => {
    expect(await run('migrate')).toBe('The schema is up to date.\n');
    expect(await fail('start')).toBe(
      `Error: ${home.dataDir} is in use by process ${server.pid}. Stop it first, or give this one another data folder by POSTRIDER_DATA_DIR.`,
    );
    // Without the socket the verb cannot reach the server, and must not open the files under it.
    await rename(`${home.dataDir}/admin.sock`, `${home.dataDir}/away.sock`);
    expect(await fail('keys', 'list')).toContain(`in use by process ${server.pid}.`);
    await rename(`${home.dataDir}/away.sock`, `${home.dataDir}/admin.sock`);
  });

  test('opens the database itself where no server runs', async () => {
    await server.crash();
    await run('workspaces', 'create', 'beside');
    const { key } = (await run('keys', 'create', '--workspace', 'beside')) as Key;
    expect(await run('migrate')).toBe('The schema is up to date.\n');
    server = await home.start();
    expect((await clientOf(server, key).inboxes.list()).inboxes).toEqual([]);
  });
});
