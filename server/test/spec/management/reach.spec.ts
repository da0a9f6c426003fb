/* Interface 19: a token does what its rights say, and reaches no further than it may. */
import type { AuditEntry, Control, Member, NewApiKey, NewInvitation } from '@postrider/contract/console';
import { type ConsoleBrowser, makePerson, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { makeOperatorToken, makeToken, manage } from '@postrider/testkit/http/management-requests.ts';
import type { PlainRequest } from '@postrider/testkit/http/plain-request.ts';
import {
  joinTestServer,
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

let server: TestServer;
let own: TestWorkspace;
let owner: ConsoleBrowser;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  own = await server.workspace();
  owner = await signedIn(server, 'owner', own);
});

type Caller = (method: string, path: string, body?: object) => ReturnType<typeof manage>;
const callerOf =
  (token: string, more: PlainRequest & { workspace?: string } = {}): Caller =>
  (method, path, body) =>
    manage(server, token, path, { method, ...(body && { body }), ...more });
const withRights = async (...rights: NonNullable<Parameters<typeof makeToken>[1]>['rights'] & object) => {
  const made = await makeToken(server, { workspace: own, rights });
  return { ...made, call: callerOf(made.token) };
};
const entries = async () => (await owner.request('/audit?limit=50')).body.entries as AuditEntry[];

describe('people', () => {
  test('Interface 19 people: members are invited, seen and removed', async () => {
    const { call, personId } = await withRights('people');
    const invited = await call('POST', '/invitations', { email: 'bob@people.example', role: 'member' });
    expect(invited.status).toBe(201);
    const { id, invited_by } = invited.body as unknown as NewInvitation;
    expect(invited_by).toBe(personId);
    expect((await call('DELETE', `/invitations/${id}`)).status).toBe(204);
    const member = await makePerson(server, 'member', own);
    const again = await call('POST', '/invitations', { email: member.email, role: 'member' });
    expect([again.status, again.body.error]).toEqual([409, 'already_member']);
    const { body } = await call('GET', '/members');
    expect((body.members as Member[]).map(({ person_id }) => person_id)).toContain(member.id);
    expect((await call('DELETE', `/members/${member.id}`)).status).toBe(204);
    expect((await call('DELETE', `/members/${member.id}`)).status).toBe(404);
  });

  test('Interface 19 people: no token makes, changes or removes an owner, nor an invitation of one', async () => {
    const { call, personId } = await withRights('people');
    const other = await makePerson(server, 'owner', own);
    const member = await makePerson(server, 'member', own);
    const asOwner = { email: 'eve@people.example', role: 'owner' };
    const { body: invitation } = await owner.request('/invitations', { method: 'POST', body: asOwner });
    for (const [method, path, body] of [
      ['POST', '/invitations', { email: 'new@people.example', role: 'owner' }],
      ['POST', '/invitations', { ...asOwner, role: 'member' }],
      ['DELETE', `/invitations/${invitation.id}`, undefined],
      ['PATCH', `/members/${member.id}`, { role: 'owner' }],
      ['PATCH', `/members/${other.id}`, { role: 'member' }],
      ['DELETE', `/members/${other.id}`, undefined],
      ['PATCH', `/members/${personId}`, { role: 'member' }],
      ['DELETE', `/members/${personId}`, undefined],
    ] as const) {
      const answer = await call(method, path, body);
      expect([method, path, answer.status, answer.body.error]).toEqual([method, path, 403, 'owner_only']);
    }
    const { body } = await owner.request('/invitations');
    expect(body.invitations).toMatchObject([asOwner]);
    expect((await call('PATCH', `/members/${member.id}`, { role: 'member' })).status).toBe(200);
  });

  test('Interface 19 people: a member is removed, also from a workspace without an owner', async () => {
    const workspace = await server.workspace();
    const { id } = await makePerson(server, 'member', workspace);
    const call = callerOf(await makeOperatorToken(server), { workspace: workspace.id });
    expect((await call('DELETE', `/members/${id}`)).status).toBe(204);
    expect((await call('GET', '/members')).body.members).toEqual([]);
  });

  test('Interface 19 people: an owner who is made meanwhile is not removed by a token', async () => {
    const { call } = await withRights('people');
    for (let turn = 0; turn < 5; turn++) {
      const member = await makePerson(server, 'member', own);
      const path = `/members/${member.id}`;
      const [promoted, removed] = await Promise.all([
        owner.request(path, { method: 'PATCH', body: { role: 'owner' } }),
        call('DELETE', path),
      ]);
      // The first one of them wins.
      expect([
        [200, 403],
        [404, 204],
      ]).toContainEqual([promoted.status, removed.status]);
    }
  });
});

