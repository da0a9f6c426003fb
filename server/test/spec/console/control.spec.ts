/* Interface 11: what people set for what may be sent, by the routes of the console. */
import type { Control, PolicyEntry } from '@postrider/contract/console';
import { type ConsoleBrowser, signedIn, type TestPerson } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createKey } from '../../../src/keys/manage-keys.ts';

type Browser = ConsoleBrowser & { person: TestPerson };

let server: TestServer;
let own: TestWorkspace;
let owner: Browser;
let member: Browser;
let inboxId: string;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  own = await server.workspace();
  [owner, member] = [await signedIn(server, 'owner', own), await signedIn(server, 'member', own)];
  inboxId = (await server.inbox(own)).id;
});

const read = async (browser = owner) => (await browser.request('/control')).body as unknown as Control;
const put = (level: string, id: string, lines: object, browser = owner) =>
  browser.request(`/policies/${level}/${id}`, { method: 'PUT', body: { lines } });
const pause = (level: string, subject_id: string, more: object = {}, browser = owner) =>
  browser.request('/pauses', { method: 'POST', body: { level, subject_id, ...more } });
const resume = (level: string, subject_id: string, browser = owner) =>
  browser.request('/resumes', { method: 'POST', body: { level, subject_id } });
const send = () =>
  own.client.messages.send({ inbox_id: inboxId, to: 'ada@remote.example', subject: 'x', text: 'x' });
const newestEntry = async () => {
  const { body } = await owner.request('/audit?limit=1');
  return (body.entries as Record<string, unknown>[])[0];
};

test('Interface 11 Pause: anybody in the workspace may stop it, and only owners let it go on', async () => {
  const paused = await pause('workspace', own.id, { reason: 'It writes nonsense' }, member);
  expect([paused.status, paused.body]).toEqual([200, { under_way: 0 }]);
  await expect(send()).rejects.toMatchObject({ code: 'sending_paused', body: { at: 'workspace' } });
  await pause('workspace', own.id, { reason: 'Another' });
  expect(await read(member)).toMatchObject({
    pauses: [
      {
        level: 'workspace',
        name: own.name,
        reason: 'It writes nonsense',
        paused_by: { id: member.person.id, name: 'Ada' },
      },
    ],
    waiting: { under_way: 0, recipients: 0, scheduled_drafts: 0, held: 0 },
  });
  expect(await newestEntry()).toMatchObject({
    action: 'sending.workspace_paused',
    actor: { id: member.person.id },
    target: own.id,
    after: { reason: 'It writes nonsense' },
  });
  expect((await resume('workspace', own.id, member)).body.error).toBe('owner_only');
  expect((await resume('workspace', own.id)).body).toEqual({ resumed: true });
  expect((await resume('workspace', own.id)).body).toEqual({ resumed: false });
  expect(await newestEntry()).toMatchObject({ action: 'sending.workspace_resumed' });
  expect(await read()).toMatchObject({ pauses: [], waiting: null });
  await send();
});

