/* Interface 11: a key cannot lift a policy about recipients by a rule. */
import type { AuditEntry } from '@postrider/contract/console';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('Interface 11 Policy: a key cannot make anybody known by a rule', async () => {
  const { rules, account, inboxes, messages } = server.client;
  const { id: inbox_id } = await inboxes.create({ local_part: 'agent' });
  const { workspace } = await account.get();
  const early = await rules.create({ kind: 'allow', direction: 'outbound', pattern: 'early.example' });
  const place = { workspaceId: workspace.id, level: 'workspace', subjectId: workspace.id } as const;
  await setPolicy(server.server.deps, place, { recipients: 'known' }, operator);
  for (const direction of ['outbound', 'both'] as const)
    await catchApiError(
      rules.create({ kind: 'allow', direction, pattern: 'late.example' }),
      'sending_not_allowed',
      {
        at: 'workspace',
      },
    );
  const block = await rules.create({ kind: 'block', direction: 'outbound', pattern: 'bob@early.example' });
  await catchApiError(rules.delete(block.id), 'sending_not_allowed', { at: 'workspace' });
  expect(await rules.create({ kind: 'allow', direction: 'inbound', pattern: 'late.example' })).toBeDefined();
  const to = ['ada@early.example', 'bob@early.example', 'ada@other.example'];
  const sent = await messages.send({ inbox_id, to, subject: 'Hello', text: 'Hello' });
  expect(sent.dropped).toEqual([
    { address: 'bob@early.example', reason: 'rule', rule_id: block.id },
    { address: 'ada@other.example', reason: 'policy' },
  ]);
  await rules.delete(early.id);
  await setPolicy(server.server.deps, place, {}, operator);
  await rules.delete(block.id);
  expect(await rules.create({ kind: 'allow', direction: 'outbound', pattern: 'late.example' })).toBeDefined();
});

const allow = { kind: 'allow', direction: 'outbound', pattern: 'late.example' } as const;

test('Interface 11 Policy: a key that is limited itself cannot make anybody known, nor any key for an inbox that is', async () => {
  const workspace = await server.workspace();
  const { deps } = server.server;
  const workspaceId = workspace.id;
  const other = await createKey(deps, workspace.name, 'other');
  const limited = new Postrider({ apiKey: other.key, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const place = { workspaceId, level: 'key', subjectId: other.id } as const;
  await setPolicy(deps, place, { recipients: 'known' }, operator);
  await catchApiError(limited.rules.create(allow), 'sending_not_allowed', { at: 'key' });
  expect(await workspace.client.rules.create(allow)).toMatchObject(allow);
  const { id } = await server.inbox(workspace);
  await setPolicy(deps, { workspaceId, level: 'inbox', subjectId: id }, { recipients: [] }, operator);
  const further = () => workspace.client.rules.create({ ...allow, pattern: 'further.example' });
  await catchApiError(further(), 'sending_not_allowed', { at: 'inbox' });
  await (await signedIn(server, 'owner', workspace)).request(`/v1/inboxes/${id}`, { method: 'DELETE' });
  await further();
  const isThere = async () => (await server.rows('select from inboxes where id = $1', [id])).length > 0;
  await eventually('the inbox to be purged', async () => !(await isThere()));
  expect(await server.rows('select from policies where subject_id = $1', [id])).toEqual([]);
  await workspace.client.rules.create({ ...allow, pattern: 'latest.example' });
});

test('Interface 11 Policy: a member cannot make anybody known by a rule, and an owner can', async () => {
  const workspace = await server.workspace();
  const member = await signedIn(server, 'member', workspace);
  const create = (by: typeof member, pattern: string) =>
    by.request('/v1/lists', { method: 'POST', body: { ...allow, pattern } });
  expect((await create(member, 'early.example')).status).toBe(201);
  const place = { workspaceId: workspace.id, level: 'workspace', subjectId: workspace.id } as const;
  await setPolicy(server.server.deps, place, { recipients: 'known' }, operator);
  expect(await create(member, 'late.example')).toMatchObject({ status: 403, body: { error: 'owner_only' } });
  expect((await create(await signedIn(server, 'owner', workspace), 'late.example')).status).toBe(201);
});

test('Interface 11 Audit: rules for outgoing mail are recorded, those of keys and of people', async () => {
  const workspace = await server.workspace();
  const { rules } = workspace.client;
  const owner = await signedIn(server, 'owner', workspace);
  const made = await rules.create(allow);
  await rules.create(allow);
  await rules.delete(made.id);
  await rules.create({ ...allow, direction: 'inbound' });
  await owner.request('/v1/lists', { method: 'POST', body: { ...allow, kind: 'block', direction: 'both' } });
  const { body } = await owner.request('/audit');
  const entries = body.entries as unknown as AuditEntry[];
  const acts = entries
    .filter(({ action }) => action.startsWith('rule.'))
    .map(({ action, actor, before, after }) => ({ action, by: actor.id, before, after }));
  const [by, before, after] = [workspace.keyId, null, null];
  expect(acts.toReversed()).toEqual([
    { action: 'rule.created', by, before, after: allow },
    { action: 'rule.deleted', by, before: allow, after },
    {
      action: 'rule.created',
      by: owner.person.id,
      before,
      after: { ...allow, kind: 'block', direction: 'both' },
    },
  ]);
});
