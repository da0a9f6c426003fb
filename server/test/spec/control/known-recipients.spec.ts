/* Interface 11 Policy: `known` are addresses that wrote to this inbox with DMARC pass or from this server, and those of allow rules. */
import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import { signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { keyRecord, signMail } from '@postrider/testkit/mail/signed-mail.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { sendBytes } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox, Message, Postrider } from 'postrider';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

let dns: DnsServer;
let server: TestServer;
let workspace: TestWorkspace;
let client: Postrider;
let inbox: Inbox;

beforeAll(async () => {
  dns = await startDnsServer();
  server = await startTestServer({
    env: { POSTRIDER_DNS: dns.address, POSTRIDER_MAIL_DOMAIN: 'agents.test' },
  });
  for (const domain of ['friend.example', 'bank.example'])
    dns.set(`_dmarc.${domain}`, 'TXT', ['v=DMARC1; p=none']);
  dns.set('s1._domainkey.friend.example', 'TXT', [keyRecord]);
});
afterAll(async () => {
  await server.stop();
  await dns.close();
});

beforeEach(async () => {
  workspace = await server.workspace();
  ({ client } = workspace);
  inbox = await server.inbox(workspace);
  const place = { workspaceId: workspace.id, level: 'workspace', subjectId: workspace.id } as const;
  await setPolicy(server.server.deps, place, { recipients: 'known' }, operator);
});

/** Delivers a mail that `friend.example` has signed, whoever its author is. */
const deliver = async (from: string, more: string[] = [], to = inbox): Promise<Message> => {
  const subject = server.freshName();
  const header = [
    `From: ${from}`,
    `To: ${to.address}`,
    ...more,
    `Subject: ${subject}`,
    `Message-ID: <${subject}@x>`,
  ];
  const raw = await signMail([...header, '', 'Hello', ''].join('\r\n'), 'friend.example');
  await sendBytes(server.smtpPort, { from, to: to.address }, Buffer.from(raw));
  await server.filed();
  return eventually('the mail', async () => {
    const { messages } = await client.messages.list({ inbox_id: to.id });
    return messages.find((message) => message.subject === subject);
  });
};
const check = async (to: string[], from = inbox) => {
  const { dropped } = await client.messages.check({ inbox_id: from.id, to, subject: 's' });
  return Object.fromEntries(dropped.map(({ address, reason }) => [address, reason]));
};
const send = (to: string, more: object = {}) =>
  client.messages.send({ inbox_id: inbox.id, to, subject: 's', text: 't', ...more });

test('Interface 11 Policy: who wrote with DMARC pass is known, in any letter case, and nobody else', async () => {
  expect((await deliver('Ada@friend.example')).authentication?.dmarc).toBe('pass');
  expect((await deliver('teller@bank.example')).authentication?.dmarc).toBe('fail');
  expect((await deliver('bob@nowhere.example')).authentication?.dmarc).toBe('none');
  const others = [
    'teller@bank.example',
    'bob@nowhere.example',
    'eve@friend.example',
    'ada+tag@friend.example',
  ];
  expect(await check(['ADA@friend.example', ...others])).toEqual(
    Object.fromEntries(others.map((address) => [address, 'policy'])),
  );
  expect(await send('ada@friend.example', { cc: 'eve@friend.example' })).toMatchObject({
    delivery_status: 'sent',
    dropped: [{ address: 'eve@friend.example', reason: 'policy' }],
  });
  await catchApiError(send('teller@bank.example'), 'no_deliverable_recipients');
});

test('Interface 11 Policy: a Reply-To, a Cc and a sent message make nobody known', async () => {
  const headers = ['Reply-To: hidden@elsewhere.example', 'Cc: copied@elsewhere.example'];
  const mail = await deliver('ada@friend.example', headers);
  await catchApiError(client.messages.reply(mail.id, { text: 'Hi' }), 'no_deliverable_recipients');
  const sent = await client.messages.reply(mail.id, {
    text: 'Hi',
    reply_all: true,
    cc: 'ada@friend.example',
  });
  expect(sent.dropped.map(({ address }) => address).sort()).toEqual([
    'copied@elsewhere.example',
    'hidden@elsewhere.example',
  ]);
  await catchApiError(
    client.messages.forward(mail.id, { to: 'hidden@elsewhere.example' }),
    'no_deliverable_recipients',
  );
  expect((await client.messages.forward(mail.id, { to: 'ada@friend.example' })).delivery_status).toBe('sent');
});

test('Interface 11 Policy: the correspondents of another inbox are unknown, also if they wrote often', async () => {
  const other = await server.inbox(workspace);
  for (let n = 0; n < 3; n += 1) await deliver('ada@friend.example', [], other);
  expect(await check(['ada@friend.example'])).toEqual({ 'ada@friend.example': 'policy' });
  expect(await check(['ada@friend.example'], other)).toEqual({});
});

test('Interface 11 Policy: inboxes of this server that wrote are known', async () => {
  const other = await server.workspace();
  const theirs = await server.inbox(other);
  expect(await check([theirs.address])).toEqual({ [theirs.address]: 'policy' });
  await other.client.messages.send({ inbox_id: theirs.id, to: inbox.address, subject: 'Hello', text: 't' });
  await eventually('the mail', async () => {
    const { messages } = await client.messages.list({ inbox_id: inbox.id });
    return messages.length === 1;
  });
  expect(await check([theirs.address])).toEqual({});
});

test('Interface 11 Policy: an outbound allow rule makes known, an inbound one and a block do not', async () => {
  // A key that is bound by a policy cannot write rules.
  const person = await signedIn(server, 'owner', workspace);
  for (const body of [
    { kind: 'allow', direction: 'outbound', pattern: 'partner.example' },
    { kind: 'allow', direction: 'inbound', pattern: 'fan.example' },
    { kind: 'block', direction: 'outbound', pattern: 'ex@partner.example' },
  ])
    expect((await person.request('/v1/lists', { method: 'POST', body })).status).toBe(201);
  expect(
    await check(['ada@partner.example', 'ex@partner.example', 'ada@sub.partner.example', 'ada@fan.example']),
  ).toEqual({ 'ex@partner.example': 'rule', 'ada@fan.example': 'policy' });
});

test('Interface 11 Policy: known and a list of another place both have to allow a recipient', async () => {
  await deliver('ada@friend.example');
  await deliver('bob@friend.example');
  const place = { workspaceId: workspace.id, level: 'inbox', subjectId: inbox.id } as const;
  await setPolicy(
    server.server.deps,
    place,
    { recipients: ['ada@friend.example', 'eve@friend.example'] },
    operator,
  );
  expect(await check(['ada@friend.example', 'bob@friend.example', 'eve@friend.example'])).toEqual({
    'bob@friend.example': 'policy',
    'eve@friend.example': 'policy',
  });
});

test('Interface 11 Policy: drafts go to known recipients only, also at their time', async () => {
  await deliver('ada@friend.example');
  const draft = (to: string, more: object = {}) =>
    client.drafts.create({ inbox_id: inbox.id, to, subject: 's', ...more });
  const unknown = await draft('eve@friend.example');
  await catchApiError(client.drafts.send(unknown.id), 'no_deliverable_recipients');
  const scheduled = await draft('eve@friend.example', { scheduled_at: new Date().toISOString() });
  await eventually('its failure', async () => (await client.drafts.get(scheduled.id)).status === 'failed');
  expect((await client.drafts.get(scheduled.id)).failure).toBe('no_deliverable_recipients');
  expect((await client.drafts.send((await draft('ada@friend.example')).id)).delivery_status).toBe('sent');
});
