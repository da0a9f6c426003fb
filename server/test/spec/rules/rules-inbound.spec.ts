/* The lists and mail that comes in: at RCPT by its envelope, after DATA by its From. */

import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { catchRefusal, sendLines } from '@postrider/testkit/smtp/smtp-client.ts';
import type { CreateRule, Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../../src/keys/manage-keys.ts';

const refused = /^550 5\.7\.1 /;
let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  server = await joinTestServer();
  inbox = await server.inbox();
});
afterAll(() => server.stop());

const host = () => `${server.freshName('h')}.example`;
const rule = (kind: CreateRule['kind'], pattern: string, owner: TestWorkspace = server) =>
  owner.client.rules.create({ kind, direction: 'inbound', pattern });
const mail = (...from: string[]) => [
  ...from.map((each) => `From: ${each}`),
  'Subject: x',
  '',
  server.freshName(),
];
const send = (from: string, lines: string[], to: string | string[] = inbox.address) =>
  sendLines(server.smtpPort, { from, to }, lines);
const count = async (of: Inbox = inbox, owner: TestWorkspace = server) =>
  (await owner.client.messages.list({ inbox_id: of.id, limit: 100 })).messages.length;
/** Sends a mail that must be refused, and gives the command that was. */
const refusedAt = async (...sending: Parameters<typeof send>): Promise<string> => {
  const before = await count();
  const error = (await catchRefusal(send(...sending))) as { response?: string; command?: string };
  expect(error.response).toMatch(refused);
  expect(await count()).toBe(before);
  return String(error.command);
};
const taken = async (...sending: Parameters<typeof send>): Promise<void> => {
  const before = await count();
  await send(...sending);
  expect(await count()).toBe(before + 1);
};

test('Rules 2, Interface 3 Rule: a blocked sender is refused with 550 5.7.1 at RCPT, by address, by domain and by subdomain', async () => {
  const domain = host();
  await rule('block', domain);
  await rule('block', 'ada@persons.example');
  const author = mail('someone@elsewhere.example');
  for (const from of [
    `a@${domain}`,
    `A@MAIL.${domain.toUpperCase()}`,
    'ada@persons.example',
    'Ada+Tag@Persons.example',
  ])
    expect([from, await refusedAt(from, author)]).toEqual([from, 'RCPT TO']);
  for (const from of [`a@not${domain}`, 'bob@persons.example']) await taken(from, author);
});

test('Rules 3: an allow lets a sender through a block of the domain, at RCPT and by its From', async () => {
  const domain = host();
  await rule('block', domain);
  await rule('allow', `vip@${domain}`);
  await taken(`vip@${domain}`, mail(`vip@${domain}`));
  expect(await refusedAt(`other@${domain}`, mail(`vip@${domain}`))).toBe('RCPT TO');
  expect(await refusedAt(`vip@${domain}`, mail(`other@${domain}`))).toBe('DATA');
});

test('Interface 3 Rule: the header From is decided by itself, after DATA, and either block blocks', async () => {
  const domain = host();
  await rule('block', domain);
  const blocked = `Ada <ada@${domain}>`;
  for (const lines of [
    mail(blocked),
    mail(`ada@x.example, ${blocked}`),
    mail('ada@x.example', blocked),
    mail(`friends: bob@x.example, ${blocked};`),
    [`From: "bob@x.example"`, ` <ada@${domain}>`, '', 'x'],
  ])
    expect(await refusedAt('list@relay.example', lines)).toBe('DATA');
  await taken('list@relay.example', mail(`"ada@${domain}" <bob@x.example>`));
});

test('Interface 3 Rule: the null sender matches no rule; the From of its mail does', async () => {
  const domain = host();
  await rule('block', domain);
  await taken('', mail('mailer-daemon@x.example'));
  await taken('', ['Subject: no author', '', 'x']);
  expect(await refusedAt('', mail(`mailer-daemon@${domain}`))).toBe('DATA');
});

test('Rule direction: an outbound rule does nothing to mail that comes in, one for both does', async () => {
  const domain = host();
  await server.client.rules.create({ kind: 'block', direction: 'outbound', pattern: domain });
  await taken(`a@${domain}`, mail(`a@${domain}`));
  await server.client.rules.create({ kind: 'block', direction: 'both', pattern: domain });
  expect(await refusedAt(`a@${domain}`, mail(`a@${domain}`))).toBe('RCPT TO');
});

