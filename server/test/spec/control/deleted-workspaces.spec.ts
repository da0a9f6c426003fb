/* Interface 20: a workspace that is deleted ends at once, and what it had goes in the background. */

import { inTwoTransactions } from '@postrider/testkit/database/two-transactions.ts';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { openRealtime } from '@postrider/testkit/servers/realtime-client.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import { openEventStream } from '@postrider/testkit/servers/stream-client.ts';
import type { TestServer, TestWorkspace } from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { catchRefusal, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pickAdminDeps } from '../../../src/admin/command.ts';
import { runAdminCommand } from '../../../src/admin/program.ts';
import { operator } from '../../../src/audit/append-audit.ts';
import { resume } from '../../../src/policies/pause.ts';
import type { AccountUsage } from '../../../src/workspaces/account-usage.ts';

const shownFields = ['id', 'name', 'title', 'plan', 'is_test', 'created_at', 'deleted_at'];
const dayMs = 24 * 60 * 60 * 1_000;
const clock = createMovingClock();
let withSink: ServerWithSink;
let server: TestServer;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [withSink, receiver] = await Promise.all([startServerWithSink({ clock }), startWebhookReceiver()]);
  server = withSink.server;
});
afterAll(() => Promise.all([withSink.stop(), receiver.close()]));

const run = (command: string, input: object) =>
  runAdminCommand(pickAdminDeps(server.server.deps), command, input);
const remove = ({ name }: TestWorkspace) => run('workspaces delete', { name, confirm: name });
const list = async () =>
  (await run('workspaces list', {})) as {
    id: string;
    name: string;
    title: string;
    deleted_at: Date | null;
    usage: AccountUsage;
  }[];
const find = async ({ id }: { id: string }) => (await list()).find((row) => row.id === id);
/** The last pass begins when no request from before can add anything. */
const removed = async (owner: TestWorkspace) => {
  clock.advance(60_000);
  await eventually('the removal', async () => !(await find(owner)));
};

test('Interface 20 Workspaces: the list shows what each one uses, as GET /account counts it', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  await owner.client.messages.send({ inbox_id: inbox.id, to: 'ada@remote.example', subject: 's', text: 't' });
  const { usage } = await owner.client.account.get();
  expect(usage.emails_this_month).toBe(1);
  expect(await find(owner)).toMatchObject({ name: owner.name, title: owner.name, deleted_at: null, usage });
  expect(await find(server)).toMatchObject({ name: server.name, usage: { emails_this_month: 0 } });
});

test('Interface 20 Workspaces: deleting asks for the name again', async () => {
  const owner = await server.workspace();
  for (const confirm of [undefined, '', 'another'])
    await expect(run('workspaces delete', { name: owner.name, confirm })).rejects.toThrow(
      `--confirm ${owner.name}`,
    );
  await owner.client.inboxes.list();
});

test('Interface 20 Workspaces: one that POSTRIDER_BOOTSTRAP names can neither be deleted nor renamed', async () => {
  const owner = await server.workspace();
  const deps = pickAdminDeps(server.server.deps);
  const bootstrap = [
    { name: owner.name, plan: 'free' as const, test: false, key: `pr_live_${'c'.repeat(43)}` },
  ];
  const configured = { ...deps, config: { ...deps.config, bootstrap } };
  const refused = `POSTRIDER_BOOTSTRAP names the workspace ${owner.name}`;
  const input = { name: owner.name, confirm: owner.name };
  await expect(runAdminCommand(configured, 'workspaces delete', input)).rejects.toThrow(refused);
  for (const [name, newName] of [
    [owner.name, 'elsewhere'],
    [server.name, owner.name],
  ])
    await expect(runAdminCommand(configured, 'workspaces rename', { name, newName })).rejects.toThrow(
      refused,
    );
});

