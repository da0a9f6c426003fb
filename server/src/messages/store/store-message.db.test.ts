import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../lib/crypto/primitives.ts';
import { newId } from '../../lib/ids.ts';
import { wholeWorkspace } from '../../lib/scope.ts';
import { getThread } from '../find-message.ts';
import type { StoreOutcome } from './message-record.ts';

let store: MailStore;
let inboxId: string;

beforeAll(async () => {
  store = await openMailStore(20);
});

afterAll(() => store.close());

beforeEach(async () => {
  inboxId = await store.inbox();
});

const stored = (outcome: StoreOutcome) => {
  if (outcome.outcome !== 'stored') throw new Error(`The mail was not stored: ${outcome.outcome}`);
  return outcome;
};

const storeIn = async (mail: Omit<Parameters<MailStore['store']>[0], 'inboxId'>) =>
  stored(await store.store({ inboxId, ...mail }));

const count = async (table: string, where = 'inbox_id = $1', value: unknown = inboxId): Promise<number> => {
  const [row] = await store.rows<{ count: number }>(
    `select count(*)::int as count from ${table} where ${where}`,
    [value],
  );
  return row?.count ?? -1;
};

const hour = 3_600_000;
const noon = new Date('2026-03-01T12:00:00.000Z');
const later = (ms: number) => new Date(noon.getTime() + ms);

describe('threads of stored mail', () => {
  test('a mail that names two threads goes into the first of them and merges nothing', async () => {
    const one = await storeIn({ own: '<one@x>' });
    const two = await storeIn({ own: '<two@x>' });
    const both = await storeIn({ own: '<both@x>', named: ['<two@x>', '<one@x>'] });
    expect(both.threadId).toBe(two.threadId);
    expect(one.threadId).not.toBe(two.threadId);
    expect(await count('threads')).toBe(2);
  });

  test('the thread that was begun first survives a merge, and the id of the younger answers with it', async () => {
    const younger = await storeIn({ own: '<young@x>', named: ['<late@x>'], at: later(hour) });
    const older = await storeIn({ own: '<old@x>', named: ['<late@x>'], at: noon });
    const late = await storeIn({ own: '<late@x>', at: later(2 * hour) });
    expect(late.threadId).toBe(older.threadId);
    const ctx = { db: store.deps.db, workspaceId: store.workspaceId, scope: wholeWorkspace };
    const answer = await getThread(ctx, younger.threadId);
    expect(answer).toMatchObject({ id: older.threadId, message_count: 3, last_message_at: later(2 * hour) });
    expect(await count('threads')).toBe(1);
  });

  test('an id goes on answering when its thread was merged twice', async () => {
    const [third, second, first] = [
      await storeIn({ named: ['<b@x>'], at: later(3) }),
      await storeIn({ named: ['<b@x>', '<a@x>'], at: later(2) }),
      await storeIn({ named: ['<a@x>'], at: later(1) }),
    ];
    await storeIn({ own: '<b@x>', at: later(4) });
    await storeIn({ own: '<a@x>', at: later(5) });
    const ctx = { db: store.deps.db, workspaceId: store.workspaceId, scope: wholeWorkspace };
    for (const { threadId } of [first, second, third])
      expect((await getThread(ctx, threadId)).id).toBe(first.threadId);
    const answer = await storeIn({ record: { threadId: third.threadId } });
    expect(answer.threadId).toBe(first.threadId);
  });

  test('one id of all mails of a program joins the conversation of the same sender only', async () => {
    const from = (name: string, more: object = {}) => ({
      own: '<same@app>',
      message: { from_addr: `${name}@x.example` },
      ...more,
    });
    const ada = await storeIn(from('ada'));
    const bob = await storeIn(from('bob'));
    const again = await Promise.all([storeIn(from('ada')), storeIn(from('bob'))]);
    expect(bob.threadId).not.toBe(ada.threadId);
    expect(again.map(({ threadId }) => threadId)).toEqual([ada.threadId, bob.threadId]);
    const answers = (name: string) => storeIn(from(name, { own: `<${name}@y>`, named: ['<same@app>'] }));
    expect((await answers('bob')).threadId).toBe(bob.threadId);
    expect([ada.threadId, bob.threadId]).not.toContain((await answers('eve')).threadId);
  });

  test('one id of several mails that are stored together joins the same sender only', async () => {
    const mails = ['ada', 'bob', 'ada', 'bob'].map((name) => ({
      inboxId,
      own: '<same@app>',
      message: { from_addr: `${name}@x.example` },
    }));
    const threads = (await store.storeBatch(mails)).map((outcome) => stored(outcome).threadId);
    expect(threads.slice(2)).toEqual(threads.slice(0, 2));
    expect(threads[1]).not.toBe(threads[0]);
  });

  test('a copy of a mail that comes from a list joins it, and so does a mail of the inbox that comes back', async () => {
    const message = { from_addr: 'ada@x.example' };
    const record = { participants: ['ada@x.example', 'list@lists.example'] };
    const first = await storeIn({ own: '<first@x>', message, record });
    const copy = await storeIn({ own: '<first@x>', message: { from_addr: 'list@lists.example' } });
    const sent = await storeIn({ own: '<sent@x>', recipients: ['bob@y.example'] });
    const back = await storeIn({ own: '<sent@x>', message: { from_addr: 'forwarder@z.example' } });
    expect([copy.threadId, back.threadId]).toEqual([first.threadId, sent.threadId]);
  });

  test('20 unknown ids of a mail are awaited, those that it names best', async () => {
    await storeIn({ own: '<known@x>' });
    const unknown = Array.from({ length: 25 }, (_, index) => `<unknown-${index}@x>`);
    const mail = await storeIn({ named: ['<known@x>', ...unknown] });
    expect(await count('awaited_ids')).toBe(20);
    expect((await storeIn({ own: unknown[19] ?? '' })).threadId).toBe(mail.threadId);
    expect((await storeIn({ own: unknown[20] ?? '' })).threadId).not.toBe(mail.threadId);
  });

  test('another mail with the same Message-ID is a message of the same thread', async () => {
    const first = await storeIn({ own: '<same@x>' });
    const second = await storeIn({ own: '<same@x>' });
    expect(second.threadId).toBe(first.threadId);
    expect(second.messageId).not.toBe(first.messageId);
  });

  test('a mail that names itself waits for nothing', async () => {
    await storeIn({ own: '<self@x>', named: ['<self@x>'] });
    expect(await count('awaited_ids')).toBe(0);
  });

  test('inboxes share no threads, even for the same mail', async () => {
    const here = await storeIn({ own: '<shared@x>' });
    const other = await store.inbox();
    const there = stored(await store.store({ inboxId: other, named: ['<shared@x>'] }));
    expect(there.threadId).not.toBe(here.threadId);
  });
});

