import type { Domain } from '@postrider/contract';
import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { publishRecords, withdrawRecords } from '@postrider/testkit/dns/publish-domain.ts';
import { catchApiError, invalidFields } from '@postrider/testkit/http/api-errors.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const hour = 3_600_000;
const clock = createMovingClock();
let dns: DnsServer;
let server: TestServer;
let names = 0;

beforeAll(async () => {
  dns = await startDnsServer();
  server = await startTestServer({ clock, env: { POSTRIDER_DNS: dns.address } });
});
afterAll(async () => {
  await server.stop();
  await dns.close();
});

const freshHostname = () => `d${++names}.example`;
const add = (owner: TestWorkspace = server, hostname = freshHostname()) =>
  owner.client.domains.create({ hostname });
const verified = async (owner: TestWorkspace = server, hostname = freshHostname()) => {
  const domain = await add(owner, hostname);
  publishRecords(dns, domain);
  const found = await owner.client.domains.verify(domain.id);
  expect(found.status).toBe('verified');
  return found;
};
const statuses = ({ records }: Domain) =>
  Object.fromEntries(records.map(({ purpose, status }) => [purpose, status]));

describe('POST /domains', () => {
  test('Domains POST /domains, Interface 3 Domain: answers 201 with the records to publish', async () => {
    const hostname = freshHostname();
    const { data, response } = await server.client.domains.create({ hostname }).withResponse();
    expect(response.status).toBe(201);
    expect(data).toMatchObject({
      id: expect.stringMatching(/^dom_/),
      hostname,
      kind: 'byo',
      status: 'pending',
      dmarc_policy: 'none',
      mail_from_domain: `bounce.${hostname}`,
      verified_at: null,
    });
    const published = data.records.map(({ purpose, type, name, value, priority, status, found, hint }) => {
      expect([status, found, hint]).toEqual(['pending', null, null]);
      return [purpose, type, name, value, priority];
    });
    const selector = data.records[1]?.name.split('.')[0];
    expect(published).toEqual([
      [
        'ownership',
        'TXT',
        `_postrider.${hostname}`,
        expect.stringMatching(/^postrider-verification=\w{40}$/),
        null,
      ],
      [
        'dkim',
        'TXT',
        `${selector}._domainkey.${hostname}`,
        expect.stringMatching(/^v=DKIM1; k=rsa; p=MIIB/),
        null,
      ],
      ['spf', 'TXT', `bounce.${hostname}`, 'v=spf1 a:mx.postrider.test -all', null],
      ['mail_from', 'MX', `bounce.${hostname}`, 'mx.postrider.test', 10],
      [
        'dmarc',
        'TXT',
        `_dmarc.${hostname}`,
        expect.stringMatching(/^v=DMARC1; p=none; rua=mailto:dmarc\+\w{54}@bounce\.d1\.example$/),
        null,
      ],
      ['inbound', 'MX', hostname, 'mx.postrider.test', 10],
    ]);
    const { id } = data;
    expect(await server.client.domains.get(id)).toMatchObject({ id, hostname, kind: 'byo' });
  });

  test('Plans Custom domain: needs the plan for it', async () => {
    const free = await server.workspace({ plan: 'free' });
    await catchApiError(add(free), 'custom_domains_require_paid_plan', { upgrade: true });
  });

  test('gaps: an international name is its A-labels, and a name that nobody can own is a 400', async () => {
    expect((await add(server, 'Bücher.Example')).hostname).toBe('xn--bcher-kva.example');
    for (const hostname of ['co.uk', 'github.io', '*.acme.example', '192.0.2.1', 'localhost', 'a..example'])
      expect([hostname, await invalidFields(add(server, hostname))]).toEqual([hostname, ['hostname']]);
  });

  test('Domains domain_taken: a name that the workspace has, and one of the service itself', async () => {
    const { hostname } = await add();
    for (const taken of [hostname, hostname.toUpperCase(), 'postrider.test', 'deep.below.postrider.test'])
      await catchApiError(add(server, taken), 'domain_taken');
  });

  test('gaps: one that several send at once is added once', async () => {
    const hostname = freshHostname();
    const results = await Promise.allSettled(Array.from({ length: 5 }, () => add(server, hostname)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});

describe('verification', () => {
  test('Domains POST /domains/{id}/verify: goes from pending over verifying to verified, record by record', async () => {
    const domain = await add();
    const verify = () => server.client.domains.verify(domain.id);
    const nothing = await verify();
    expect(nothing.status).toBe('pending');
    expect(nothing.records.map(({ found }) => found)).toEqual(nothing.records.map(() => null));
    for (const { name, type, hint } of nothing.records)
      expect(hint).toMatch(
        new RegExp(
          `^no ${type} record at ${name}; asked \\S+ \\(127\\.0\\.0\\.1:\\d+\\) at \\S+Z; next look at \\S+Z$`,
        ),
      );
    const purposes = domain.records.map(({ purpose }) => purpose);
    for (const [place, purpose] of purposes.entries()) {
      publishRecords(dns, domain, [purpose]);
      const now = await verify();
      expect(now.status).toBe(place < purposes.length - 1 ? 'verifying' : 'verified');
      expect(Object.entries(statuses(now)).filter(([, status]) => status === 'verified')).toHaveLength(
        place + 1,
      );
      expect(now.records[place]).toMatchObject({ found: now.records[place]?.value, hint: null });
    }
    expect((await server.client.domains.get(domain.id)).verified_at).toMatch(/Z$/);
    const acts = await server.rows(
      `select actor_kind, before->>'status' as was, after->>'status' as now from audit_entries
        where workspace_id = $1 and action = 'domain.status_changed' and target = $2 order by seq`,
      [server.id, domain.id],
    );
    expect(acts).toEqual([
      { actor_kind: 'server', was: 'pending', now: 'verifying' },
      { actor_kind: 'server', was: 'verifying', now: 'verified' },
    ]);
  });

  test('gaps: a record that is wrong says what is published', async () => {
    const domain = await add();
    publishRecords(dns, domain);
    const [, dkim, spf, , dmarc, inbound] = domain.records;
    dns.set(domain.records[0]!.name, 'TXT', [['postrider-verification=other']]);
    dns.set(dkim!.name, 'CNAME', ['keys.elsewhere.example']);
    dns.remove(dkim!.name, 'TXT');
    dns.set(spf!.name, 'TXT', [['v=spf1 -all'], [spf!.value]]);
    dns.remove(dmarc!.name, 'TXT');
    dns.set(`${dmarc!.name}.${domain.hostname}`, 'TXT', [[dmarc!.value]]);
    dns.set(inbound!.name, 'MX', ['5 mail.elsewhere.example']);
    const { records } = await server.client.domains.verify(domain.id);
    expect(records.map(({ found }) => found)).toEqual([
      'postrider-verification=other',
      null,
      spf!.value,
      'mx.postrider.test',
      dmarc!.value,
      'mail.elsewhere.example',
    ]);
    expect(records.map(({ hint }) => hint)).toEqual([
      expect.stringMatching(/^another value: postrider-verification=other; asked/),
      expect.stringMatching(
        /^no TXT record at \S+, which is an alias \(CNAME\) of keys\.elsewhere\.example; asked/,
      ),
      expect.stringMatching(/^2 SPF records, .*merge them into one; asked/),
      null,
      expect.stringMatching(/so enter only _dmarc as the name; asked/),
      expect.stringMatching(/^mail goes elsewhere: MX 5 mail\.elsewhere\.example; asked/),
    ]);
  });

  test('gaps: bytes of DNS that no database takes are shown without them', async () => {
    const domain = await add();
    publishRecords(dns, domain);
    const dmarc = domain.records.find(({ purpose }) => purpose === 'dmarc')!;
    dns.set(dmarc.name, 'TXT', [
      [`v=DMARC1; p=none; x=\0\u202e${'🦊'.repeat(50)}`, '🦊'.repeat(60), '🦊'.repeat(60)],
    ]);
    const { status, records } = await server.client.domains.verify(domain.id);
    const found = records.find(({ purpose }) => purpose === 'dmarc')?.found ?? '';
    expect([status, /[\0\u202e]/.test(found), found.isWellFormed()]).toEqual(['verified', false, true]);
    expect(found).toContain('[U+202E]');
  });

  test('gaps: a name server that does not answer changes nothing', async () => {
    const domain = await verified();
    dns.failFor(domain.hostname, ...domain.records.map(({ name }) => name));
    const now = await server.client.domains.verify(domain.id);
    dns.failFor();
    expect([now.status, new Set(Object.values(statuses(now)))]).toEqual(['verified', new Set(['verified'])]);
  });

  test('gaps: a domain that lost a record says so, goes on sending for a day, and then answers domain_not_verified', async () => {
    const domain = await verified();
    const inbox = await server.client.inboxes.create({ local_part: 'agent', domain_id: domain.id });
    const send = () =>
      server.client.messages.send({ inbox_id: inbox.id, to: 'ada@example.com', subject: 'Hi', text: 'Hi' });
    withdrawRecords(dns, domain, ['dkim']);
    const broken = await server.client.domains.verify(domain.id);
    expect([broken.status, statuses(broken).dkim]).toEqual(['verifying', 'failed']);
    expect((await send()).delivery_status).toBe('sent');
    await catchApiError(
      server.client.inboxes.create({ local_part: 'other', domain_id: domain.id }),
      'domain_not_verified',
    );
    clock.advance(25 * hour);
    expect((await server.client.domains.verify(domain.id)).status).toBe('failed');
    await catchApiError(send(), 'domain_not_verified');
    const mail = { from: 'ada@example.com', to: inbox.address, subject: 'Still there?', text: 'Hi' };
    expect((await sendMail(server.smtpPort, mail)).accepted).toEqual([inbox.address]);
    publishRecords(dns, domain);
    expect((await server.client.domains.verify(domain.id)).status).toBe('verified');
    expect((await send()).delivery_status).toBe('sent');
  });

  test('gaps: a domain without DKIM and SPF fails at once', async () => {
    const domain = await verified();
    withdrawRecords(dns, domain, ['dkim', 'spf']);
    expect((await server.client.domains.verify(domain.id)).status).toBe('failed');
  });

  test('gaps: several that verify at once share a check', async () => {
    const domain = await add();
    publishRecords(dns, domain);
    const all = await Promise.all(Array.from({ length: 6 }, () => server.client.domains.verify(domain.id)));
    expect(new Set(all.map(({ status }) => status))).toEqual(new Set(['verified']));
  });

  test('gaps: the server looks again by itself', async () => {
    const domain = await add();
    await eventually(
      'the first look',
      async () => (await server.client.domains.get(domain.id)).records[0]?.hint,
    );
    publishRecords(dns, domain);
    clock.advance(2 * 60_000);
    await eventually(
      'the domain to be verified',
      async () => (await server.client.domains.get(domain.id)).status === 'verified',
    );
  });
});

test('Conventions not_found: nobody else sees or changes a domain', async () => {
  const domain = await add();
  const { client } = await server.workspace();
  for (const call of [
    () => client.domains.get(domain.id),
    () => client.domains.verify(domain.id),
    () => client.domains.dmarc(domain.id),
    () => client.domains.delete(domain.id),
  ])
    await catchApiError(call(), 'not_found', { param: 'id' });
  await catchApiError(client.inboxes.create({ local_part: 'a', domain_id: domain.id }), 'not_found', {
    param: 'domain_id',
  });
  expect((await client.domains.list()).domains).toEqual([]);
});

describe('DMARC', () => {
  test('Domains POST /domains/{id}/dmarc: ramps through none, quarantine and reject, one step at a time, and down at will', async () => {
    const domain = await verified();
    const set = (policy?: 'none' | 'quarantine' | 'reject') =>
      server.client.domains.dmarc(domain.id, policy ? { policy } : {});
    expect(await invalidFields(set('reject'))).toEqual(['policy']);
    for (const policy of ['quarantine', 'reject', 'reject'] as const) {
      const next = await set();
      expect(next).toMatchObject({ dmarc_policy: policy, status: 'verified' });
      expect(next.records.find(({ purpose }) => purpose === 'dmarc')?.value).toMatch(
        `v=DMARC1; p=${policy}; rua=`,
      );
      publishRecords(dns, next, ['dmarc']);
      expect(statuses(await server.client.domains.verify(domain.id)).dmarc).toBe('verified');
    }
    expect((await set('none')).dmarc_policy).toBe('none');
    expect(await invalidFields(set('reject'))).toEqual(['policy']);
  });

  test('gaps: the record waits for the new policy, and warns where it would hit the own mail', async () => {
    const domain = await verified();
    await server.client.domains.dmarc(domain.id);
    const waiting = await server.client.domains.verify(domain.id);
    expect([waiting.status, statuses(waiting).dmarc]).toEqual(['verified', 'pending']);
    publishRecords(dns, waiting, ['dmarc']);
    withdrawRecords(dns, domain, ['spf']);
    const broken = await server.client.domains.verify(domain.id);
    expect(broken.records.find(({ purpose }) => purpose === 'dmarc')?.hint).toContain(
      'warning: SPF cannot be verified now, so p=quarantine may hit your own mail',
    );
  });
});

describe('inboxes on a domain', () => {
  test('Inbox domain_id, Inbox address: are created on a verified domain only, receive, send and reply with its name', async () => {
    const pending = await add();
    const create = (id: string, local_part = 'agent') =>
      server.client.inboxes.create({ local_part, domain_id: id });
    await catchApiError(create(pending.id), 'domain_not_verified');
    const domain = await verified();
    const inbox = await create(domain.id, 'postmaster');
    expect(inbox).toMatchObject({ domain_id: domain.id, address: `postmaster@${domain.hostname}` });
    await catchApiError(create(domain.id, 'postmaster'), 'address_taken', { reason: 'taken' });
    const partner = await server.inbox();
    const sent = await server.client.messages.send({
      inbox_id: inbox.id,
      to: partner.address,
      subject: 'Hello',
      text: 'Hi',
    });
    expect(sent.message_id).toMatch(new RegExp(`@${domain.hostname}>$`));
    const { messages } = await server.client.messages.list({ inbox_id: partner.id, wait_seconds: 60 });
    const answer = await server.client.messages.reply(messages[0]!.id, { text: 'Hello back' });
    expect(answer.to_addrs).toEqual([inbox.address]);
    const [got] = (
      await server.client.messages.list({ inbox_id: inbox.id, direction: 'inbound', wait_seconds: 60 })
    ).messages;
    expect(got).toMatchObject({ subject: 'Re: Hello', thread_id: sent.thread_id });
  });

  test('Domains DELETE /domains/{id}, Interface 3 Domain: is domain_in_use while an inbox uses it, and then frees the name', async () => {
    const domain = await verified();
    const inbox = await server.client.inboxes.create({ local_part: 'agent', domain_id: domain.id });
    await catchApiError(server.client.domains.delete(domain.id), 'domain_in_use');
    await server.client.inboxes.delete(inbox.id);
    await server.client.domains.delete(domain.id);
    await catchApiError(server.client.domains.get(domain.id), 'not_found');
    const heir = await server.workspace();
    const owned = await verified(heir, domain.hostname);
    const next = await heir.client.inboxes.create({ local_part: 'agent', domain_id: owned.id });
    expect(next.address).toBe(inbox.address);
  });
});

test('Domains GET /domains: lists newest first, page by page', async () => {
  const own = await server.workspace();
  const added: Domain[] = [];
  for (let count = 0; count < 3; count++) added.push(await add(own));
  const first = await own.client.domains.list({ limit: 2 });
  const second = await own.client.domains.list({ limit: 2, cursor: first.next_cursor! });
  expect([...first.domains, ...second.domains].map(({ id }) => id)).toEqual(
    added.map(({ id }) => id).toReversed(),
  );
  expect(second.next_cursor).toBeNull();
});