describe('keys', () => {
  const policyOf = (key: string) =>
    new Postrider({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 }).policy.get();

  test('Interface 19 keys: get no more than the policy of the workspace', async () => {
    const { call } = await withRights('keys');
    const lines = { send: 'approve', per_day: 10, recipients: ['example.com'] };
    await owner.request(`/policies/workspace/${own.id}`, { method: 'PUT', body: { lines } });
    const made = await call('POST', '/keys', { name: 'agent' });
    expect(made.status).toBe(201);
    const { id, key } = made.body as unknown as NewApiKey;
    for (const policy of [
      { send: 'allow' },
      { per_day: 11 },
      { per_day: null },
      { recipients: 'anyone' },
      { recipients: ['other.example'] },
    ])
      for (const [method, path] of [
        ['POST', '/keys'],
        ['PATCH', `/keys/${id}`],
      ] as const) {
        const { status, body } = await call(method, path, {
          ...(method === 'POST' && { name: 'x' }),
          policy,
        });
        expect([JSON.stringify(policy), status, body.error, body.right]).toEqual([
          JSON.stringify(policy),
          403,
          'right_missing',
          'policies',
        ]);
      }
    const stricter = { send: 'never', per_day: 5, per_hour: 1, recipients: ['Ada@Mail.Example.com'] };
    expect((await call('PATCH', `/keys/${id}`, { policy: stricter })).status).toBe(200);
    expect(await policyOf(key)).toMatchObject({ send: 'never', per_day: 5 });
  });

  test('Interface 19 keys: keep the policy that they have, or get a stricter one', async () => {
    const { call } = await withRights('keys');
    const policy = { send: 'approve', per_day: 5, recipients: ['Example.com'] };
    const { key, id } = (await call('POST', '/keys', { name: 'agent', policy })).body as unknown as NewApiKey;
    const update = (body: object) => call('PATCH', `/keys/${id}`, body);
    for (const looser of [
      {},
      { ...policy, send: 'allow' },
      { ...policy, per_day: 6 },
      { ...policy, recipients: 'known' },
      { send: 'approve', per_day: 5 },
    ]) {
      const { status, body } = await update({ policy: looser });
      const answer = [JSON.stringify(looser), status, body.error, body.right];
      expect(answer).toEqual([JSON.stringify(looser), 403, 'right_missing', 'policies']);
    }
    for (const [body, per_day] of [
      [{ name: 'renamed', read_only: true }, 5],
      [{ policy: { ...policy, recipients: ['ada@EXAMPLE.com'], per_day: 4 } }, 4],
    ] as const) {
      expect((await update(body)).status).toBe(200);
      expect(await policyOf(key)).toMatchObject({ send: 'approve', per_day });
    }
    const { call: withBoth } = await withRights('keys', 'policies');
    expect((await withBoth('PATCH', `/keys/${id}`, { policy: {} })).status).toBe(200);
  });

  test('Interface 19 keys: with `policies` too, any policy is stored, and of both the strictest line holds', async () => {
    const { call } = await withRights('keys', 'policies');
    const place = `/policies/workspace/${own.id}`;
    const set = await call('PUT', place, { lines: { send: 'approve', per_day: 10 } });
    expect(set.body).toEqual({ lines: { send: 'approve', per_day: 10 }, held_webhooks: [] });
    const made = await call('POST', '/keys', { name: 'agent', policy: { per_day: 20 } });
    expect(made.body).toMatchObject({ policy: { per_day: 20 } });
    expect(await policyOf(String(made.body.key))).toMatchObject({ send: 'approve', per_day: 10 });
    await call('PUT', place, { lines: {} });
    expect(await policyOf(String(made.body.key))).toMatchObject({ send: 'allow', per_day: 20 });
  });

  test('Interface 19 keys: are limited to inboxes, listed, changed and revoked', async () => {
    const { call, personId } = await withRights('keys');
    const inbox = await server.inbox(own);
    const made = await call('POST', '/keys', { name: 'agent', inbox_ids: [inbox.id], read_only: true });
    expect(made.body).toMatchObject({ inbox_ids: [inbox.id], created_by: { id: personId } });
    const listed = await call('GET', '/keys?limit=1');
    expect(listed.body).toMatchObject({ keys: [{ id: made.body.id }], next_cursor: expect.any(String) });
    const next = await call('GET', `/keys?limit=1&cursor=${listed.body.next_cursor}`);
    expect(next.body).toMatchObject({ keys: [{ id: own.keyId }], next_cursor: null });
    expect((await call('PATCH', `/keys/${made.body.id}`, { name: 'renamed' })).body).toMatchObject({
      name: 'renamed',
    });
    const revoked = await call('POST', `/keys/${made.body.id}/revoke`, { keep: true });
    expect(revoked.body).toMatchObject({ kept: true, revoked_at: expect.any(String) });
    await expect(policyOf(String(made.body.key))).rejects.toMatchObject({ status: 401 });
  });
});

