import { createHash, randomBytes } from 'node:crypto';
import { chmod, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import {
  makeServerHome,
  type ServerHome,
  type ServerProcess,
} from '@postrider/testkit/servers/server-process.ts';
import { Postrider } from 'postrider';
import { afterEach, describe, expect, test } from 'vitest';

const keyPattern = /pr_(?:live|test)_[0-9A-Za-z]{43}/g;
const newKey = () => `pr_live_${randomBytes(22).toString('hex').slice(0, 43)}`;

let home: ServerHome;

afterEach(() => home.remove());

const clientOf = (server: ServerProcess, apiKey: string) =>
  new Postrider({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

const bootstrap = (...entries: object[]) => ({ POSTRIDER_BOOTSTRAP: JSON.stringify(entries) });

describe('the first start', () => {
  test('tells the first key once, and keeps what is in the data folder to its owner', async () => {
    home = await makeServerHome({ POSTRIDER_BOOTSTRAP: '' }, { database: {} });
    const dataDir = join(home.dataDir, 'new');
    await chmod(home.dataDir, 0o711);
    const env = { POSTRIDER_DATA_DIR: dataDir, POSTRIDER_SECRET: '' };
    const first = await home.start(env);
    const keys = first.output().match(keyPattern) ?? [];
    expect(new Set(keys).size).toBe(1);
    const [key = ''] = keys;
    expect(first.output()).toContain(
      `\nexport POSTRIDER_API_KEY=${key}\nexport POSTRIDER_BASE_URL=${first.url}/v1\n`,
    );
    expect(first.output()).not.toContain('0001-tables');
    await clientOf(first, key).inboxes.create({ local_part: 'first' });
    expect((await modeOf(dataDir)) & 0o766).toBe(0o700);
    expect(await modeOf(join(dataDir, 'admin.sock'))).toBe(0o600);
    for (const name of await readdir(dataDir)) {
      expect([name, (await modeOf(join(dataDir, name))) & 0o077]).toEqual([name, 0]);
    }
    await first.stop();

    const second = await home.start(env);
    expect(second.output()).not.toMatch(keyPattern);
    expect(second.output()).toContain(`\nexport POSTRIDER_BASE_URL=${second.url}/v1\n`);
    const { inboxes } = await clientOf(second, key).inboxes.list();
    expect(inboxes).toHaveLength(1);
    const { output } = await second.stop();
    expect(output).not.toMatch(keyPattern);
  });
});

describe('workspaces that must exist', () => {
  test('are made when they are missing, matched by name, and a revoked key stays revoked', async () => {
    const [one, two, hashed] = [newKey(), newKey(), newKey()];
    home = await makeServerHome(bootstrap({ name: 'one', plan: 'free', key: one }));
    const first = await home.start();
    await clientOf(first, one).inboxes.create({ local_part: 'kept' });
    const { output: listed } = await home.run(['keys', 'list', '--workspace', 'one']);
    const [{ id }] = JSON.parse(listed) as [{ id: string }];
    await home.run(['keys', 'revoke', id]);
    await catchApiError(clientOf(first, one).inboxes.list(), 'invalid_token');
    expect((await first.stop()).output).not.toMatch(keyPattern);

    const second = await home.start(
      bootstrap(
        { name: 'one', plan: 'scale', key: one },
        { name: 'one', key: two },
        { name: 'three', test: true, key_sha256: createHash('sha256').update(hashed).digest('hex') },
      ),
    );
    await catchApiError(clientOf(second, one).inboxes.list(), 'invalid_token');
    expect((await clientOf(second, two).inboxes.list()).inboxes).toHaveLength(1);
    expect((await clientOf(second, hashed).inboxes.list()).inboxes).toEqual([]);
    const { output } = await home.run(['workspaces', 'list']);
    expect(JSON.parse(output)).toMatchObject([
      { name: 'one', plan: 'free', is_test: false },
      { name: 'three', plan: 'business', is_test: true },
    ]);
    await second.stop();
  });
});

describe('what a server prints', () => {
  test('never holds a key that it was given, whatever was asked with it', async () => {
    home = await makeServerHome({ POSTRIDER_LOG: 'trace', POSTRIDER_HTPP_PORT: '1' });
    const secretFile = join(home.dataDir, 'root-secret');
    const secret = randomBytes(32).toString('hex');
    await writeFile(secretFile, secret);
    const server = await home.start({ POSTRIDER_SECRET: '', POSTRIDER_SECRET_FILE: secretFile });
    const stranger = newKey();
    const ask = (path: string, init: RequestInit = {}) => fetch(server.url + path, init).catch(() => null);
    const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
    for (const key of [home.key, stranger]) {
      await ask('/v1/inboxes', { headers: bearer(key) });
      await ask(`/v1/inboxes?key=${key}`, { headers: bearer(key) });
      await ask(`/v1/inboxes/${key}`, { headers: bearer(key) });
      await ask(`/${key}`);
      await ask(`/files/${key}`);
      await ask('/v1/inboxes', { method: 'POST', headers: { cookie: key, 'x-api-key': key }, body: key });
      await ask('/v1/inboxes', {
        method: 'POST',
        headers: { ...bearer(key), 'content-type': 'application/json' },
        body: `{"${key}`,
      });
      await ask('/metrics', { headers: bearer(key) });
    }
    const made = await home.run(['keys', 'create', '--workspace', 'home', '--name', 'another']);
    const { key: another } = JSON.parse(made.output) as { key: string };
    await clientOf(server, another).inboxes.list();
    const { output } = await server.stop();
    expect(output).toContain('POSTRIDER_HTPP_PORT');
    expect(output.match(/"msg":"request"/g)?.length).toBeGreaterThan(10);
    for (const hidden of [home.key, stranger, another, secret]) expect(output).not.toContain(hidden);
  });

  test('when its settings are wrong, is all that is wrong and no secret', async () => {
    home = await makeServerHome({
      POSTRIDER_HTTP_PORT: 'no port',
      POSTRIDER_SMTP_RELAY: 'http://user:hunter2@host',
      POSTRIDER_SECRET: 'hunter2',
      POSTRIDER_BOOTSTRAP: '[{"name": "a", "key": "hunter2"}]',
    });
    const { code, output } = await home.run(['start']);
    expect(code).toBe(1);
    for (const name of ['HTTP_PORT', 'SMTP_RELAY', 'SECRET', 'BOOTSTRAP'])
      expect(output).toContain(`POSTRIDER_${name} `);
    expect(output).not.toContain('hunter2');
    expect(output).not.toContain('    at ');
  });
});
