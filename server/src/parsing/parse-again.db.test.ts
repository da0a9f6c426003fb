import { bounceFixtures, readBounces } from '@postrider/testkit/mail/bounce-corpus.ts';
import { fixturesFolder, readMails } from '@postrider/testkit/mail/mail-corpus.ts';
import { failingDns, mailFrom, makeDns, signedZone, signMail } from '@postrider/testkit/mail/signed-mail.ts';
import { makeTakingInbox } from '@postrider/testkit/servers/taking-inbox.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { newArrival } from '../inbound/arrival.ts';
import { receive as receiveArrival } from '../inbound/receive.ts';
import type { InboxAddress } from '../inboxes/find-inbox.ts';
import { createTimeScale } from '../lib/clock.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import type { DnsResolve } from '../mail/authenticate/ask-dns.ts';
import { createMailAuthenticator } from '../mail/authenticate/authenticate-mail.ts';
import { createMailParser } from '../mail/parse/parse-pool.ts';
import { claimMessage, claimNext, isQueued, putBack } from './claim-unparsed.ts';
import { parseAgain, requireParsed } from './parse-again.ts';

/** A server that takes mail only by `receive`, and parses it again only by `parseAll`. */
let server: TestServer;
let deps: Deps;
/** It parses nothing, as one that does not get to a mail. */
const closed = createMailParser();

beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
  deps = server.server.deps;
  await closed.close();
});
afterAll(() => server.stop());

const inboxOf = (owner: TestWorkspace = server): Promise<InboxAddress> =>
  makeTakingInbox({ ...server, inbox: () => server.inbox(owner) });

/** Receives a mail that no parser gets to, unless `patience` says otherwise. Returns the id of its message. */
const receive = async (
  inbox: InboxAddress,
  raw: Buffer | string,
  patience: Partial<Deps> = { parser: closed },
  remoteAddress: string | null = null,
): Promise<string> => {
  const arrival = newArrival({
    raw: Buffer.from(raw),
    client: remoteAddress === null ? null : { id: 'session', remoteAddress, helo: null },
    envelopeFrom: 'ada@remote.example',
    recipients: [{ address: inbox.address, tag: inbox }],
  });
  await receiveArrival({ ...deps, ...patience }, arrival, null);
  return arrival.settled[0]?.messageId ?? '';
};

const parseAll = async (): Promise<void> => {
  for (let next = await claimNext(deps, ''); next; next = await claimNext(deps, ''))
    await parseAgain(deps, next);
};

const changesOf = (id: string) =>
  server.rows<{ changed: string[] }>(
    `select extra->'changed' as changed from events where message_id = $1 and event = 'message.updated' order by insertion`,
    [id],
  );

const mailOf = (...lines: string[]) => `From: Ada <ada@remote.example>\r\n${lines.join('\r\n')}\r\n`;
const withFile = (id: string) =>
  mailOf(
    `Message-ID: <${id}@remote.example>`,
    'Subject: The plan',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    'See the file.',
    '--b',
    'Content-Type: application/pdf; name=plan.pdf',
    'Content-Disposition: attachment; filename=plan.pdf',
    '',
    'x'.repeat(1_000),
    '--b--',
  );

/** Everything that a workspace has of its mail, with names instead of ids. */
const stateOf = async ({ id: workspaceId }: TestWorkspace, inbox: InboxAddress, messages: string[]) => {
  const select = (columns: string, table: string) =>
    server.rows(`select ${columns} from ${table} where workspace_id = $1 order by 1, 2`, [workspaceId]);
  const state = {
    messages: await select(
      "id, to_jsonb(t) - '{terms}'::text[] || jsonb_build_object('terms', array(select unnest(terms) order by 1)) as m",
      'messages t',
    ),
    terms: await select('message_id, term', 'message_terms'),
    attachments: await select("message_id, position, to_jsonb(t) - '{id}'::text[] as a", 'attachments t'),
    threads: await select('id, to_jsonb(t) as t', 'threads t'),
    // A mail without a Message-ID has one of its own.
    ids: await select('message_id, inbox_id', 'message_ids'),
    usage: await server.rows(
      "select kind, sum(amount) from usage_ledger where workspace_id = $1 and kind like '%bytes' group by 1 order by 1",
      [workspaceId],
    ),
    unparsed: await select('message_id, attempts', 'unparsed_messages'),
  };
  const threads = state.threads.map((row) => String(row.id));
  const names = [workspaceId, inbox.inboxId, inbox.address, ...messages, ...threads];
  return JSON.parse(
    names.reduce((text, name, index) => text.replaceAll(name, `name-${index}`), JSON.stringify(state)),
  ) as Record<string, Record<string, unknown>[]>;
};

