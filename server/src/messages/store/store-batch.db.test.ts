import { type MailStore, openMailStore, type StoredMail } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sha256 } from '../../lib/crypto/primitives.ts';
import { newId } from '../../lib/ids.ts';

let store: MailStore;
let inboxId: string;

beforeAll(async () => {
  store = await openMailStore();
});

afterAll(() => store.close());

beforeEach(async () => {
  inboxId = await store.inbox();
});

const hour = 3_600_000;
const noon = new Date('2026-03-01T12:00:00.000Z');
const later = (ms: number) => new Date(noon.getTime() + ms);

const withFingerprint = (name: string, at = noon): StoredMail => ({
  inboxId,
  at,
  record: { fingerprint: { hash: sha256(`${inboxId} ${name}`), expiresAt: later(hour) } },
});

const withClient = (clientId: string, at = noon): StoredMail => ({
  inboxId,
  at,
  recipients: ['to@example.com'],
  record: { client: { clientId: `${inboxId} ${clientId}`, expiresAt: later(hour) } },
});

const subjects = () =>
  store.rows<{ subject: string }>('select subject from messages where inbox_id = $1 order by subject', [
    inboxId,
  ]);

test('a batch of nothing is nothing', async () => {
  expect(await store.storeBatch([])).toEqual([]);
});

test.each([
  ['redeliveries of one mail', withFingerprint],
  ['mails with one client_id', withClient],
])('of %s in a batch the first is stored, and the others learn its id', async (_, mailOf) => {
  const same = () => ({ ...mailOf('same'), message: { id: newId('msg') } });
  const [other, first, second, third] = await store.storeBatch([mailOf('other'), same(), same(), same()]);
  expect([other, first]).toMatchObject([{ outcome: 'stored' }, { outcome: 'stored' }]);
  if (first?.outcome !== 'stored') throw new Error('The first was not stored.');
  const repeated = { outcome: 'repeated', messageId: first.messageId };
  expect([second, third]).toEqual([repeated, repeated]);
  expect(await store.storeBatch([same(), mailOf('new')])).toMatchObject([repeated, { outcome: 'stored' }]);
  expect(await store.storeBatch([mailOf('same', later(hour)), mailOf('last')])).toMatchObject([
    { outcome: 'stored' },
    { outcome: 'stored' },
  ]);
  expect(await subjects()).toHaveLength(5);
});

test('each mail of a batch has its own bodies and bytes, whoever of the others is not stored or answers another', async () => {
  await store.storeBatch([withFingerprint('known')]);
  const mails: StoredMail[] = Array.from({ length: 12 }, (_, index) => ({
    ...(index % 4 === 1 ? withFingerprint('known') : { inboxId }),
    ...(index % 4 === 2 && { named: ['<unknown@x>'] }),
    ...(index % 3 !== 1 && { original: Buffer.from(`bytes ${index}`) }),
    message: {
      id: newId('msg'),
      subject: `${index}`,
      body_text: index % 5 === 3 ? null : `text ${index}`,
      body_html: index % 2 === 0 ? null : `html ${index}`,
      extracted_text: index % 7 === 0 ? null : `extract ${index}`,
    },
  }));
  await store.storeBatch(mails);
  const rows = await store.rows(
    `select m.id, m.subject, body_text, body_html, extracted_text, raw
      from messages m left join originals o on o.workspace_id = m.workspace_id and o.message_id = m.id
      where m.inbox_id = $1 and m.id = any($2) order by m.id`,
    [inboxId, mails.map(({ message }) => message?.id)],
  );
  const expected = mails
    .filter((_, index) => index % 4 !== 1)
    .map(({ message, original }) => ({ ...message, raw: original ?? null }));
  expect(rows).toEqual(expected);
});

test('of a reply and a mail with one client_id the first is stored, whichever it is', async () => {
  const reply = { ...withClient('mixed'), named: ['<unknown@x>'] };
  const mail = withClient('mixed');
  expect(await store.storeBatch([reply, mail])).toMatchObject([
    { outcome: 'stored' },
    { outcome: 'repeated' },
  ]);
});

