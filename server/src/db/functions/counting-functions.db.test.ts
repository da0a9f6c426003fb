import { type MailStore, openMailStore, type StoredMail } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../lib/crypto/primitives.ts';
import { newId } from '../../lib/ids.ts';

let store: MailStore;
let workspaceId: string;
let inboxId: string;

beforeAll(async () => {
  store = await openMailStore();
  workspaceId = store.workspaceId;
});
afterAll(() => store.close());

beforeEach(async () => {
  inboxId = await store.inbox();
  await store.rows('delete from send_counts');
});

const noon = Date.UTC(2026, 2, 1, 12);
const minute = (count: number) => new Date(noon + count * 60_000);
const hashes = (...ids: string[]) => JSON.stringify(ids.map((id) => sha256(id).toString('hex')));
const one = async (expression: string, values: unknown[] = []) =>
  (await store.rows<{ value: unknown }>(`select ${expression} as value`, values))[0]?.value;
const storeIn = async (mail: Omit<StoredMail, 'inboxId'>, inbox = inboxId) =>
  (await store.keep({ inboxId: inbox, ...mail })).threadId;
const count = (subject: string, at: Date, amount = 1, message = newId('msg'), owner = workspaceId) =>
  store.rows(
    'insert into send_counts (workspace_id, subject, slot, message_id, amount) values ($1, $2, $3, $4, $5)',
    [owner, subject, at, message, amount],
  );

describe('thread_by_names', () => {
  const threadBy = (names: string[], inbox = inboxId, ws = workspaceId) =>
    one('thread_by_names($1, $2, $3)', [ws, inbox, hashes(...names)]);

  test('finds the thread of the first name that is known, whatever waits for others', async () => {
    const [one, two] = [await storeIn({ own: '<one@x>' }), await storeIn({ own: '<two@x>' })];
    await storeIn({ named: ['<awaited@x>'] });
    expect(await threadBy(['<two@x>', '<one@x>'])).toBe(two);
    expect(await threadBy(['<awaited@x>', '<one@x>', '<two@x>'])).toBe(one);
  });

  test('finds the oldest thread that waits for any of the names, if none is known', async () => {
    const young = await storeIn({ named: ['<late@x>'], at: minute(2) });
    const old = await storeIn({ named: ['<later@x>'], at: minute(1) });
    expect(young).not.toBe(old);
    expect(await threadBy(['<late@x>'])).toBe(young);
    expect(await threadBy(['<late@x>', '<later@x>'])).toBe(old);
  });

  test('finds of two mails with one id the thread of the first', async () => {
    const first = await storeIn({ own: '<same@x>', at: minute(1) });
    const message = { from_addr: 'eve@stranger.example' };
    expect(await storeIn({ own: '<same@x>', at: minute(2), message })).not.toBe(first);
    expect(await threadBy(['<same@x>'])).toBe(first);
  });

  test('finds nothing without names, of another inbox, or of another workspace', async () => {
    await storeIn({ own: '<known@x>', named: ['<unknown@x>'] });
    for (const names of [['<known@x>'], ['<unknown@x>']]) {
      expect(await threadBy(names)).not.toBeNull();
      expect(await threadBy(names, await store.inbox())).toBeNull();
      expect(await threadBy(names, inboxId, newId('wsp'))).toBeNull();
    }
    expect([await threadBy([]), await threadBy(['<other@x>'])]).toEqual([null, null]);
  });
});

test('mails_since adds up what was counted after a moment for one subject of one workspace', async () => {
  const since = async (subject: string, at: Date) =>
    one('mails_since($1, $2, $3)', [workspaceId, subject, at]);
  expect(await since('key_1', minute(0))).toBe(0);
  await count('key_1', minute(0), 1);
  await count('key_1', minute(5), 2);
  await count('key_1', minute(5), 4);
  await count('key_1', minute(5), 8, '');
  await count('key_1>thr', minute(5), 16);
  await count('key_1', minute(5), 32, newId('msg'), newId('wsp'));
  expect(await since('key_1', minute(-1))).toBe(15);
  expect(await since('key_1', minute(0))).toBe(14);
  expect(await since('key_1', minute(5))).toBe(0);
});