test('a mail that is parsed later has everything that it would have at once', async () => {
  const mails = [...readMails(fixturesFolder), ...readBounces(bounceFixtures)];
  expect(mails.length).toBeGreaterThan(19);
  const [atOnce, later] = [await server.workspace(), await server.workspace()];
  const inboxes = [await inboxOf(atOnce), await inboxOf(later)] as const;
  const moment = new Date(deps.clock.now().getTime() - 60_000);
  const clock = { ...deps.clock, now: () => new Date(moment) };
  const [now, then]: [string[], string[]] = [[], []];
  for (const { raw } of mails) {
    moment.setSeconds(moment.getSeconds() + 1);
    now.push(await receive(inboxes[0], raw, { clock }));
    then.push(await receive(inboxes[1], raw, { clock, parser: closed }));
  }
  for (const id of then) {
    const message = await later.client.messages.get(id);
    expect(message).toMatchObject({ body_text: null, body_html: null, attachments: [] });
    expect(message.truncated).toEqual(['body_text', 'attachments']);
  }
  await parseAll();
  const expected = await stateOf(atOnce, inboxes[0], now);
  expect(expected.attachments?.length).toBeGreaterThan(5);
  expect(await stateOf(later, inboxes[1], then)).toEqual(expected);
  for (const [index, id] of then.entries()) {
    expect([mails[index]?.file, await changesOf(id)]).toEqual([
      mails[index]?.file,
      [{ changed: expect.arrayContaining(['body_text', 'attachments']) }],
    ]);
    expect(await changesOf(now[index] ?? '')).toEqual([]);
  }
});

test('a mail that takes too much by itself says so once, and is not tried again', async () => {
  const inbox = await inboxOf();
  const long = mailOf('Subject: Long', '', 'word '.repeat(200_000));
  const parser = createMailParser({ workers: 1, processorMs: 1 });
  try {
    const atOnce = await receive(inbox, long, { parser });
    const later = await receive(inbox, long.replace('Long', 'Long, too'));
    for (let next = await claimNext(deps, ''); next; next = await claimNext(deps, ''))
      await parseAgain({ ...deps, parser }, next);
    for (const id of [atOnce, later]) {
      const { body_text, truncated } = await server.client.messages.get(id);
      expect([body_text, truncated]).toEqual([null, ['body_text', 'attachments']]);
      expect(await changesOf(id)).toEqual([{ changed: [] }]);
      expect(await isQueued({ ...deps, workspaceId: server.id }, id)).toBe(false);
    }
  } finally {
    await parser.close();
  }
});

test('a mail that a busy parser does not get to is stored with its header, and parsed once there is time', async () => {
  const inbox = await inboxOf();
  const parser = createMailParser({ workers: 1 });
  try {
    const busy = Array.from({ length: 4 }, () =>
      parser.parse(Buffer.from(mailOf('', 'word '.repeat(2_000_000)))),
    );
    const id = await receive(inbox, withFile('waits'), { parser, parsePatienceMs: 1 });
    expect((await server.client.messages.get(id)).truncated).toEqual(['body_text', 'attachments']);
    const claimed = await claimMessage({ ...deps, workspaceId: server.id }, id);
    if (!claimed) throw new Error('It is due.');
    await parseAgain({ ...deps, parser }, claimed, 1);
    expect(await isQueued({ ...deps, workspaceId: server.id }, id)).toBe(true);
    await Promise.all(busy);
  } finally {
    await parser.close();
  }
  await server.rows('update unparsed_messages set due_at = $1', [deps.clock.now()]);
  await parseAll();
  expect(
    (await server.client.messages.list({ inbox_id: inbox.inboxId, has_attachment: true })).messages,
  ).toHaveLength(1);
});

