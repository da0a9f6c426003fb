import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { publishRecords, withdrawRecords } from '@postrider/testkit/dns/publish-domain.ts';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let dns: DnsServer;
let server: TestServer;
let names = 0;

beforeAll(async () => {
  dns = await startDnsServer();
  server = await startTestServer({ env: { POSTRIDER_DNS: dns.address } });
});
afterAll(async () => {
  await server.stop();
  await dns.close();
});

const freshHostname = () => `o${++names}.example`;
const add = (owner: TestWorkspace = server, hostname = freshHostname()) =>
  owner.client.domains.create({ hostname });
const verified = async (owner: TestWorkspace = server, hostname = freshHostname()) => {
  const domain = await add(owner, hostname);
  publishRecords(dns, domain);
  const found = await owner.client.domains.verify(domain.id);
  expect(found.status).toBe('verified');
  return found;
};
describe('the owner of a hostname', () => {
  test('gaps: is the workspace that proves it, not the one that asked first', async () => {
    const other = await server.workspace();
    const hostname = freshHostname();
    const first = await add(server, hostname);
    const second = await add(other, hostname);
    publishRecords(dns, second);
    expect((await other.client.domains.verify(second.id)).status).toBe('verified');
    publishRecords(dns, first);
    const late = await server.client.domains.verify(first.id);
    expect(late.status).toBe('failed');
    expect(late.records[0]?.hint).toContain('another workspace has verified');
    for (const taken of [hostname, `mail.${hostname}`])
      await catchApiError(add(await server.workspace(), taken), 'domain_taken');
    expect((await add(other, `mail.${hostname}`)).status).toBe('pending');
  });

  test('gaps: loses it to another that proves it, once its own records are gone', async () => {
    const other = await server.workspace();
    const hostname = freshHostname();
    const former = await verified(server, hostname);
    const inbox = await server.client.inboxes.create({ local_part: 'info', domain_id: former.id });
    withdrawRecords(dns, former, ['ownership', 'dkim', 'spf']);
    expect((await server.client.domains.verify(former.id)).status).toBe('failed');
    const owned = await verified(other, hostname);
    const heir = await other.client.inboxes.create({ local_part: 'info', domain_id: owned.id });
    expect(heir.address).toBe(inbox.address);
    await sendMail(server.smtpPort, {
      from: 'ada@example.com',
      to: heir.address,
      subject: 'For the heir',
      text: 'x',
    });
    const { messages } = await other.client.messages.list({ inbox_id: heir.id, wait_seconds: 60 });
    expect(messages.map(({ subject }) => subject)).toEqual(['For the heir']);
    expect((await server.client.messages.list({ inbox_id: inbox.id })).messages).toEqual([]);
    expect((await server.client.domains.get(former.id)).status).toBe('failed');
  });

  test('gaps: who wins it back has the addresses of the inboxes there again', async () => {
    const other = await server.workspace();
    const hostname = freshHostname();
    const first = await verified(server, hostname);
    const inbox = await server.client.inboxes.create({ local_part: 'info', domain_id: first.id });
    withdrawRecords(dns, first, ['ownership', 'dkim', 'spf']);
    await server.client.domains.verify(first.id);
    const second = await verified(other, hostname);
    withdrawRecords(dns, second, ['ownership', 'dkim', 'spf']);
    expect((await other.client.domains.verify(second.id)).status).toBe('failed');
    publishRecords(dns, first);
    expect((await server.client.domains.verify(first.id)).status).toBe('verified');
    const mail = { from: 'ada@example.com', to: inbox.address, subject: 'Back', text: 'x' };
    expect((await sendMail(server.smtpPort, mail)).accepted).toEqual([inbox.address]);
    await catchApiError(
      server.client.inboxes.create({ local_part: 'info', domain_id: first.id }),
      'address_taken',
    );
  });

  test('gaps: of two that prove it at once, one owns it', async () => {
    const hostname = freshHostname();
    const rivals = await Promise.all(Array.from({ length: 3 }, () => server.workspace()));
    const added = await Promise.all(rivals.map((rival) => add(rival, hostname)));
    const ownership = added.map(({ records }) => [records[0]!.value]);
    const keys = added.map(({ records }) => records[1]!);
    publishRecords(dns, added[0]!);
    dns.set(added[0]!.records[0]!.name, 'TXT', ownership);
    for (const { name, value } of keys) dns.set(name, 'TXT', [value.match(/.{1,255}/g) ?? []]);
    const checked = await Promise.all(
      rivals.map(({ client }, place) => client.domains.verify(added[place]!.id)),
    );
    expect(checked.map(({ status }) => status).sort()).toEqual(['failed', 'failed', 'verified']);
  });
});