test('Interface 19 pauses: stop and resume, and lists say which token did it', async () => {
  const { call, id } = await withRights('pauses');
  const inbox = await server.inbox(own);
  const place = { level: 'workspace', subject_id: own.id };
  expect((await call('POST', '/pauses', { ...place, reason: 'It writes nonsense' })).body).toEqual({
    under_way: 0,
  });
  const send = () => own.client.messages.send({ inbox_id: inbox.id, to: 'a@remote.example', subject: 'x' });
  await expect(send()).rejects.toMatchObject({ code: 'sending_paused' });
  const control = (await call('GET', '/control')).body as unknown as Control;
  expect(control.pauses).toMatchObject([{ reason: 'It writes nonsense', paused_by: { id, name: 'test' } }]);
  expect((await call('POST', '/resumes', place)).body).toEqual({ resumed: true });
  await send();
  const acts = (await entries()).filter(({ actor }) => actor.kind === 'token');
  expect(acts.map(({ action, actor }) => [action, actor.id])).toEqual([
    ['sending.workspace_resumed', id],
    ['sending.workspace_paused', id],
  ]);
});

test('Interface 19 webhooks, domains: are made under a policy that holds keys, and audited as acts of the token', async () => {
  const { call, id } = await withRights('webhooks', 'domains');
  await owner.request(`/policies/workspace/${own.id}`, {
    method: 'PUT',
    body: { lines: { send: 'approve' } },
  });
  const webhook = { url: 'https://agent.example.com/hooks', events: ['message.received'] };
  await expect(own.client.webhooks.create(webhook as never)).rejects.toMatchObject({
    code: 'sending_not_allowed',
  });
  const made = await call('POST', '/webhooks', webhook);
  expect([made.status, made.body.secret]).toEqual([201, expect.stringMatching(/^whsec_/)]);
  const domain = await call('POST', '/domains', { hostname: `${server.freshName()}.example.com` });
  expect([domain.status, domain.body.status]).toEqual([201, 'pending']);
  const acts = (await entries()).filter(({ actor }) => actor.id === id).map(({ action }) => action);
  expect(acts).toEqual(['domain.added', 'webhook.created']);
  expect((await call('DELETE', `/webhooks/${made.body.id}`)).status).toBe(204);
});

test('Interface 19 workspaces, usage: an owner renames the own workspace, and reads what it used', async () => {
  const { call } = await withRights('workspaces', 'usage');
  expect((await call('PATCH', '/workspace', { title: 'Acme' })).body).toEqual({ id: own.id, title: 'Acme' });
  const { body } = await call('GET', '/usage?days=2');
  expect(body.days).toMatchObject([{ sent: 0 }, { sent: 0 }]);
});

