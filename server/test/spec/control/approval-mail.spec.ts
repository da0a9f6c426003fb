/*
 * Interface 11: people hear by mail of what waits for approval. A link of the mail shows a message, and what they do on its page decides
 * once.
 */
import type { DecisionResult, LinkedApproval } from '@postrider/contract/console';
import { ConsoleBrowser, makePerson, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestWorkspace } from '@postrider/testkit/servers/test-server.ts';
import { simpleParser } from 'mailparser';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

/** At this scale, a person hears every 2.5 s. */
const timeScale = 120;

let relayed: ServerWithSink;
let server: ServerWithSink['server'];
const clock = createMovingClock();
let team: TestWorkspace;
let inboxId: string;

beforeAll(async () => {
  const env = { POSTRIDER_PUBLIC_URL: 'https://mail.example.test', POSTRIDER_TIME_SCALE: String(timeScale) };
  relayed = await startServerWithSink({ clock, env });
  server = relayed.server;
});
afterAll(() => relayed.stop());
beforeEach(async () => {
  team = await server.workspace();
  inboxId = (await server.inbox(team)).id;
  const place = { workspaceId: team.id, level: 'workspace', subjectId: team.id } as const;
  await setPolicy(server.server.deps, place, { send: 'approve' }, operator);
});

const hold = (more: object = {}) =>
  team.client.messages.send({
    inbox_id: inboxId,
    to: [`${server.freshName()}@remote.example`],
    subject: 'The offer',
    text: 'Here it is.',
    ...more,
  });
