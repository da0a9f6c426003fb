import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { makeDns } from '@postrider/testkit/mail/signed-mail.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findSharedKey } from '../../../src/domains/open-shared-signer.ts';
import { dkimRecordOf } from '../../../src/lib/crypto/dkim-key.ts';

let running: ServerWithSink;
let server: TestServer;
beforeAll(async () => {
  running = await startServerWithSink();
  ({ server } = running);
});
afterAll(() => running.stop());

/** The mail that the relay got for a recipient. */
const arrived = (recipient: string) =>
  eventually(`mail for ${recipient}`, async () => running.sink.copiesFor(recipient)[0]?.raw ?? null);

/** The domains and results of the signatures of a mail, with the DNS that `doctor` wants. */
async function verify(raw: Buffer) {
  const key = await findSharedKey(server.server.deps, 'postrider.test');
  const dns = makeDns({
    [`TXT ${key?.selector}._domainkey.postrider.test`]: [dkimRecordOf(key?.publicKey ?? '')],
  });
  const { results } = await dkimVerify(raw, { resolver: dns });
  return results.map(({ signingDomain, status }) => [signingDomain, status.result]);
}

const passes = [['postrider.test', 'pass']];

test('what a receiver gets is signed by the domain of the sender, whatever it is: a message, a reply, a forward, a draft, 5 MB', async () => {
  const inbox = await server.inbox();
  const { client } = server;
  const to = () => `${server.freshName('rcpt')}@remote.example`;
  const recipients = Array.from({ length: 5 }, to);
  const [plain = '', reply = '', forward = '', drafted = '', large = ''] = recipients;
  const first = await client.messages.send({ inbox_id: inbox.id, to: [plain], subject: 'Grüße', text: 'x' });
  await client.messages.reply(first.id, { text: 'reply', cc: [reply] });
  await client.messages.forward(first.id, { to: [forward], text: 'fyi' });
  const draft = await client.drafts.create({ inbox_id: inbox.id, to: [drafted], subject: 's', text: 't' });
  await client.drafts.send(draft.id);
  await client.messages.send({
    inbox_id: inbox.id,
    to: [large],
    subject: 's',
    html: '<p>Files</p>',
    headers: {
      'List-Unsubscribe': '<https://sender.test/u>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    attachments: [{ filename: 'a.bin', content: Buffer.alloc(3_800_000, 7) }],
  });
  for (const recipient of recipients)
    expect([recipient, await verify(await arrived(recipient))]).toEqual([recipient, passes]);
});

test('the stored original has the signature that receivers get, the same for each of them', async () => {
  const inbox = await server.inbox();
  const to = [1, 2, 3].map((number) => `${server.freshName(`r${number}`)}@remote.example`);
  const sent = await server.client.messages.send({ inbox_id: inbox.id, to, subject: 's', text: 't' });
  const { url } = await server.client.messages.raw(sent.id);
  const original = Buffer.from(await (await fetch(url)).arrayBuffer());
  for (const recipient of to) expect((await arrived(recipient)).equals(original)).toBe(true);
  expect(await verify(original)).toEqual(passes);
});

test('mail that does not leave the server is not signed: of a test workspace, and of a sandbox server', async () => {
  const sandbox = await joinTestServer();
  const tester = await server.workspace({ isTest: true });
  for (const [at, owner] of [
    [server, tester],
    [sandbox, sandbox],
  ] as const) {
    const [from, to] = [await at.inbox(owner), await at.inbox(owner)];
    const sent = await owner.client.messages.send({
      inbox_id: from.id,
      to: [to.address],
      subject: 's',
      text: 't',
    });
    const { url } = await owner.client.messages.raw(sent.id);
    expect(await (await fetch(url)).text()).not.toMatch(/^dkim-signature:/im);
  }
  await sandbox.stop();
});