describe('sending_counts', () => {
  interface Counts {
    thread_id: string | null;
    sent: number[];
    known: string[] | null;
  }
  const counts = async (...sends: object[]) => {
    const own = sends.map((send) => ({ workspace_id: workspaceId, inbox_id: inboxId, ...send }));
    const rows = await store.rows<{ place: number; counts: Counts }>(
      'select place, counts from sending_counts($1) order by place',
      [JSON.stringify(own)],
    );
    expect(rows.map(({ place }) => place)).toEqual(sends.map((_, index) => index + 1));
    return rows.map((row) => row.counts);
  };

  test('of nothing are nothing, and of a send that asks for nothing are empty', async () => {
    expect(await counts()).toEqual([]);
    expect(await counts({})).toEqual([{ thread_id: null, sent: [], known: null }]);
  });

  test('are of each cap in its order, in the thread and the workspace of the send', async () => {
    const thread = await storeIn({ own: '<begun@x>' });
    await count('key_1', minute(1), 2);
    await count('key_1', minute(9), 3);
    await count(`key_1>${thread}`, minute(9), 5);
    await count('key_1>', minute(9), 7);
    await count('key_1>a{thread}@x', minute(9), 11);
    const caps = [
      ['key_1>{thread}', minute(0), 100],
      ['key_1', minute(1), 100],
      ['key_1>a{thread}@x', minute(0), 100],
      ['key_1', minute(0), 100],
    ];
    const [joins, begins, byNames, other] = await counts(
      { caps, thread_id: thread, named: [] },
      { caps },
      { caps, named: JSON.parse(hashes('<unknown@x>', '<begun@x>')) },
      { caps, thread_id: thread, workspace_id: newId('wsp') },
    );
    expect(joins).toEqual({ thread_id: thread, sent: [5, 3, 11, 5], known: null });
    expect(begins).toEqual({ thread_id: null, sent: [7, 3, 11, 5], known: null });
    expect(byNames).toEqual(joins);
    expect(other?.sent).toEqual([0, 0, 0, 0]);
  });

  test('go beyond a cap as soon as it is passed, and read no more rows', async () => {
    for (let n = 0; n < 6; n++) await count('key_1', minute(n + 1));
    const [sent] = await counts({ caps: [0, 2, 5, 6, 100].map((most) => ['key_1', minute(0), most]) });
    expect(sent?.sent).toEqual([1, 3, 6, 6, 6]);
  });

  test('know those who wrote to the inbox and are proven to be the authors', async () => {
    const from = (from_addr: string, authentication: object | null, inbox = inboxId) =>
      storeIn({ message: { from_addr, authentication: authentication as never } }, inbox);
    const pass = { dmarc: 'pass', verified_domain: 'x.example' };
    await from('Pass@x.example', pass);
    await from('own@postrider.test', null);
    await from('fail@x.example', { ...pass, dmarc: 'fail' });
    await from('sub@sub.x.example', pass);
    await from('later@x.example', { ...pass, dmarc: 'fail' });
    await from('later@x.example', pass);
    await from('elsewhere@x.example', pass, await store.inbox());
    await storeIn({ message: { from_addr: 'sent@x.example' }, recipients: ['asked@x.example'] });
    const addresses = ['PASS@x.example', 'own@postrider.test', 'fail@x.example', 'sub@sub.x.example'].concat([
      'later@x.example',
      'elsewhere@x.example',
      'sent@x.example',
      'asked@x.example',
    ]);
    const asked = { asks_known: true, addresses };
    const [known, unasked, none, other] = await counts(
      asked,
      { addresses },
      { asks_known: true, addresses: [] },
      { ...asked, workspace_id: newId('wsp') },
    );
    expect(known?.known).toEqual(['PASS@x.example', 'own@postrider.test', 'later@x.example']);
    expect([unasked?.known, none?.known, other?.known]).toEqual([null, [], []]);
  });
});
