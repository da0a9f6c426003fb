import type { NewAdminToken } from '@postrider/contract/console';
import { manage } from '@postrider/testkit/http/management-requests.ts';
import { operate } from '@postrider/testkit/servers/operate.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openAdminSocket } from '../../src/admin/admin-socket.ts';

let server: TestServer;
let close: () => Promise<void>;

beforeAll(async () => {
  server = await joinTestServer();
  close = await openAdminSocket(server.server.deps);
});
afterAll(async () => {
  await close();
  await server.stop();
});

const run = (command: string, input: object) => operate(server.dataDir, `admin-tokens ${command}`, input);
const create = (input: object) =>
  run('create', { name: 'platform', rights: ['keys'], expires: '30d', ...input }) as Promise<NewAdminToken>;
const actionsOn = async (target: string) =>
  (
    await server.rows<{ action: string }>(
      'select action from audit_entries where workspace_id = $1 and target = $2 order by seq',
      [server.id, target],
    )
  ).map(({ action }) => action);

test('tokens of the operator are made, listed and revoked, and are in the log of every workspace', async () => {
  const made = await create({});
  expect(made).toMatchObject({ name: 'platform', rights: ['keys'], created_by: null, is_backed: true });
  const days = (Date.parse(made.expires_at) - Date.now()) / 86_400_000;
  expect(Math.round(days)).toBe(30);
  const keys = () => manage(server, made.token, '/keys', { workspace: server.id });
  expect((await keys()).status).toBe(200);
  const { token: _, ...shown } = made;
  expect(await run('list', {})).toContainEqual(expect.objectContaining({ id: shown.id, name: 'platform' }));
  expect(await run('revoke', { id: made.id })).toMatchObject({ revoked_at: expect.any(String) });
  expect((await keys()).status).toBe(401);
  expect(await actionsOn(made.id)).toEqual(['admin_token.created', 'admin_token.revoked']);
});

test('what is no token is refused', async () => {
  for (const [input, message] of [
    [{ expires: 'never' }, 'at most a year'],
    [{ expires: '400d' }, 'expires_at: must be at most a year from now'],
    [{ expires: 'soon' }, 'is not a time'],
  ] as const)
    await expect(create(input)).rejects.toThrow(message);
  await expect(run('revoke', { id: 'adm_x' })).rejects.toThrow('There is no admin token');
});
