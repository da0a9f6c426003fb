import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorkspace } from '../workspaces/manage-workspaces.ts';
import type { AdminDeps } from './command.ts';
import { keyCommands } from './keys.ts';

let server: TestServer;
let deps: AdminDeps;

beforeAll(async () => {
  server = await joinTestServer();
  deps = server.server.deps as unknown as AdminDeps;
});
afterAll(() => server.stop());

const create = (limits: object) =>
  keyCommands['keys create'](deps, { workspace: server.name, name: 'agent', ...limits });
const shown = async (id: string) =>
  (await keyCommands['keys list'](deps, { workspace: server.name })).find((key) => key.id === id);

test('a key is limited to inboxes by address and id, by days and by a policy, and shown so', async () => {
  const [first, second] = [await server.inbox(), await server.inbox()];
  const policy = { send: 'never', recipients: ['Ada@Example.com'] };
  const made = await create({ inboxes: [first.address.toUpperCase(), second.id], expires: '30d', policy });
  const client = new Postrider({ apiKey: made.key, baseURL: `${server.url}/v1`, maxRetries: 0 });
  expect((await client.inboxes.list()).inboxes).toHaveLength(2);
  const key = await shown(made.id);
  expect(key).toMatchObject({ inbox_ids: [first.id, second.id], read_only: false });
  expect(key?.policy).toEqual({ send: 'never', recipients: ['ada@example.com'] });
  const days = ((key?.expires_at?.getTime() ?? 0) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  const change = { id: made.id, name: 'reader', inboxes: null, readOnly: true, expires: 'never', policy: {} };
  const unlimited = { name: 'reader', inbox_ids: null, read_only: true, expires_at: null, policy: {} };
  expect(await keyCommands['keys update'](deps, change)).toMatchObject(unlimited);
});

test('what is no limit is refused, and nothing is made', async () => {
  const theirs = await server.inbox(await server.workspace());
  const before = await keyCommands['keys list'](deps, { workspace: server.name });
  for (const [limits, message] of [
    [{ inboxes: [theirs.address] }, 'has no inbox'],
    [{ expires: '2020-01-01T00:00:00Z' }, 'is in the past'],
    [{ expires: 'soon' }, 'is not a time'],
    [{ policy: { send: 'maybe' } }, 'send:'],
  ] as const)
    await expect(create(limits)).rejects.toThrow(message);
  expect(await keyCommands['keys list'](deps, { workspace: server.name })).toEqual(before);
});

test('the keys of a workspace are not those of a deleted one that had its name', async () => {
  const { id, name } = await server.workspace();
  await server.rows('update workspaces set deleted_at = now() where id = $1', [id]);
  await createWorkspace(deps, { name, plan: 'free', isTest: false });
  expect(await keyCommands['keys list'](deps, { workspace: name })).toEqual([]);
});
