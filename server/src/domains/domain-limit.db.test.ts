import { limits } from '@postrider/contract';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('a workspace has 1,000 domains at most, and a deleted one takes no place', async () => {
  const { id } = await server.client.domains.create({ hostname: 'one.example' });
  await server.rows(
    `insert into domains (workspace_id, id, hostname, kind, status, dmarc_policy, ownership_token, dkim_selector,
        dkim_private_key, dkim_public_key, checks, looking_since, created_at)
      select workspace_id, 'dom_' || n, 'd' || n || '.example', kind, status, dmarc_policy, '', '', '', '', '[]', looking_since, created_at
      from domains, generate_series(2, $1::int) n where id = $2`,
    [limits.domainsPerWorkspaceMax, id],
  );
  const add = () => server.client.domains.create({ hostname: 'another.example' });
  await catchApiError(add(), 'limit_reached', { limit: limits.domainsPerWorkspaceMax });
  await server.client.domains.delete(id);
  expect((await add()).status).toBe('pending');
});