test('what was changed or deleted meanwhile stays so', async () => {
  const inbox = await inboxOf();
  const [kept, deleted] = [await receive(inbox, withFile('kept')), await receive(inbox, withFile('deleted'))];
  const claimed = await claimMessage({ ...deps, workspaceId: server.id }, deleted);
  const { client } = server;
  await client.messages.update(kept, { read: true, add_labels: ['seen'], metadata: { a: 'b' } });
  await client.messages.delete(deleted);
  if (claimed) await parseAgain(deps, claimed);
  await parseAll();
  const message = await client.messages.get(kept);
  expect(message).toMatchObject({ read: true, metadata: { a: 'b' }, body_text: 'See the file.' });
  expect(message.labels.map(({ name }) => name)).toEqual(['seen']);
  expect(message.attachments.map(({ filename, size_bytes }) => [filename, size_bytes])).toEqual([
    ['plan.pdf', 1_000],
  ]);
  await expect(client.messages.get(deleted)).rejects.toMatchObject({ status: 404 });
  expect(await server.rows('select from attachments where message_id = $1', [deleted])).toEqual([]);
});

test('mail of an inbox that is deleted meanwhile leaves nothing', async () => {
  const inbox = await inboxOf();
  const id = await receive(inbox, withFile('gone'));
  await server.client.inboxes.delete(inbox.inboxId);
  await parseAll();
  expect(await isQueued({ ...deps, workspaceId: server.id }, id)).toBe(false);
  expect(await server.rows('select from attachments where message_id = $1', [id])).toEqual([]);
});

test('the event names the thread into which the message was merged meanwhile', async () => {
  const inbox = await inboxOf();
  const reply = (id: string) =>
    mailOf(`Message-ID: <${id}@x.example>`, 'In-Reply-To: <first@x.example>', '', id);
  const [one, other] = [await receive(inbox, reply('one')), await receive(inbox, reply('other'))];
  const late = await receive(
    inbox,
    mailOf('Message-ID: <late@x.example>', 'In-Reply-To: <second@x.example>', '', 'x'),
  );
  await receive(inbox, mailOf('Message-ID: <second@x.example>', 'References: <first@x.example>', '', 'x'));
  await receive(inbox, mailOf('Message-ID: <first@x.example>', '', 'x'));
  await parseAll();
  const threads = await Promise.all(
    [one, other, late].map(async (id) => (await server.client.messages.get(id)).thread_id),
  );
  expect(new Set(threads).size).toBe(1);
  const named = await server.rows<{ thread_id: string }>(
    "select distinct thread_id from events where event = 'message.updated' and message_id = any($1)",
    [[one, other, late]],
  );
  expect(named).toEqual([{ thread_id: threads[0] }]);
});

test('two processes that parse a mail at once store it once', async () => {
  const inbox = await inboxOf();
  const id = await receive(inbox, withFile('twice'));
  const claimed = await claimMessage({ ...deps, workspaceId: server.id }, id);
  if (!claimed) throw new Error('It is due.');
  await Promise.all([parseAgain(deps, claimed), parseAgain(deps, claimed)]);
  expect(await changesOf(id)).toHaveLength(1);
  expect(await server.rows('select from attachments where message_id = $1', [id])).toHaveLength(1);
});

