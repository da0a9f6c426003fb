/* Interface 11: messages that wait for approval have a limit, so that people can look through them. */
import { limits } from '@postrider/contract';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

test('Interface 11 approve: as many messages wait as may, and further ones are refused and not stored', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const place = { workspaceId: owner.id, level: 'workspace' as const, subjectId: owner.id };
  await setPolicy(server.server.deps, place, { send: 'approve' }, operator);
  const limit = limits.heldMessagesPerWorkspaceMax;
  await server.rows(
    `insert into approvals (workspace_id, message_id, inbox_id, state, content_hash, held_at, expires_at, notified_at)
      select $1, 'msg_' || n, $2, 'held', '', now(), now() + interval '1 day', now() from generate_series(1, $3::int) n`,
    [owner.id, inbox.id, limit - 1],
  );
  const body = { inbox_id: inbox.id, to: 'ada@remote.example', subject: 'Hello', text: 'Hi' };
  expect((await owner.client.messages.send(body)).delivery_status).toBe('held');
  const refused = await catchApiError(owner.client.messages.send(body), 'limit_reached');
  expect(refused).toMatchObject({ limit });
  expect((await owner.client.messages.list({ inbox_id: inbox.id })).messages).toHaveLength(1);
  await server.rows(`delete from approvals where workspace_id = $1 and message_id = 'msg_1'`, [owner.id]);
  expect((await owner.client.messages.send(body)).delivery_status).toBe('held');
});