test('Interface 20 Workspaces: the first one, whose owners run the server, cannot be deleted', async () => {
  const [first] = await server.rows<{ name: string }>('select name from workspaces order by id limit 1');
  const { name } = first!;
  const input = { name, confirm: name };
  await expect(run('workspaces delete', input)).rejects.toThrow(`owners of ${name}, the first workspace`);
  expect((await list()).find((row) => row.name === name)).toMatchObject({ deleted_at: null });
});

test('Interface 20 Workspaces: the operator renames one, and a title that was the name follows', async () => {
  const [owner, other] = [await server.workspace(), await server.workspace()];
  const newName = server.freshName('named');
  const renamed = await run('workspaces rename', { name: owner.name, newName });
  expect(Object.keys(renamed as object)).toEqual(shownFields);
  expect((await owner.client.account.get()).workspace).toMatchObject({ name: newName, title: newName });
  const person = await signedIn(server, 'owner', owner);
  await person.request('/workspace', { method: 'PATCH', body: { title: 'The shop' } });
  const again = server.freshName('named');
  await run('workspaces rename', { name: newName, newName: again });
  expect((await owner.client.account.get()).workspace).toMatchObject({ name: again, title: 'The shop' });
  const entries = await run('audit list', { workspace: again, limit: 1 });
  expect(entries).toMatchObject([
    { action: 'workspace.renamed', before: { name: newName }, after: { name: again } },
  ]);
  const rename = (name: string, to: string) => run('workspaces rename', { name, newName: to });
  await expect(rename(again, other.name)).rejects.toThrow(`There is already a workspace ${other.name}.`);
  await expect(rename(newName, 'x')).rejects.toThrow(`There is no workspace ${newName}.`);
  for (const bad of ['', 'x'.repeat(101)]) await expect(rename(again, bad)).rejects.toThrow('1 to 100');
  expect((await owner.client.account.get()).workspace.name).toBe(again);
});

test('Interface 20 Workspaces: keys, waits, sockets, streams, sessions, webhooks and mail of a deleted one end at once', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const person = await signedIn(server, 'owner', owner);
  await owner.client.webhooks.create({ url: receiver.url, events: ['message.received'] });
  const [socket, stream] = await Promise.all([
    openRealtime(server.url, owner.key),
    openEventStream(server.url, owner.key),
  ]);
  const waiting = catchApiError(owner.client.messages.list({ wait_seconds: 60 }), 'invalid_token');
  await remove(owner);
  await waiting;
  expect([(await socket.ended).code, await stream.ended]).toEqual([4_001, 4_001]);
  await catchApiError(owner.client.inboxes.list(), 'invalid_token');
  expect((await person.request('/session')).status).toBe(401);
  const mail = { from: 'ada@remote.example', to: inbox.address, subject: 's', text: 't' };
  expect((await catchRefusal(sendMail(server.smtpPort, mail))).response).toMatch(/^550 5\.1\.1 /);
  expect(receiver.requests).toEqual([]);
  await expect(remove(owner)).rejects.toThrow(`There is no workspace ${owner.name}.`);
  await removed(owner);
  await expect(remove(owner)).rejects.toThrow(`There is no workspace ${owner.name}.`);
});

test('Interface 20 Workspaces: links to files and originals of a deleted one are refused at once', async () => {
  const owner = await server.workspace();
  const inbox = await server.inbox(owner);
  const { id } = await owner.client.messages.send({
    inbox_id: inbox.id,
    to: 'ada@remote.example',
    subject: 's',
    text: 't',
    attachments: [{ filename: 'a.txt', content_type: 'text/plain', content: Buffer.from('a') }],
  });
  const [original, { attachments }] = await Promise.all([
    owner.client.messages.raw(id),
    owner.client.messages.get(id),
  ]);
  const links = [original, ...attachments].map(({ url }) => url);
  const statuses = () => Promise.all(links.map(async (url) => (await fetch(url)).status));
  expect(await statuses()).toEqual([200, 200]);
  // The removal waits before it hides the inbox.
  await inTwoTransactions(server.server.deps.database.pool, async (first) => {
    await first.rows("select pg_advisory_xact_lock(lock_key('inbox', $1))", [inbox.id]);
    await remove(owner);
    expect(await statuses()).toEqual([404, 404]);
  });
  await removed(owner);
});

