import { freshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { ConsoleBrowser, makePerson, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import { joinTestServer, startTestServer } from '@postrider/testkit/servers/test-server.ts';
import { simpleParser } from 'mailparser';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '../../../src/boot/parts.ts';
import { type QueuedMail, queueMail } from '../../../src/people-mail/queue-people-mail.ts';
import { sendPeopleMail } from '../../../src/people-mail/send-people-mail.ts';

let relayed: ServerWithSink;
let server: ServerWithSink['server'];

beforeAll(async () => {
  relayed = await startServerWithSink({
    lookAgainMs: 500,
    env: { POSTRIDER_PUBLIC_URL: 'https://mail.example.test' },
  });
  server = relayed.server;
});
afterAll(() => relayed.stop());

const post = (browser: ConsoleBrowser, path: string, body: object) =>
  browser.request(path, { method: 'POST', body });

/** Resolves with the mails that have come for an address once there are as many. */
const mailsFor = async (address: string, count = 1) => {
  await eventually(`mail for ${address}`, async () => relayed.sink.copiesFor(address).length >= count);
  return Promise.all(
    relayed.sink.copiesFor(address).map(async (message) => {
      return { ...message, text: message.raw.toString('latin1'), parsed: await simpleParser(message.raw) };
    }),
  );
};

const linkPattern = /https:\/\/mail\.example\.test\/console\/(invitation|new-password)#([\w-]{43})/;
const tokenIn = (text: string | undefined) => linkPattern.exec(text ?? '')?.[2] ?? '';

const newAddress = () => `${server.freshName('guest')}@elsewhere.example`;

test('an invitation comes by mail, signed and automatic, and its link works once', async () => {
  const owner = await signedIn(server);
  const email = newAddress();
  const invited = await post(owner, '/invitations', { email, role: 'member' });
  expect([invited.status, invited.body.mailed]).toEqual([201, true]);
  const [mail] = await mailsFor(email);
  expect(mail?.parsed.from?.value).toEqual([{ name: 'Postrider', address: 'no-reply@postrider.test' }]);
  expect(mail?.parsed.subject).toContain(server.name);
  expect(mail?.parsed.headers.get('auto-submitted')).toBe('auto-generated');
  expect(mail?.text).toMatch(/^DKIM-Signature: v=1; a=rsa-sha256;[\s\S]* d=postrider\.test;/);
  expect(mail?.from).toBe('');
  const token = tokenIn(mail?.parsed.text);
  expect(mail?.parsed.html).toContain(token);
  expect(invited.body.link).toContain(token);

  const guest = new ConsoleBrowser(server);
  const accept = () =>
    post(guest, '/invitations/accept', { token, name: 'Guest', password: 'a long secret' });
  const accepted = await accept();
  expect(accepted.body).toMatchObject({
    person: { email, name: 'Guest' },
    workspaces: [{ workspace_id: server.id, role: 'member' }],
    server: { sends_mail: true },
  });
  expect((await accept()).body.error).toBe('link_expired');
});

test('a link for a new password comes by mail and works once, and so do all others before it', async () => {
  const person = await makePerson(server);
  const browser = new ConsoleBrowser(server);
  const before = await signedOn(person);
  for (const _ of [1, 2])
    expect((await post(browser, '/password-resets', { email: person.email })).status).toBe(202);
  const tokens = (await mailsFor(person.email, 2)).map(({ parsed }) => tokenIn(parsed.text));
  expect(new Set(tokens).size).toBe(2);
  const choose = (token: string | undefined, password: string) =>
    post(browser, '/password-resets/complete', { token, password });
  expect((await choose(tokens[0], 'short')).body.error).toBe('invalid_request');
  expect((await choose(tokens[0], 'a new secret')).status).toBe(204);
  for (const token of tokens) expect((await choose(token, 'another secret')).body.error).toBe('link_expired');
  expect((await before.request('/session')).status).toBe(401);
  expect((await browser.signIn({ ...person, password: 'a new secret' })).status).toBe(200);
});

const signedOn = async (person: { email: string; password: string }) => {
  const browser = new ConsoleBrowser(server);
  await browser.signIn(person);
  return browser;
};

test('a request for an unknown address is answered in the same way, and sends nothing', async () => {
  const { email } = await makePerson(server);
  const unknown = newAddress();
  const browser = new ConsoleBrowser(server);
  const [one, other] = [
    await post(browser, '/password-resets', { email: unknown }),
    await post(browser, '/password-resets', { email }),
  ];
  expect([other.status, other.body]).toEqual([202, { sends_mail: true }]);
  expect([one.status, one.body]).toEqual([other.status, other.body]);
  expect([...one.headers.keys()]).toEqual([...other.headers.keys()]);
  await mailsFor(email);
  expect(relayed.sink.copiesFor(unknown)).toEqual([]);
});

test('no token of a link stands in clear text in the database', async () => {
  const owner = await signedIn(server);
  const email = newAddress();
  const { body } = await post(owner, '/invitations', { email, role: 'owner' });
  const token = tokenIn(body.link as string);
  await mailsFor(email);
  expect(token).toHaveLength(43);
  const jobs = await server.rows<{ data: object }>(
    "select data from pgboss.job where name = 'mail-people' order by created_on",
  );
  expect(jobs.length).toBeGreaterThan(0);
  expect(JSON.stringify(jobs)).not.toContain(token);
  expect(JSON.stringify(jobs)).not.toContain(email);
});

test('a mail that the relay defers is sent later, and one that it refuses is not', async () => {
  const owner = await signedIn(server);
  const [deferred, refused] = [newAddress(), newAddress()];
  relayed.sink.script(
    { at: 'rcpt', recipient: deferred, reply: '451 4.3.0 Later', times: 1 },
    { at: 'rcpt', recipient: refused, reply: '550 5.1.1 Unknown' },
  );
  await post(owner, '/invitations', { email: refused, role: 'member' });
  await post(owner, '/invitations', { email: deferred, role: 'member' });
  expect(await mailsFor(deferred)).toHaveLength(1);
  expect(relayed.sink.copiesFor(refused)).toEqual([]);
  relayed.sink.clearScript();
});

test('a link for a new password whose mail is deferred is one link, also when the mail is tried again', async () => {
  const person = await makePerson(server);
  relayed.sink.script({ at: 'rcpt', recipient: person.email, reply: '451 4.3.0 Later', times: 1 });
  const browser = new ConsoleBrowser(server);
  await post(browser, '/password-resets', { email: person.email });
  const [mail] = await mailsFor(person.email);
  relayed.sink.clearScript();
  const rows = await server.rows('select expires_at from password_resets where person_id = $1', [person.id]);
  expect(rows).toHaveLength(1);
  const token = tokenIn(mail?.parsed.text);
  const chosen = await post(browser, '/password-resets/complete', { token, password: 'a new secret' });
  expect(chosen.status).toBe(204);
});

test('a mail that was promised goes out after the process that promised it is gone', async () => {
  const database = await freshDatabase();
  const env = {
    POSTRIDER_SECRET: 'a secret of both processes, with enough characters',
    POSTRIDER_TRANSPORT: 'smtp',
    POSTRIDER_SMTP_RELAY: `smtp://127.0.0.1:${relayed.sink.port}`,
    POSTRIDER_PUBLIC_URL: 'https://mail.example.test',
  };
  const start = (roles: Role[]) => startTestServer({ roles, database: database.settings, env });
  const api = await start(['api']);
  const owner = await signedIn(api);
  const email = newAddress();
  expect((await post(owner, '/invitations', { email, role: 'member' })).body.mailed).toBe(true);
  await api.stop();
  expect(relayed.sink.copiesFor(email)).toEqual([]);
  const worker = await start(['api', 'worker']);
  expect(await mailsFor(email)).toHaveLength(1);
  await worker.stop();
  await database.drop();
});

test('nobody gets a mail with a link at an address whose mail an inbox of this server receives', async () => {
  const { deps } = server.server;
  const owner = await signedIn(server);
  const inbox = await server.inbox(await server.workspace());
  const person = await makePerson(server);
  const email = inbox.address.replace('@', '+boss@');
  await server.rows('update people set email = $2 where id = $1', [person.id, email]);
  const asked = await post(owner, '/password-resets', { email });
  expect([asked.status, asked.body]).toEqual([202, { sends_mail: true }]);
  const invited = await post(owner, '/invitations', { email: inbox.address, role: 'owner' });
  expect(invited.body).toMatchObject({ mailed: false, link: expect.stringMatching(linkPattern) });
  const mail = { kind: 'invitation' as const, link: 'https://x.example', workspace: 'W', invitedBy: 'Ada' };
  await queueMail(deps, { ...mail, email: inbox.address });

  const jobs = async (state: string) =>
    server.rows<{ data: QueuedMail }>(
      `select data from pgboss.job where name = 'mail-people' and ${state} order by created_on desc`,
    );
  await eventually('the mails', async () => (await jobs("state <> 'completed'")).length === 0);
  const [, reset] = await jobs('true');
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
  await sendPeopleMail({ ...deps, log }).run(reset!.data);
  expect(lines).toEqual([expect.stringContaining('make a link with `postrider-server people reset`')]);
  expect(lines[0]).toContain(email);
  expect(lines[0]).not.toMatch(linkPattern);
  expect(await server.rows('select from password_resets where person_id = $1', [person.id])).toEqual([]);
  for (const address of [email, inbox.address]) expect(relayed.sink.copiesFor(address)).toEqual([]);
});

test('names cannot add a field to the header, nor markup to the text', async () => {
  const hostile = await server.workspace();
  const name = `Acme\r\nBcc: victim@elsewhere.example\u2028<img src=x onerror=alert(1)> ${server.freshName()}`;
  await server.rows('update workspaces set title = $2 where id = $1', [hostile.id, name]);
  const owner = await signedIn(server, 'owner', hostile);
  await server.rows('update people set name = $2 where id = $1', [
    owner.person.id,
    'Ada\r\nX-Evil: 1\r\n\r\n<script>alert(2)</script>',
  ]);
  const email = newAddress();
  expect((await post(owner, '/invitations', { email, role: 'member' })).body.mailed).toBe(true);
  const [mail] = await mailsFor(email);
  expect(mail?.recipients).toEqual([email]);
  expect(mail?.parsed.headers.has('bcc')).toBe(false);
  expect(mail?.parsed.headers.has('x-evil')).toBe(false);
  expect(mail?.parsed.subject).toMatch(/^Invitation to the workspace Acme Bcc: victim@/);
  expect(mail?.parsed.html).not.toMatch(/<img|<script/);
  for (const odd of ['a@b\r\nRCPT TO:<c@d>', 'a@b, c@d', '<a@b>', 'a@b>'])
    expect((await post(owner, '/invitations', { email: odd, role: 'member' })).status).toBe(400);
});

test('a server that sends no mail says so, and the link is passed on by hand', async () => {
  const quiet = await joinTestServer();
  const owner = await signedIn(quiet);
  const { body } = await post(owner, '/invitations', { email: newAddress(), role: 'member' });
  expect([body.mailed, body.link]).toEqual([
    false,
    expect.stringMatching(/\/console\/invitation#[\w-]{43}$/),
  ]);
  expect((await post(owner, '/password-resets', { email: newAddress() })).body).toEqual({
    sends_mail: false,
  });
});
