/* Interface 20: workspaces have a name, the operator's, and a title, which owners may change. */
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { signedIn } from '@postrider/testkit/http/console-browser.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { claimInbox } from '../../../src/inboxes/create-inbox.ts';
import { bootstrapWorkspaces } from '../../../src/keys/bootstrap.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('Interface 20 Workspaces: owners change the title, which opens nothing by the name of another workspace', async () => {
  const tenant = await server.workspace();
  const owner = await signedIn(server, 'owner', tenant);
  const rename = (body: object) => owner.request('/workspace', { method: 'PATCH', body });
  expect((await rename({ title: 'partner' })).body).toMatchObject({ id: tenant.id, title: 'partner' });
  expect((await rename({ name: 'partner' })).status).toBe(400);
  expect((await tenant.client.account.get()).workspace).toMatchObject({
    id: tenant.id,
    name: tenant.name,
    title: 'partner',
  });

  const { deps } = server.server;
  const key = `pr_live_${'p'.repeat(43)}`;
  const bootstrap = [{ name: 'partner', plan: 'free' as const, test: false, key }];
  await bootstrapWorkspaces({ ...deps, config: { ...deps.config, bootstrap } }, (workspace, named) =>
    claimInbox(deps, workspace, named),
  );
  const partner = new Postrider({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const { workspace } = await partner.account.get();
  expect(workspace).toMatchObject({ name: 'partner', title: 'partner' });
  expect(workspace.id).not.toBe(tenant.id);
  const inbox = await server.inbox(tenant);
  await catchApiError(partner.inboxes.get(inbox.id), 'not_found');
  // Two workspaces may have the same title.
  expect((await rename({ title: 'default' })).status).toBe(200);
});