test('Interface 20 Workspaces: nothing is sent of a deleted one, however many send at that moment', async () => {
  const owner = await server.workspace();
  const inboxes = await Promise.all([1, 2, 3].map(() => server.inbox(owner)));
  const to = `${server.freshName()}@remote.example`;
  const inAnHour = new Date(clock.now().getTime() + 3_600_000).toISOString();
  await owner.client.drafts.create({
    inbox_id: inboxes[0]!.id,
    to,
    subject: 'Later',
    text: 't',
    scheduled_at: inAnHour,
  });
  const refusals: unknown[] = [];
  let isOver = false;
  const callers = inboxes.flatMap(({ id }) =>
    Array.from({ length: 4 }, async () => {
      while (!isOver)
        await owner.client.messages
          .send({ inbox_id: id, to, subject: 's', text: 't' })
          .catch((error: unknown) => refusals.push(error));
    }),
  );
  await eventually('some sends', async () => withSink.sink.copiesFor(to).length > 20);
  await remove(owner);
  const handedOver = withSink.sink.copiesFor(to).length;
  const before = refusals.length;
  await eventually('refusals', async () => refusals.length > before + 30);
  isOver = true;
  await Promise.all(callers);
  clock.advance(3_600_000);
  await removed(owner);
  expect(withSink.sink.copiesFor(to)).toHaveLength(handedOver);
  expect(await server.rows('select id from messages where workspace_id = $1', [owner.id])).toEqual([]);
});

test('Interface 20 Workspaces: a deleted one stays paused, also for a request to resume it that came before', async () => {
  const { id, ...owner } = await server.workspace();
  await remove({ id, ...owner });
  const place = { level: 'workspace', workspaceId: id, subjectId: id } as const;
  await expect(resume(server.server.deps, place, operator)).rejects.toMatchObject({ code: 'not_found' });
  expect(await server.rows('select level from pauses where workspace_id = $1', [id])).toEqual([
    { level: 'workspace' },
  ]);
});

test('Interface 20 Workspaces: its name is free at once, its addresses after 30 days, and its audit log after a year', async () => {
  const owner = await server.workspace();
  const { local_part } = await server.inbox(owner);
  await remove(owner);
  const again = (await run('workspaces create', { name: owner.name, plan: 'free', test: false })) as {
    id: string;
  };
  expect(again.id).not.toBe(owner.id);
  const { key } = (await run('keys create', { workspace: owner.name, name: 'again' })) as { key: string };
  const claim = async () => {
    const answer = await server.request('/v1/inboxes', { method: 'POST', key, body: { local_part } });
    return [answer.status, answer.body.reason];
  };
  // Until the removal has come to the inbox, it still has its address.
  expect(['taken', 'held']).toContain((await claim())[1]);
  await removed(owner);
  expect(await claim()).toEqual([409, 'held']);
  clock.advance(29 * dayMs);
  expect(await claim()).toEqual([409, 'held']);
  clock.advance(dayMs);
  expect(await claim()).toEqual([201, undefined]);
  const entries = await run('audit list', { workspace: owner.id, limit: 1 });
  expect(entries).toMatchObject([
    { action: 'workspace.deleted', actor: { kind: 'operator' }, before: { name: owner.name } },
  ]);
  expect(await run('audit verify', { workspace: owner.id })).toMatchObject([
    { workspace: `${owner.name} (deleted, ${owner.id})`, intact: true },
  ]);
  // The workspace that has the name now is another one.
  expect((await find(again))?.usage.inboxes).toBe(1);
});