test('a mail whose parser ends again and again is given up, and a busy machine is no reason for that', async () => {
  const inbox = await inboxOf();
  const ctx = { ...deps, workspaceId: server.id };
  const [patient, deadly] = [
    await receive(inbox, withFile('patient')),
    await receive(inbox, withFile('deadly')),
  ];
  for (let busy = 0; busy < 20; busy++) {
    const claimed = await claimMessage(ctx, patient);
    if (claimed) await putBack(deps, claimed, { isAttempt: false, isDueNow: true });
  }
  for (let crash = 0; crash < 5; crash++) {
    expect(await claimMessage(ctx, deadly)).not.toBeNull();
    await server.rows('update unparsed_messages set due_at = $2 where message_id = $1', [
      deadly,
      deps.clock.now(),
    ]);
  }
  await parseAll();
  expect((await server.client.messages.get(patient)).body_text).toBe('See the file.');
  expect((await server.client.messages.get(deadly)).truncated).toEqual(['body_text', 'attachments']);
  expect(await changesOf(deadly)).toEqual([{ changed: [] }]);
});

test('a forward takes the text and the files of a mail that was not parsed yet', async () => {
  const inbox = await inboxOf();
  const id = await receive(inbox, withFile('forwarded'));
  const sent = await server.client.messages.forward(id, { to: ['bob@remote.example'] });
  expect(sent.attachments.map(({ filename }) => filename)).toEqual(['plan.pdf']);
  expect(sent.body_text).toContain('See the file.');
  expect(await changesOf(id)).toHaveLength(1);
});

test('a mail that cannot be parsed is forwarded without its files only if that is asked for', async () => {
  const inbox = await inboxOf();
  const parser = createMailParser({ workers: 1, processorMs: 1 });
  const id = await receive(inbox, mailOf('', 'word '.repeat(200_000)), { parser }).finally(() =>
    parser.close(),
  );
  const { messages } = server.client;
  const to = ['bob@remote.example'];
  await expect(messages.forward(id, { to })).rejects.toMatchObject({
    status: 400,
    issues: [{ path: 'include_attachments' }],
  });
  expect((await messages.forward(id, { to, include_attachments: false })).attachments).toEqual([]);
});

test('a request that needs a mail which another process does not get to is told to try again', async () => {
  const inbox = await inboxOf();
  const id = await receive(inbox, withFile('elsewhere'));
  const ctx = { ...deps, workspaceId: server.id, scope: wholeWorkspace };
  const claimed = await claimMessage(ctx, id);
  await expect(requireParsed({ ...ctx, timeScale: createTimeScale(100) }, id)).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'retry-after': '5' },
  });
  if (claimed) await putBack(deps, claimed, { isAttempt: false, isDueNow: true });
  expect((await requireParsed(ctx, id)).body_text).toBe('See the file.');
});

test('a sender whose proof could not be had at first is proven later, and nothing else is concluded', async () => {
  const inbox = await inboxOf();
  const by = (resolve: DnsResolve) => ({
    authenticator: createMailAuthenticator({ resolve, parser: deps.parser, hostname: 'mx.postrider.test' }),
  });
  const signed = await signMail(mailFrom('ada@example.com'), 'example.com');
  const silent = { ...by(failingDns('ETIMEOUT')), parser: closed };
  const withoutKey = makeDns({ 'TXT _dmarc.example.com': ['v=DMARC1; p=reject'] });
  for (const [dns, proven] of [
    [signedZone, 'example.com'],
    [withoutKey, null],
  ] as const) {
    const id = await receive(inbox, `X-Copy: ${proven}\r\n${signed}`, silent, '198.51.100.9');
    const before = (await server.client.messages.get(id)).authentication;
    expect(before).toMatchObject({ dkim: 'temperror', verified_domain: null });
    const claimed = await claimMessage({ ...deps, workspaceId: server.id }, id);
    if (claimed) await parseAgain({ ...deps, ...by(dns) }, claimed);
    const { authentication } = await server.client.messages.get(id);
    if (proven === null) expect(authentication).toEqual(before);
    else expect(authentication).toMatchObject({ dmarc: 'pass', verified_domain: proven });
    expect((await changesOf(id))[0]?.changed.includes('authentication')).toBe(proven !== null);
  }
});