const mailsFor = async (address: string, count: number) => {
  await eventually(`mail for ${address}`, async () => relayed.sink.copiesFor(address).length >= count);
  return Promise.all(relayed.sink.copiesFor(address).map(({ raw }) => simpleParser(raw)));
};
const tokensIn = (text = '') =>
  [...text.matchAll(/https:\/\/mail\.example\.test\/console\/approve#([\w.-]+)/g)].map(([, token]) => token!);
const firstToken = async (email: string) => tokensIn((await mailsFor(email, 1))[0]?.text)[0]!;
const ask = async <Body>(path: string, body: object) => {
  const answer = await new ConsoleBrowser(server).request(path, { method: 'POST', body });
  return { status: answer.status, error: answer.body.error, body: answer.body as unknown as Body };
};
const show = (token: string) => ask<LinkedApproval>('/approval-link', { token });
const decide = (token: string, decision: 'approve' | 'refuse', content_hash: string, more = {}) =>
  ask<DecisionResult>('/approval-link/decide', { token, decision, content_hash, ...more });

test('Interface 11 Approval: what is held within minutes is one mail, and no text of an agent is HTML or a link in it', async () => {
  const { email } = await makePerson(server, 'owner', team);
  const text = '<b>hi</b>\r\nBcc: eve@evil.example https://evil.example/console/approve#1';
  const first = await hold({ text, cc: ['bob@remote.example'] });
  const [mail] = await mailsFor(email, 1);
  expect(mail?.subject).toContain('A message waits for approval');
  expect(mail?.text).toContain('Text: <b>hi</b> Bcc: eve@evil.example https:// evil.example /console');
  expect(mail?.text).toContain(', bob@remote.example');
  expect(mail?.html).toContain('&lt;b&gt;hi&lt;/b&gt;');
  expect(mail?.html).not.toMatch(/<[bi]>|evil\.example\//);
  const shownBy = (mailed = mail) =>
    Promise.all(tokensIn(mailed?.text).map(async (token) => (await show(token)).body.summary.message_id));
  expect(await shownBy()).toEqual([first.id]);

  // Nobody is told of one before the other is held.
  clock.stop();
  const others = await Promise.all([hold({ subject: `An <i>offer</i> ${'x'.repeat(300)}` }), hold()]);
  clock.goOn();
  const [, later] = await mailsFor(email, 2);
  expect(later?.subject).toContain('2 messages wait for approval');
  expect(later?.text).toMatch(/^Subject: An <i>offer<\/i> x+…$/m);
  expect((await shownBy(later)).sort()).toEqual(others.map(({ id }) => id).sort());
  const [noted] = await server.rows<{ apart: number }>(
    `select extract(epoch from max(notified_at) - min(notified_at))::float8 as apart from approvals where workspace_id = $1`,
    [team.id],
  );
  expect(noted?.apart).toBeGreaterThanOrEqual(300 / timeScale);
});

test('Interface 11 Approval: a mail shows 20 messages, and says how many more there are', async () => {
  const held = await Promise.all(Array.from({ length: 22 }, () => hold()));
  await eventually('all of them to be noted', async () => {
    const [left] = await server.rows<{ count: number }>(
      'select count(*)::int as count from approvals where workspace_id = $1 and notified_at is null',
      [team.id],
    );
    return left?.count === 0;
  });
  const { email } = await makePerson(server, 'owner', team);
  // As if all of them had been held in the same moment.
  await server.rows('update approvals set notified_at = null where workspace_id = $1', [team.id]);
  const [mail] = await mailsFor(email, 1);
  expect(mail?.subject).toContain('22 messages wait');
  expect(tokensIn(mail?.text)).toHaveLength(20);
  expect(mail?.text).toContain('2 more are in the console.');
  const [first] = held.map(({ id }) => id).sort();
  expect((await show(tokensIn(mail?.text)[0]!)).body.summary.message_id).toBe(first);
});

test('Interface 11 Approval: owners hear of it and members do not, unless they say otherwise', async () => {
  const [quiet, owner] = [await signedIn(server, 'owner', team), await makePerson(server, 'owner', team)];
  const [keen, member] = [await signedIn(server, 'member', team), await makePerson(server, 'member', team)];
  const set = (browser: ConsoleBrowser, approval_mail: boolean) =>
    browser.request(`/me/workspaces/${team.id}`, { method: 'PATCH', body: { approval_mail } });
  expect((await set(quiet, false)).body).toMatchObject({ workspace_id: team.id, approval_mail: false });
  expect((await set(keen, true)).body).toMatchObject({ approval_mail: true });
  expect(
    (await quiet.request(`/me/workspaces/${server.id}`, { method: 'PATCH', body: { approval_mail: true } }))
      .status,
  ).toBe(404);
  await hold();
  await Promise.all([mailsFor(owner.email, 1), mailsFor(keen.person.email, 1)]);
  expect(await mailJobsFor(2)).toBe(2);
  for (const { email } of [quiet.person, member]) expect(relayed.sink.copiesFor(email)).toEqual([]);
});

/** Resolves to how many mails about held messages of the workspace were asked for, once all have been sent. */
const mailJobsFor = async (atLeast: number) => {
  const jobs = `select count(*)::int as count from pgboss.job where name = 'mail-people'`;
  return eventually('the mails', async () => {
    const [left] = await server.rows<{ count: number }>(`${jobs} and state <> 'completed'`);
    return left?.count === 0 && atLeast;
  });
};

test('Interface 11 Approval: a link shows the message, decides once, and the audit log says so', async () => {
  const person = await makePerson(server, 'owner', team);
  const { id } = await hold();
  const token = await firstToken(person.email);
  const { body } = await show(token);
  expect(body).toMatchObject({
    workspace: team.name,
    person: { name: 'Ada', email: person.email },
    summary: { message_id: id, state: 'held' },
    approval: { message: { body_text: 'Here it is.' } },
  });
  const { content_hash } = body.summary;
  expect((await decide(token, 'approve', '0'.repeat(64))).body).toMatchObject({
    problem: 'changed',
    state: 'held',
  });
  expect((await team.client.messages.get(id)).delivery_status).toBe('held');
  expect((await decide(token, 'approve', content_hash)).body).toMatchObject({
    problem: null,
    state: 'approved',
  });
  expect((await decide(token, 'refuse', content_hash)).body).toMatchObject({
    problem: 'decided',
    state: 'approved',
  });
  await eventually('the mail', async () => relayed.sink.copiesFor(body.summary.to[0]!).length === 1);
  expect((await show(token)).body).toMatchObject({
    summary: { state: 'approved', decided_by: { id: person.id } },
    approval: null,
  });
  const [act] = await server.rows(`select * from audit_entries where target = $1`, [id]);
  expect(act).toMatchObject({
    action: 'approval.approved',
    actor_kind: 'person',
    actor_id: person.id,
    after: { by: 'link', content_hash },
  });
});

test('Interface 11 Approval: a link is bound to its person, its message and its hash', async () => {
  const [one, other] = [await makePerson(server, 'owner', team), await makePerson(server, 'owner', team)];
  const { id } = await hold({ subject: 'One' });
  const [first, second] = [await firstToken(one.email), await firstToken(other.email)];
  const [head, ids = '', signature] = first.split('.');
  const [, othersIds = ''] = second.split('.');
  const forged = [
    [head, othersIds, signature],
    [head, ids, [...signature!].reverse().join('')],
    ['AAAAAAAA', ids, signature],
    [head, ids.slice(0, 52) + 'z'.repeat(26), signature],
  ];
  for (const parts of forged)
    expect(await show(parts.join('.'))).toMatchObject({ status: 410, error: 'link_expired' });
  for (const token of ['', 'unknown', `${first}x`]) expect((await show(token)).status).toBe(410);

  await server.rows(`delete from memberships where person_id = $1`, [one.id]);
  expect((await show(first)).status).toBe(410);
  expect(await decide(first, 'approve', '0'.repeat(64))).toMatchObject({
    status: 410,
    error: 'link_expired',
  });
  const { content_hash } = (await show(second)).body.summary;
  await server.rows(`update approvals set content_hash = sha256('changed') where message_id = $1`, [id]);
  expect(await decide(second, 'approve', content_hash)).toMatchObject({ status: 410, error: 'link_expired' });
  await team.client.messages.delete(id);
  expect((await show(second)).status).toBe(410);
});

test('Interface 11 Approval: nobody gets such a mail at an inbox of this server, where an agent could read it', async () => {
  const person = await makePerson(server, 'owner', team);
  const { address } = await server.inbox(team);
  await server.rows(`update people set email = $2 where id = $1`, [person.id, address]);
  const other = await makePerson(server, 'owner', team);
  await hold();
  await mailsFor(other.email, 1);
  await mailJobsFor(1);
  expect(relayed.sink.copiesFor(address)).toEqual([]);
});