test('a mail is waited for by those before it in its batch, also where they are told their thread', async () => {
  const begun = await store.store({ inboxId, own: '<begun@x>' });
  if (begun.outcome !== 'stored') throw new Error('The first was not stored.');
  const outcomes = await store.storeBatch([
    { inboxId, own: '<told@x>', named: ['<late@x>'], record: { threadId: begun.threadId } },
    { inboxId, own: '<late@x>' },
    { inboxId, own: '<alone@x>' },
  ]);
  const { threadId } = begun;
  expect(outcomes).toMatchObject([{ threadId }, { threadId }, { outcome: 'stored' }]);
  expect(outcomes[2]).not.toMatchObject({ threadId });
});

test('a batch is for several inboxes, of which one may be gone', async () => {
  const [gone, other] = [await store.inbox(), await store.inbox()];
  await store.rows('update inboxes set deleted_at = now() where id = $1', [gone]);
  const outcomes = await store.storeBatch([
    { inboxId, own: '<one@x>' },
    { inboxId: gone, own: '<two@x>' },
    { inboxId: other, own: '<one@x>' },
    { inboxId: gone, own: '<three@x>', named: ['<two@x>'] },
  ]);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored', 'inbox_gone', 'stored', 'inbox_gone']);
  const [here, , there] = outcomes;
  expect(here).not.toMatchObject({ threadId: (there as { threadId: string }).threadId });
  expect(await store.rows('select from messages where inbox_id = $1', [gone])).toHaveLength(0);
});

test('events are inserted in the order of their mails, and of each mail in theirs', async () => {
  const events = [0, 1, 2, 3].map(() => [newId('evt'), newId('evt')]);
  const record = (index: number) => ({
    events: events[index]!.map((id) => ({ id, event: 'message.received' as const, extra: {} })),
  });
  await store.storeBatch([
    { inboxId, own: '<answer@x>', named: ['<root@x>'], record: record(0) },
    { inboxId, own: '<root@x>', record: record(1) },
    { inboxId, own: '<child@x>', named: ['<answer@x>'], record: record(2) },
    { inboxId, own: '<alone@x>', record: record(3) },
  ]);
  const rows = await store.rows<{ id: string; thread_id: string }>(
    'select id, thread_id from events where inbox_id = $1 order by insertion',
    [inboxId],
  );
  expect(rows.map(({ id }) => id)).toEqual(events.flat());
  const [answer, , root, , child, , alone] = rows.map((row) => row.thread_id);
  expect([answer, child]).toEqual([root, root]);
  expect(alone).not.toBe(root);
});

test('of a batch that fails nothing is there, and its client_ids are free', async () => {
  const [good, bad] = [withClient('good'), { ...withClient('bad'), message: { subject: 'a\0b' } }];
  await expect(store.storeBatch([good, bad])).rejects.toMatchObject({ code: '22P05' });
  for (const table of ['messages', 'threads', 'message_ids', 'message_recipients'])
    expect([table, await store.rows(`select from ${table} where inbox_id = $1`, [inboxId])]).toEqual([
      table,
      [],
    ]);
  expect(await store.storeBatch([good, withClient('bad')])).toMatchObject([
    { outcome: 'stored' },
    { outcome: 'stored' },
  ]);
});

test('two batches that meet in their ids, in opposite orders, are both stored', async () => {
  const mails = Array.from({ length: 20 }, (_, index) => ({ inboxId, own: `<${index}@both>` }));
  const batches = [mails, mails.toReversed(), mails, mails.toReversed()];
  const outcomes = await Promise.all(batches.map((batch) => store.storeBatch(batch)));
  expect(outcomes.flat().every(({ outcome }) => outcome === 'stored')).toBe(true);
  const threads = await store.rows<{ message_count: number }>(
    'select message_count from threads where inbox_id = $1',
    [inboxId],
  );
  expect(threads).toEqual(mails.map(() => ({ message_count: batches.length })));
});
