/* Message: a mail has one author, whom the inbox shows, rules and policies decide by, and people see, however its From is spelled. */
import type { Approval } from '@postrider/contract/console';
import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { type ConsoleBrowser, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { boss, eve, type FromSpelling, fromSpellings } from '@postrider/testkit/mail/from-spellings.ts';
import { keyRecord, signBytes } from '@postrider/testkit/mail/signed-mail.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { sendBytes } from '@postrider/testkit/smtp/smtp-client.ts';
import { type Inbox, type Message, Postrider } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { createKey } from '../../../src/keys/manage-keys.ts';
import { domainOf } from '../../../src/lib/email-address.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

let dns: DnsServer;
let server: TestServer;
let owner: ConsoleBrowser;
/** A key that writes to known recipients only. */
let careful: Postrider;
/** A workspace that blocks the domain of the boss. */
let blocking: TestWorkspace;
let blockingInbox: Inbox;
const rows: string[][] = [];

beforeAll(async () => {
  dns = await startDnsServer();
  server = await startTestServer({
    env: { POSTRIDER_DNS: dns.address, POSTRIDER_MAIL_DOMAIN: 'agents.test' },
  });
  for (const domain of ['evil.example', 'customer.example'])
    dns.set(`_dmarc.${domain}`, 'TXT', ['v=DMARC1; p=none']);
  dns.set('s1._domainkey.evil.example', 'TXT', [keyRecord]);
  owner = await signedIn(server);
  const { deps } = server.server;
  const { id, key } = await createKey(deps, server.name, 'careful');
  careful = new Postrider({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const policyOf = (keyId: string) => ({ workspaceId: server.id, level: 'key', subjectId: keyId }) as const;
  await setPolicy(deps, policyOf(id), { recipients: 'known' }, operator);
  await setPolicy(deps, policyOf(server.keyId), { send: 'approve' }, operator);
  blocking = await server.workspace();
  blockingInbox = await server.inbox(blocking);
  await blocking.client.rules.create({ kind: 'block', direction: 'inbound', pattern: domainOf(boss) });
});
afterAll(async () => {
  if (process.env.POSTRIDER_SHOW_TABLE)
    process.stdout.write(`${rows.map((row) => row.join(' | ')).join('\n')}\n`);
  await server.stop();
  await dns.close();
});

/**
 * Sends the mail to an inbox of its own and to the one that blocks the boss. Returns the message, and whether the other one has it, too.
 */
async function deliver({ lines, envelopeFrom = eve }: FromSpelling) {
  const inbox = await server.inbox();
  const subject = server.freshName();
  const header = [`To: ${inbox.address}`, `Subject: ${subject}`, `Message-ID: <${subject}@x>`, ...lines];
  const raw = Buffer.concat(
    [...header, '', 'Hello'].flatMap((line) => [Buffer.from(line), Buffer.from('\r\n')]),
  );
  const signed = await signBytes(raw, 'evil.example');
  await sendBytes(
    server.smtpPort,
    { from: envelopeFrom, to: [inbox.address, blockingInbox.address] },
    signed,
  );
  await server.filed();
  const [message] = (await server.client.messages.list({ inbox_id: inbox.id })).messages;
  const { messages } = await blocking.client.messages.list({ inbox_id: blockingInbox.id, subject });
  // Nothing signs a mail without a From.
  const isSigned = signed.length > raw.length;
  return { inbox, message: message!, isBlocked: messages.length === 0, isSigned };
}

/** Returns what an agent reads of a message. */
async function readByMcp(message: Message): Promise<string> {
  const params = { name: 'get_message', arguments: { message_id: message.id } };
  const { text } = await server.request('/mcp', {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
  });
  return text;
}

/** Returns what people see of the boss and of the stranger when they decide about a message to both. */
async function correspondents(inbox: Inbox) {
  const held = await server.client.messages.send({
    inbox_id: inbox.id,
    to: [boss, eve],
    subject: 's',
    text: 't',
  });
  const { body } = await owner.request(`/approvals/${held.id}`);
  return Object.fromEntries((body as unknown as Approval).correspondents.map((one) => [one.address, one]));
}

test.each(fromSpellings)(
  'Message from_addr: a From is read as one author everywhere: $name',
  async (spelling) => {
    const { author, isProven } = spelling;
    const { inbox, message, isBlocked, isSigned } = await deliver(spelling);
    const { dropped } = await careful.messages.check({ inbox_id: inbox.id, to: [boss, eve], subject: 's' });
    const unknown = dropped.map(({ address }) => address);
    const people = await correspondents(inbox);
    const seen = await readByMcp(message);
    const page = (await owner.request(`/v1/messages/${message.id}`)).body as unknown as Message;
    const { dmarc, verified_domain } = message.authentication!;
    rows.push([
      spelling.name,
      message.from_addr,
      dmarc,
      `known: ${[boss, eve].filter((one) => !unknown.includes(one))}`,
      `blocked: ${isBlocked}`,
    ]);
    expect(message.from_addr).toBe(author);
    expect({ dmarc, verified_domain }).toEqual(
      isProven
        ? { dmarc: 'pass', verified_domain: domainOf(author) }
        : { dmarc: expect.not.stringMatching(/^pass$/), verified_domain: null },
    );
    if (domainOf(author) === domainOf(boss)) expect(dmarc).toBe(isSigned ? 'fail' : 'none');
    expect(unknown).toEqual(isProven && author === eve ? [boss] : [boss, eve]);
    expect(people[boss]).toMatchObject({
      wrote_before: author === boss,
      proven: false,
      verified_domain: null,
    });
    expect(people[eve]).toMatchObject({ wrote_before: author === eve, proven: isProven && author === eve });
    // Every author that a From names has to pass the rules, also one that is not shown.
    if (domainOf(author) === domainOf(boss)) expect(isBlocked).toBe(true);
    else if (isProven) expect(isBlocked).toBe(false);
    expect(seen).toContain(author.replaceAll('"', '\\\\\\"'));
    expect(page).toMatchObject({ from_addr: author, authentication: { verified_domain } });
  },
);