test('Interface 3 Rule: one mail to three workspaces has three verdicts, each in the decision log', async () => {
  const domain = host();
  const owners = [await server.workspace(), await server.workspace(), await server.workspace()] as const;
  const [byEnvelope, byAuthor, neither] = await Promise.all(owners.map((owner) => server.inbox(owner)));
  await rule('block', `bounces@${domain}`, owners[0]);
  await rule('block', `author@${domain}`, owners[1]);
  await rule('block', 'x.example', owners[2]);
  const smtp = await RawSmtpClient.greet(server.smtpPort);
  await smtp.command(`MAIL FROM:<bounces@${domain}>`);
  const codes = await smtp.codes(
    ...[byEnvelope, byAuthor, neither].map((box) => `RCPT TO:<${box?.address}>`),
  );
  expect(codes).toEqual([550, 250, 250]);
  await smtp.command('DATA');
  const { lines } = await smtp.command([...mail(`author@${domain}`), '.'].join('\r\n'));
  expect(lines[0]).toMatch(/^250 2\.0\.0 Ok: msg_/);
  smtp.destroy();
  expect(await Promise.all([byEnvelope, byAuthor, neither].map((box, at) => count(box, owners[at])))).toEqual(
    [0, 0, 1],
  );
  const verdicts = await eventually('the verdicts', async () => {
    const rows = await server.rows<{ workspace_id: string; verdict: string; reply: string }>(
      'select workspace_id, verdict, left(reply, 9) as reply from smtp_decisions where mail_from = $1',
      [`bounces@${domain}`],
    );
    return rows.length === 3 ? rows : null;
  });
  expect(
    Object.fromEntries(
      verdicts.map(({ workspace_id, verdict, reply }) => [workspace_id, `${verdict} ${reply}`]),
    ),
  ).toEqual({
    [owners[0].id]: 'refused 550 5.7.1',
    [owners[1].id]: 'refused 550 5.7.1',
    [owners[2].id]: 'accepted 250 2.0.0',
  });
});

test('Interface 3 Rule: when every accepted recipient refuses the From, the answer after DATA is 550 5.7.1', async () => {
  const domain = host();
  const owners = [await server.workspace(), await server.workspace()];
  const boxes = await Promise.all(owners.map((owner) => server.inbox(owner)));
  for (const owner of owners) await rule('block', domain, owner);
  const to = boxes.map(({ address }) => address);
  const { response } = await catchRefusal(send('list@relay.example', mail(`ada@${domain}`), to));
  expect(response).toMatch(refused);
  await send('list@relay.example', mail('ada@x.example'), to);
  for (const [at, box] of boxes.entries()) expect(await count(box, owners[at])).toBe(1);
});

test('Interface 3 Rule: mail between inboxes of this server passes the same rules, and the sender hears 5.7.1', async () => {
  const owner = await server.workspace();
  const box = await server.inbox(owner);
  const post = () =>
    server.client.messages.send({
      inbox_id: inbox.id,
      to: [box.address, `x@${host()}`],
      subject: 'Hi',
      text: 'x',
    });
  const { id } = await rule('block', inbox.address, owner);
  const { recipients } = await server.client.messages.get((await post()).id);
  expect(recipients[0]).toMatchObject({
    address: box.address,
    status: 'rejected',
    detail: expect.stringMatching(refused),
  });
  expect(await server.rows('select from suppressions where address = $1', [box.address])).toEqual([]);
  expect(await count(box, owner)).toBe(0);
  await owner.client.rules.delete(id);
  await post();
  expect(await count(box, owner)).toBe(1);
});

test('States Rule POST /lists, States Rule DELETE /lists/{id}: a rule is in force for the next RCPT of an open session, and its deletion too', async () => {
  const box = await server.inbox();
  const smtp = await RawSmtpClient.greet(server.smtpPort);
  for (let round = 0; round < 100; round++) {
    const from = `a@r${round}.example`;
    const { id } = await rule('block', round % 2 ? from : `r${round}.example`);
    expect(await smtp.codes(`MAIL FROM:<${from}>`, `RCPT TO:<${box.address}>`, 'RSET')).toEqual([
      250, 550, 250,
    ]);
    await server.client.rules.delete(id);
    // A client that brings no mail for long is sent away for its errors.
    expect((await smtp.deliver(`Subject: ${round}\r\n\r\nx\r\n.\r\n`, from, box.address)).code).toBe(250);
  }
  smtp.destroy();
});

test('Authentication 4: a revoked key is refused on the next request, also where it made a rule just before', async () => {
  for (let round = 0; round < 50; round++) {
    const { id, key } = await createKey(server.server.deps, server.name, `round ${round}`);
    const post = () =>
      server.request('/v1/lists', {
        key,
        method: 'POST',
        body: { kind: 'block', direction: 'both', pattern: host() },
      });
    expect((await post()).status).toBe(201);
    await revokeKey(server.server.deps, id);
    expect((await post()).status).toBe(401);
  }
});

test('Rules 2: rules of another workspace, and of a deleted inbox, stop nobody', async () => {
  const domain = host();
  const owner = await server.workspace();
  const box = await server.inbox(owner);
  await rule('block', domain, owner);
  await taken(`a@${domain}`, mail(`a@${domain}`));
  await owner.client.inboxes.delete(box.id);
  const { response } = await catchRefusal(send(`a@${domain}`, mail('x@x.example'), box.address));
  expect(response).toMatch(/^550 5\.1\.1 /);
});
