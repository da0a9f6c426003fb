import { Plan, plans } from '@postrider/contract';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { changeWorkspace } from '../../../src/workspaces/manage-workspaces.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    env: { POSTRIDER_PLANS: JSON.stringify({ scale: { inboxes: 7, semantic_search: false } }) },
  });
});
afterAll(() => server.stop());

test('Interface 6 GET /account: answers workspace, plan, limits and usage of the key', async () => {
  const before = Date.now();
  const owner = await server.workspace({ plan: 'pro' });
  const account = await owner.client.account.get();
  const now = new Date();
  expect(account).toEqual({
    workspace: {
      id: owner.id,
      name: owner.name,
      title: owner.name,
      test: false,
      created_at: expect.any(String),
    },
    plan: 'pro',
    limits: plans.pro,
    usage: {
      inboxes: 0,
      emails_this_month: 0,
      storage_bytes: 0,
      mail_bytes: 0,
      month_ends_at: new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)).toISOString(),
    },
  });
  const createdAt = Date.parse(account.workspace.created_at);
  expect(createdAt).toBeGreaterThanOrEqual(before - 1);
  expect(createdAt).toBeLessThanOrEqual(now.getTime());
});

test('Interface 6 GET /account: a test workspace says so, and a second key shows the same account', async () => {
  const owner = await server.workspace({ isTest: true });
  const second = await createKey(server.server.deps, owner.name, 'second');
  const other = new Postrider({ apiKey: second.key, baseURL: `${server.url}/v1` });
  const account = await owner.client.account.get();
  expect(account.workspace.test).toBe(true);
  expect(await other.account.get()).toEqual(account);
});

test('Interface 6 GET /account: usage is of what there is now, and of this workspace alone', async () => {
  const owner = await server.workspace();
  const before = await server.client.account.get();
  const [first, second] = [await server.inbox(owner), await server.inbox(owner)];
  await owner.client.messages.send({
    inbox_id: first.id,
    to: [second.address, 'ada@remote.example'],
    subject: 's',
    attachments: [{ filename: 'a.txt', content: Buffer.from('ten bytes.') }],
  });
  await owner.client.messages.waitFor({ inbox_id: second.id, after: second.created_at, timeout: 300_000 });
  await sendMail(server.smtpPort, {
    from: 'ada@remote.example',
    to: first.address,
    subject: 'In',
    text: 'x',
    attachments: [{ filename: 'b.txt', content: 'four' }],
  });
  const usage = async () => (await owner.client.account.get()).usage;
  expect(await usage()).toMatchObject({ inboxes: 2, emails_this_month: 1, storage_bytes: 24 });
  await owner.client.inboxes.delete(second.id);
  expect(await usage()).toMatchObject({ inboxes: 1, emails_this_month: 1, storage_bytes: 14 });
  await owner.client.inboxes.delete(first.id);
  expect(await usage()).toMatchObject({ inboxes: 0, emails_this_month: 1, storage_bytes: 0 });
  expect((await server.client.account.get()).usage).toEqual(before.usage);
});

test('Interface 7: the limits are those of the plan that the workspace is on now, as configuration has them', async () => {
  const owner = await server.workspace({ plan: 'free' });
  for (const plan of Plan.options) {
    await changeWorkspace(server.server.deps, owner, { plan });
    const configured = plan === 'scale' ? { inboxes: 7, semantic_search: false } : {};
    expect(await owner.client.account.get()).toMatchObject({
      plan,
      limits: { ...plans[plan], ...configured },
    });
  }
  const changes = await server.rows(
    "select before->>'plan' as before, after->>'plan' as after from audit_entries where workspace_id = $1 and action = 'workspace.plan_changed' order by seq",
    [owner.id],
  );
  // The plan that the workspace was on is no change.
  const [, ...others] = Plan.options;
  expect(changes).toEqual(others.map((after, i) => ({ before: Plan.options[i], after })));
});