test('Interface 11 Pause: what waits is counted', async () => {
  await put('inbox', inboxId, { send: 'approve' });
  await send();
  await own.client.drafts.create({
    inbox_id: inboxId,
    to: 'ada@remote.example',
    subject: 'x',
    scheduled_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  await pause('workspace', own.id);
  expect((await read()).waiting).toEqual({ under_way: 0, recipients: 0, scheduled_drafts: 1, held: 1 });
});

test('Interface 11 Pause: of a key that is revoked meanwhile is still shown, and can be ended', async () => {
  const { id } = await createKey(server.server.deps, own.name, 'agent');
  await pause('key', id);
  await owner.request(`/keys/${id}/revoke`, { method: 'POST', body: {} });
  expect((await read()).pauses).toMatchObject([{ level: 'key', subject_id: id, name: 'agent' }]);
  expect((await resume('key', id)).body).toEqual({ resumed: true });
  expect((await read()).pauses).toEqual([]);
});

test('Interface 11 Pause: of the server only the operator, and nobody of an unknown place', async () => {
  expect((await pause('server', '')).status).toBe(400);
  const theirs = await server.inbox();
  for (const [level, id] of [
    ['inbox', theirs.id],
    ['inbox', own.keyId],
    ['inbox', '\u0000'],
    ['key', server.keyId],
    ['workspace', server.id],
  ] as const)
    for (const answer of [
      await pause(level, id),
      await resume(level, id),
      await put(level, encodeURIComponent(id), {}),
    ])
      expect([level, id, answer.status, answer.body.error]).toEqual([level, id, 404, 'not_found']);
});

test('Interface 11 Policy: owners set it at each level, and the strictest line is shown with its place', async () => {
  expect((await put('workspace', own.id, { per_day: 100, recipients: 'known', send: 'allow' })).body).toEqual(
    {
      lines: { per_day: 100, recipients: 'known' },
      held_webhooks: [],
    },
  );
  await put('inbox', inboxId, { send: 'approve', per_day: 20 });
  await put('key', own.keyId, { recipients: ['Remote.example'] });
  const { body } = await owner.request(`/policies/effective?inbox_id=${inboxId}&key_id=${own.keyId}`);
  expect(body).toMatchObject({
    send: 'approve',
    per_day: 20,
    recipients: ['remote.example'],
    from: { send: 'inbox', per_day: 'inbox', recipients: 'key', per_hour: 'default' },
  });
  expect((await owner.request('/policies/effective')).body).toMatchObject({ send: 'allow', per_day: 100 });
  expect(await read()).toMatchObject({
    policy: { lines: { per_day: 100, recipients: 'known' }, updated_by: { id: owner.person.id } },
  });
  expect(await newestEntry()).toMatchObject({
    action: 'policy.key_changed',
    target: own.keyId,
    before: {},
    after: { recipients: ['remote.example'] },
  });
  expect((await put('inbox', inboxId, { per_day: -1 })).body.error).toBe('invalid_request');
});

test('Interface 11 Policy: those of inboxes and keys are listed page by page, without what is gone', async () => {
  const { id } = await createKey(server.server.deps, own.name, 'agent');
  const second = (await server.inbox(own)).id;
  for (const [level, subject] of [
    ['inbox', inboxId],
    ['inbox', second],
    ['key', id],
  ] as const)
    await put(level, subject, { per_hour: 5 });
  const list = async (query = '') => {
    const answer = (await owner.request(`/policies${query}`)).body;
    return answer as unknown as { policies: PolicyEntry[]; next_cursor: string | null };
  };
  const first = await list('?limit=2');
  const rest = await list(`?limit=2&cursor=${first.next_cursor}`);
  expect([...first.policies, ...rest.policies].map(({ subject_id }) => subject_id)).toEqual([
    id,
    second,
    inboxId,
  ]);
  expect(first.policies[0]).toMatchObject({ level: 'key', name: 'agent' });
  await owner.request(`/keys/${id}/revoke`, { method: 'POST', body: {} });
  await owner.request(`/v1/inboxes/${second}`, { method: 'DELETE' });
  await put('inbox', inboxId, {});
  expect((await list()).policies).toEqual([]);
});

test('Interface 11 disclosure: owners choose how recipients are told', async () => {
  const set = (browser: Browser) =>
    browser.request('/control', { method: 'PATCH', body: { disclosure: 'footer' } });
  expect((await set(member)).body.error).toBe('owner_only');
  expect((await set(owner)).body).toEqual({ disclosure: 'footer' });
  expect(await read()).toMatchObject({ disclosure: 'footer' });
  const { body_text: text } = await own.client.messages.get((await send()).id);
  expect(text).toContain('This message was written by an AI.');
  expect(await newestEntry()).toMatchObject({
    action: 'workspace.disclosure_changed',
    before: { disclosure: 'none' },
    after: { disclosure: 'footer' },
  });
});

test('Interface 11 Pause: open pages of the workspace are told of each change', async () => {
  const ended = new AbortController();
  const { body } = await fetch(`${server.url}/console/api/changes?workspace=${own.id}`, {
    headers: { cookie: member.cookie },
    signal: ended.signal,
  });
  let text = '';
  const reading = (async () => {
    for await (const part of body ?? []) text += Buffer.from(part).toString();
  })().catch(() => {});
  const told = (times: number) =>
    eventually('the page to be told', async () => text.split('event: control').length > times, {
      pauseMs: 5,
    });
  await pause('inbox', inboxId);
  await told(1);
  await resume('inbox', inboxId);
  await told(2);
  await put('workspace', own.id, { per_day: 5 });
  await told(3);
  ended.abort();
  await reading;
});
