import type { AuditEntry } from '@postrider/contract/console';
import { failOn } from '@postrider/testkit/database/failing-table.ts';
import { fillAuditLog } from '@postrider/testkit/database/filled-audit-log.ts';
import { ConsoleBrowser, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { verifyAudit } from '../../../src/audit/verify-audit.ts';

type Owner = Awaited<ReturnType<typeof signedIn>>;

let server: TestServer;
let owner: Owner;
let known: number;

beforeAll(async () => {
  server = await joinTestServer();
  owner = await signedIn(server);
});
afterAll(() => server.stop());

const entries = async () => (await owner.request('/audit?limit=100')).body.entries as unknown as AuditEntry[];
/** The entries that a test adds, oldest first. */
const added = async () => (await entries()).filter(({ seq }) => seq > known).reverse();
const acts = async () =>
  (await added()).map(({ action, target, before, after }) => ({ action, target, before, after }));

beforeEach(async () => {
  known = (await entries())[0]?.seq ?? 0;
});

describe('Interface 11: the audit log', () => {
  test('has what a key changes about webhooks, with before and after, and no secret', async () => {
    const { webhooks } = server.client;
    const url = 'https://agent.example.com/audited';
    const made = { url, events: ['message.received'], inbox_ids: null, enabled: true };
    const { id } = await webhooks.create({ url, events: ['message.received'] });
    await webhooks.update(id, { enabled: false, events: ['message.received', 'message.bounced'] });
    await webhooks.update(id, { enabled: false });
    const { secret } = await webhooks.rotateSecret(id);
    await webhooks.delete(id);
    const target = id;
    const changed = { events: ['message.received', 'message.bounced'], enabled: false };
    expect(await acts()).toEqual([
      { action: 'webhook.created', target, before: null, after: made },
      {
        action: 'webhook.changed',
        target,
        before: { url, events: made.events, enabled: true },
        after: { url, ...changed },
      },
      {
        action: 'webhook.secret_rotated',
        target,
        before: null,
        after: { url, previous_secret_until: expect.any(String) },
      },
      { action: 'webhook.deleted', target, before: { ...made, ...changed }, after: null },
    ]);
    const [entry] = await added();
    expect(entry).toMatchObject({
      actor: { kind: 'key', id: server.keyId, name: expect.any(String) },
      address: '127.0.0.1',
      request_id: expect.stringMatching(/^req_/),
    });
    expect(JSON.stringify(await added())).not.toContain(secret);
  });

  test('has URLs of webhooks without the values of their queries, and changes of these', async () => {
    const { webhooks } = server.client;
    const url = 'https://agent.example.com/audited?token=s3cr3t&team=a';
    const { id } = await webhooks.create({ url, events: ['message.received'] });
    await webhooks.update(id, { url: url.replace('s3cr3t', 's3cr3ter') });
    await webhooks.update(id, { url: 'https://agent.example.com/audited?s3cr3t' });
    await webhooks.rotateSecret(id);
    await webhooks.delete(id);
    const urls = (await acts()).map(({ before, after }) => [before?.url, after?.url]);
    const named = 'https://agent.example.com/audited?token=…&team=…';
    const bare = 'https://agent.example.com/audited?…';
    expect(urls).toEqual([
      [undefined, named],
      [named, named],
      [named, bare],
      [undefined, bare],
      [bare, undefined],
    ]);
    expect(JSON.stringify(await added())).not.toContain('s3cr3t');
  });

  test('has what people change about domains, by their addresses', async () => {
    const body = { hostname: `${server.freshName('audited')}.example.com` };
    const { body: domain } = await owner.request('/v1/domains', { method: 'POST', body });
    const path = `/v1/domains/${domain.id}`;
    await owner.request(`${path}/dmarc`, { method: 'POST', body: { policy: 'quarantine' } });
    await owner.request(`${path}/dmarc`, { method: 'POST', body: { policy: 'quarantine' } });
    await owner.request(path, { method: 'DELETE' });
    const { hostname } = body;
    const target = domain.id;
    expect(await acts()).toEqual([
      { action: 'domain.added', target, before: null, after: { hostname, kind: 'byo' } },
      {
        action: 'domain.dmarc_changed',
        target,
        before: { hostname, policy: 'none' },
        after: { hostname, policy: 'quarantine' },
      },
      {
        action: 'domain.deleted',
        target,
        before: { hostname, kind: 'byo', status: 'pending', dmarc_policy: 'quarantine' },
        after: null,
      },
    ]);
    const { id, email } = owner.person;
    expect((await added())[0]).toMatchObject({
      actor: { kind: 'person', id, name: email },
      address: '127.0.0.1',
    });
  });

  test('has the inboxes that people delete, and not those of programs', async () => {
    const [one, other] = [await server.inbox(), await server.inbox()];
    await server.client.inboxes.delete(one.id);
    await owner.request(`/v1/inboxes/${other.id}`, { method: 'DELETE' });
    expect(await acts()).toEqual([
      { action: 'inbox.deleted', target: other.id, before: { address: other.address }, after: null },
    ]);
  });

  test('has a change and its entry, or neither', async () => {
    const { webhooks } = server.client;
    const url = 'https://agent.example.com/lost';
    const failure = { table: 'audit_entries', sqlstate: '53100', message: 'disk full' };
    const when = `new.workspace_id = '${server.id}'`;
    await failOn(server, { ...failure, when }, async () => {
      const call = webhooks.create({ url, events: ['message.received'] }, { maxRetries: 0 });
      await expect(call).rejects.toMatchObject({ status: 503 });
    });
    const all = (await webhooks.list()).webhooks.map((webhook) => webhook.url);
    expect([all.includes(url), await acts()]).toEqual([false, []]);
    await webhooks.create({ url, events: ['message.received'] });
    expect(await verifyAudit({ ...server.server.deps, workspaceId: server.id })).toMatchObject({
      intact: true,
      last_seq: known + 1,
    });
  });

  test('has sign-ins, and what people change about their accounts, in each of their workspaces', async () => {
    const browser = new ConsoleBrowser(server);
    const other = await server.workspace();
    const { person } = owner;
    await server.rows(
      'insert into memberships (workspace_id, person_id, role, created_at) values ($1, $2, $3, now())',
      [other.id, person.id, 'owner'],
    );
    await browser.signIn(person);
    const password = 'another long secret';
    const body = { current: person.password, password };
    await browser.request('/me/password', { method: 'POST', body });
    await owner.signIn({ ...person, password });
    owner.workspace = server.id;
    const signedInBy = (method: string) => ({
      action: 'person.signed_in',
      target: person.id,
      before: null,
      after: { method },
    });
    expect(await acts()).toEqual([
      signedInBy('password'),
      { action: 'person.password_changed', target: person.id, before: null, after: null },
      signedInBy('password'),
    ]);
    expect((await owner.request('/audit', { workspace: other.id })).body.entries).toHaveLength(3);
  });

  test('can be verified and exported by owners, page by page, and a change from outside is named', async () => {
    const workspace = await server.workspace();
    const browser = await signedIn(server, 'owner', workspace);
    const get = async (path: string) => (await browser.request(path)).body;
    await server.rows('delete from audit_entries where workspace_id = $1', [workspace.id]);
    await server.rows('delete from audit_heads where workspace_id = $1', [workspace.id]);
    const last_hash = await fillAuditLog(server.server.deps, workspace.id, 1_002);
    const kept = { count: 1_002, first_seq: 1, since: expect.any(String) };
    expect(await get('/audit/check')).toEqual({ intact: true, ...kept, last_seq: 1_002, last_hash });
    const pages = [await get('/audit/export'), await get('/audit/export?after=1000')];
    expect(pages.map(({ next_after }) => next_after)).toEqual([1_000, null]);
    const [first, second] = pages.map(({ entries }) => entries as unknown as AuditEntry[]);
    expect([first?.length, second?.map(({ seq }) => seq)]).toEqual([1_000, [1_001, 1_002]]);
    expect([second?.[0]?.previous_hash, second?.[1]?.hash]).toEqual([first?.at(-1)?.hash, last_hash]);
    await server.rows(`update audit_entries set target = 'x' where seq = 7 and workspace_id = $1`, [
      workspace.id,
    ]);
    expect(await get('/audit/check')).toEqual({
      intact: false,
      problem: 'changed',
      from_seq: 7,
      to_seq: 7,
    });
  });

  test('is never for a key', async () => {
    for (const path of ['/console/api/audit', '/console/api/audit/export', '/v1/audit'])
      for (const headers of [{}, { 'x-postrider-console': '1', 'x-postrider-workspace': server.id }])
        expect([path, [401, 404].includes((await server.request(path, { headers })).status)]).toEqual([
          path,
          true,
        ]);
  });
});