test('Interface 19 workspaces: a token of the operator makes workspaces, and works in each', async () => {
  const token = await makeOperatorToken(server);
  const call = callerOf(token);
  const name = server.freshName('customer');
  const made = await call('POST', '/workspaces', { name, plan: 'pro' });
  expect([made.status, made.body]).toMatchObject([201, { name, title: name, plan: 'pro', test: false }]);
  const again = await call('POST', '/workspaces', { name, plan: 'free' });
  expect([again.status, again.body]).toEqual([200, made.body]);
  const id = String(made.body.id);
  expect((await call('PATCH', `/workspaces/${id}`, { plan: 'scale' })).body).toMatchObject({ plan: 'scale' });
  expect((await call('GET', `/workspaces/${id}`)).body).toMatchObject({ name, plan: 'scale' });
  const first = await call('GET', '/workspaces?limit=1');
  expect(first.body.workspaces).toHaveLength(1);
  expect(first.body.next_cursor).toEqual(expect.any(String));
  const inIt = callerOf(token, { workspace: id });
  const key = await inIt('POST', '/keys', { name: 'agent' });
  expect([key.status, key.body.created_by]).toEqual([201, null]);
  const invited = await inIt('POST', '/invitations', { email: 'cy@people.example', role: 'member' });
  expect(invited.status).toBe(201);
  const audited = await server.rows(
    'select action, actor_kind, actor_name from audit_entries where workspace_id = $1 and actor_kind = $2 order by seq',
    [id, 'token'],
  );
  expect(audited.map(({ action }) => action)).toEqual([
    'workspace.created',
    'workspace.plan_changed',
    'key.created',
    'member.invited',
  ]);
  expect((await call('GET', '/workspaces/wsp_01m8h5s25zeam9gvxh9rynrznw')).status).toBe(404);
});

test('Interface 19 workspaces: a token of the operator renames and deletes one, whose keys and tokens stop', async () => {
  const token = await makeOperatorToken(server);
  const call = callerOf(token);
  const { call: asOwner } = await withRights('usage');
  const name = server.freshName('renamed');
  const renamed = await call('PATCH', `/workspaces/${own.id}`, { name });
  expect([renamed.status, renamed.body.name]).toEqual([200, name]);
  const taken = await call('PATCH', `/workspaces/${own.id}`, { name: server.name });
  expect([taken.status, taken.body.error, taken.body.issues]).toMatchObject([
    400,
    'invalid_request',
    [{ path: 'name' }],
  ]);
  expect((await asOwner('GET', '/usage')).status).toBe(200);
  expect((await call('DELETE', `/workspaces/${own.id}`)).status).toBe(204);
  expect((await asOwner('GET', '/usage')).status).toBe(401);
  await expect(own.client.account.get()).rejects.toMatchObject({ status: 401 });
  for (const method of ['GET', 'DELETE'])
    expect((await call(method, `/workspaces/${own.id}`)).status).toBe(404);
  expect((await manage(server, token, '/keys', { workspace: own.id })).status).toBe(404);
});

test('Interface 19 workspaces: neither the first one nor one of the configuration is deleted, nor is that renamed', async () => {
  const name = 'shop';
  const bootstrap = JSON.stringify([{ name, key: `pr_live_${'c'.repeat(43)}` }]);
  const configured = await startTestServer({ env: { POSTRIDER_BOOTSTRAP: bootstrap } });
  try {
    const token = await makeOperatorToken(configured);
    const [shop] = await configured.rows<{ id: string }>('select id from workspaces where name = $1', [name]);
    const ask = (method: string, body?: object) =>
      manage(configured, token, `/workspaces/${shop?.id}`, { method, ...(body && { body }) });
    for (const [answer, path] of [
      [await ask('DELETE'), 'id'],
      [await ask('PATCH', { name: 'other' }), 'name'],
    ] as const) {
      expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
      const message = expect.stringContaining(`POSTRIDER_BOOTSTRAP names the workspace ${name}`);
      expect(answer.body.issues).toEqual([{ path, message }]);
    }
  } finally {
    await configured.stop();
  }
  const [first] = await server.rows<{ id: string }>('select id from workspaces order by id limit 1');
  const call = callerOf(await makeOperatorToken(server));
  const { status, body } = await call('DELETE', `/workspaces/${first?.id}`);
  expect([status, body.issues]).toMatchObject([400, [{ path: 'id' }]]);
});
