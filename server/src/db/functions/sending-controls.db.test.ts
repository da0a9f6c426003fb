import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../lib/ids.ts';

let store: MailStore;
let workspaceId: string;
let inboxId: string;

beforeAll(async () => {
  store = await openMailStore();
  workspaceId = store.workspaceId;
  await store.rows(`insert into instance (one, secret_id, sending_version) values (true, 'secret', 3)`);
});
afterAll(() => store.close());

beforeEach(async () => {
  inboxId = await store.inbox();
  await store.rows('delete from pauses');
  await store.rows('delete from policies');
});

const one = async (expression: string, values: unknown[] = []) =>
  (await store.rows<{ value: unknown }>(`select ${expression} as value`, values))[0]?.value;
const pause = (level: string, subject: string) =>
  store.rows('insert into pauses (level, subject_id, paused_at) values ($1, $2, now())', [level, subject]);

describe('the controls of find_senders', () => {
  const controls = async (request: object = {}) =>
    (await one('(select controls from find_senders($1))', [
      JSON.stringify([{ workspace_id: workspaceId, inbox_id: inboxId, keys: [], ...request }]),
    ])) as { policies: { subject: string }[]; key: unknown; paused: string | null };
  const policy = (level: string, subject: string, lines: object, owner = workspaceId) =>
    store.rows(
      'insert into policies (workspace_id, level, subject_id, lines, updated_at) values ($1, $2, $3, $4, now())',
      [owner, level, subject, lines],
    );

  test('of a place where nothing is set are the version and the disclosure', async () => {
    const nothing = { version: '3.0', paused: null, key: null, policies: [], disclosure: 'none' };
    expect(await controls()).toEqual(nothing);
    expect(await controls({ keys: undefined, inbox_id: null })).toEqual(nothing);
    expect(await one('sending_version($1)', [workspaceId])).toBe(nothing.version);
    const unknown = { ...nothing, version: null, disclosure: null };
    expect(await controls({ workspace_id: newId('wsp') })).toEqual(unknown);
  });

  test('have the policies of the workspace, the inbox and all keys, and of no other place', async () => {
    const [key, writer, other] = [newId('key'), newId('key'), newId('wsp')];
    await policy('workspace', workspaceId, { per_day: 1 });
    await policy('inbox', inboxId, { per_hour: 2 });
    await policy('key', key, { sending: 'approve' });
    await policy('key', writer, { recipients_max: 3 });
    await policy('inbox', await store.inbox(), {});
    await policy('key', newId('key'), {});
    await policy('key', inboxId, {});
    await policy('workspace', other, {}, other);
    await policy('inbox', inboxId, {}, other);
    await policy('key', key, {}, other);
    const { policies } = await controls({ keys: [key, writer] });
    expect(policies.toSorted((a, b) => a.subject.localeCompare(b.subject))).toEqual(
      [
        { level: 'workspace', subject: workspaceId, lines: { per_day: 1 } },
        { level: 'inbox', subject: inboxId, lines: { per_hour: 2 } },
        { level: 'key', subject: key, lines: { sending: 'approve' } },
        { level: 'key', subject: writer, lines: { recipients_max: 3 } },
      ].toSorted((a, b) => a.subject.localeCompare(b.subject)),
    );
  });

  test('have the widest pause, of either key', async () => {
    const [key, writer] = [newId('key'), newId('key')];
    const paused = async () => (await controls({ keys: [key, writer] })).paused;
    await pause('key', newId('key'));
    await pause('key', inboxId);
    expect(await paused()).toBeNull();
    for (const [level, subject] of [
      ['key', writer],
      ['inbox', inboxId],
      ['workspace', workspaceId],
      ['server', ''],
    ] as const) {
      await pause(level, subject);
      expect(await paused()).toBe(level);
    }
  });

  test('say whether the key may still send, and from this inbox', async () => {
    const keyState = async (columns: object) => {
      const id = newId('key');
      await store.rows(
        `insert into api_keys (id, workspace_id, key_hash, hint, name, created_at, read_only, revoked_at, expires_at, inbox_ids)
          select $1::text, $2, $1::text::bytea, 'h', 'n', now(), read_only, revoked_at, expires_at, inbox_ids
          from jsonb_populate_record(null::api_keys, $3)`,
        [id, workspaceId, { read_only: false, ...columns }],
      );
      return (await controls({ actor: id })).key;
    };
    const able = { revoked: false, expires_at: null, read_only: false, out_of_scope: false };
    expect(await keyState({})).toEqual(able);
    expect(await keyState({ inbox_ids: [await store.inbox(), inboxId] })).toEqual(able);
    expect(await keyState({ inbox_ids: [await store.inbox()] })).toEqual({ ...able, out_of_scope: true });
    expect(await keyState({ inbox_ids: [] })).toEqual({ ...able, out_of_scope: true });
    const ended = { read_only: true, revoked_at: '2026-01-01T00:00:00Z', expires_at: '2026-01-02T00:00:00Z' };
    expect(await keyState(ended)).toMatchObject({
      revoked: true,
      read_only: true,
      expires_at: expect.stringContaining('2026-01-02T00:00:00'),
    });
    expect((await controls({ actor: newId('usr') })).key).toBeNull();
  });
});

test('subject_of_thread puts the thread in the place of its name at the end, and nowhere else', async () => {
  expect(await one('subject_of_thread($1, $2)', ['inb_a>{thread}', 'thr_1'])).toBe('inb_a>thr_1');
  expect(await one('subject_of_thread($1, $2)', ['inb_a>{thread}@example.com', 'thr_1'])).toBe(
    'inb_a>{thread}@example.com',
  );
  expect(await one('subject_of_thread($1, $2)', ['inb_a', 'thr_1'])).toBe('inb_a');
});

test.each([
  [{}, true],
  [{ dmarc: 'pass', verified_domain: 'example.com' }, true],
  [{ dmarc: 'pass', verified_domain: 'ample.com' }, false],
  [{ dmarc: 'fail', verified_domain: 'example.com' }, false],
  [{ dmarc: 'pass' }, null],
])('is_proven_for %o is %o', async (authentication, expected) => {
  expect(await one('is_proven_for($1, $2)', [authentication, 'Ada@Example.com'])).toBe(expected);
});