describe('a client_id', () => {
  const withClient = (at: Date) => ({
    at,
    recipients: ['to@example.com'],
    record: { client: { clientId: `job-${inboxId}`, expiresAt: later(24 * hour) } },
  });

  test('of 20 that race exactly one is stored, and the others learn its id', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => store.store({ inboxId, ...withClient(noon) })),
    );
    const first = outcomes.filter((outcome) => outcome.outcome === 'stored').map(stored);
    expect(first).toHaveLength(1);
    const repeated = outcomes.filter((outcome) => outcome.outcome === 'repeated');
    expect(new Set(repeated.map(({ messageId }) => messageId))).toEqual(new Set([first[0]?.messageId]));
    expect([await count('messages'), await count('message_recipients')]).toEqual([1, 1]);
  });

  test('stands for its message until its window ends, and is free from that moment on', async () => {
    const first = await storeIn(withClient(noon));
    const at = (ms: number) => store.store({ inboxId, ...withClient(later(ms)) });
    expect(await at(24 * hour - 1)).toEqual({ outcome: 'repeated', messageId: first.messageId });
    expect(await at(24 * hour)).toMatchObject({ outcome: 'stored' });
  });

  test('is not reserved by a mail that could not be stored', async () => {
    const mail = withClient(noon);
    const refused = store.store({ inboxId, ...mail, message: { subject: 'a\0b' } });
    await expect(refused).rejects.toMatchObject({ code: '22P05' });
    await storeIn(mail);
  });
});

describe('a fingerprint', () => {
  const withFingerprint = (at: Date) => ({
    at,
    record: { fingerprint: { hash: sha256(inboxId), expiresAt: later(72 * hour) } },
  });

  test('of 20 redeliveries that race exactly one is stored, and the others learn its id', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => store.store({ inboxId, ...withFingerprint(noon) })),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'stored')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'repeated')).toHaveLength(19);
    expect(await count('messages')).toBe(1);
  });

  test('is known for its window and for its inbox', async () => {
    await storeIn(withFingerprint(noon));
    const at = (ms: number) => store.store({ inboxId, ...withFingerprint(later(ms)) });
    expect((await at(72 * hour - 1)).outcome).toBe('repeated');
    expect((await at(72 * hour)).outcome).toBe('stored');
    const elsewhere = await store.store({ inboxId: await store.inbox(), ...withFingerprint(noon) });
    expect(elsewhere.outcome).toBe('stored');
  });
});

describe('what is stored with a mail', () => {
  test('all of it is there, or nothing', async () => {
    const id = newId('msg');
    const parts = {
      usage: [{ kind: 'emails' as const, amount: 1 }],
      events: [{ id: newId('evt'), event: 'message.received' as const, extra: { n: 1 } }],
    };
    const mail = { message: { id }, recipients: ['a@example.com', 'b@example.com'], record: parts };
    const broken = { ...mail, record: { ...parts, events: [...parts.events, ...parts.events] } };
    await expect(storeIn(broken)).rejects.toMatchObject({ code: '23505' });
    for (const table of ['messages', 'threads', 'message_ids', 'message_recipients', 'events'])
      expect([table, await count(table)]).toEqual([table, 0]);
    await storeIn(mail);
    expect(await count('message_recipients', 'message_id = $1', id)).toBe(2);
    expect(await count('events', 'message_id = $1 and position is null and extra = \'{"n": 1}\'', id)).toBe(
      1,
    );
    expect(await count('usage_ledger', "workspace_id = $1 and kind = 'emails'", store.workspaceId)).toBe(1);
  });

  test('an inbox that is deleted or unknown stores nothing', async () => {
    await store.rows('update inboxes set deleted_at = now() where id = $1', [inboxId]);
    expect(await store.store({ inboxId })).toMatchObject({ outcome: 'inbox_gone' });
    expect(await store.store({ inboxId: newId('inb') })).toMatchObject({ outcome: 'inbox_gone' });
    expect(await count('messages')).toBe(0);
  });
});
