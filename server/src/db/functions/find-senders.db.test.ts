import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { firstIdAt, newId } from '../../lib/ids.ts';

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
});

const noon = new Date('2026-03-01T12:00:00.000Z');
const later = (minutes: number) => new Date(noon.getTime() + minutes * 60_000);

interface Found {
  inbox: { id: string; domain: object | null } | null;
  sent_before: string | null;
  suppressed: string[];
  rules: { id: string }[] | null;
  usage: object | null;
  full_conversations: object[] | null;
  controls: { policies: unknown[] };
}
const find = (...requests: object[]) =>
  store.rows<Found>('select * from find_senders($1)', [
    JSON.stringify(
      requests.map((request) => ({
        workspace_id: workspaceId,
        inbox_id: inboxId,
        inbox_ids: null,
        claims: { all: [] },
        addresses: [],
        patterns: [],
        at: noon,
        month: null,
        keys: [],
        ...request,
      })),
    ),
  ]);
const claim = async (client_id: string, message_id: string, expires_at = later(1), owner = workspaceId) => {
  await store.rows(
    'insert into client_ids (workspace_id, client_id, message_id, expires_at) values ($1, $2, $3, $4)',
    [owner, client_id, message_id, expires_at],
  );
  return message_id;
};

test('of no request nothing is found, and of one that asks for nothing only the inbox', async () => {
  expect(await find()).toEqual([]);
  const [found, ...others] = await find({});
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    inbox: { id: inboxId, domain: null, domain_id: null, display_name: null },
    sent_before: null,
    suppressed: [],
    rules: null,
    usage: null,
    full_conversations: null,
    controls: { paused: null, policies: [] },
  });
});

test('each request has its own answer, in their order, also the same one twice', async () => {
  const second = await store.inbox();
  const found = await find({ inbox_id: second }, {}, { inbox_id: newId('inb') }, { inbox_id: second });
  expect(found.map(({ inbox }) => inbox?.id)).toEqual([second, inboxId, undefined, second]);
});

test('an inbox is found with its domain, and not once it is deleted or from another workspace', async () => {
  const domain = newId('dom');
  const insert = (owner: string, id: string) =>
    store.rows(
      `insert into domains (workspace_id, id, hostname, kind, status, dmarc_policy, ownership_token, dkim_selector,
          dkim_private_key, dkim_public_key, checks, looking_since, created_at)
        values ($1, $2, 'mail.example', 'sending', 'verified', 'none', 't', 'selector', 'sealed', 'p', '{}', now(), now())`,
      [owner, id],
    );
  await insert(workspaceId, domain);
  await store.rows('update inboxes set domain_id = $2 where id = $1', [inboxId, domain]);
  const [own, other, none] = await find({}, { workspace_id: newId('wsp') }, { inbox_id: null });
  // The private key is for nobody who asks what may be sent.
  expect(own?.inbox?.domain).toEqual({
    id: domain,
    hostname: 'mail.example',
    status: 'verified',
    verified_at: null,
    dkim_selector: 'selector',
  });
  expect([other?.inbox, none?.inbox]).toEqual([null, null]);
  await store.rows('update inboxes set domain_id = $2 where id = $1', [inboxId, newId('dom')]);
  expect((await find({}))[0]?.inbox).toMatchObject({ id: inboxId, domain: null });
  await store.rows('update inboxes set deleted_at = now() where id = $1', [inboxId]);
  expect((await find({}))[0]?.inbox).toBeNull();
});

test('what was sent before is found by the own claim first, and by others within the scope of the caller', async () => {
  const [own, wide] = [newId('lbl'), newId('lbl')];
  const [mine, theirs] = [newId('msg'), newId('msg')];
  const elsewhere = await store.inbox();
  await store.store({ inboxId: elsewhere, message: { id: theirs } });
  await claim(wide, theirs);
  const sentBefore = async (change: object = {}) =>
    (await find({ claims: { own, all: [wide, own] }, ...change }))[0]?.sent_before;
  expect(await sentBefore()).toBe(theirs);
  expect(await sentBefore({ inbox_ids: [elsewhere] })).toBe(theirs);
  expect(await sentBefore({ inbox_ids: [inboxId] })).toBeNull();
  await claim(own, mine);
  expect(await sentBefore()).toBe(mine);
  expect(await sentBefore({ inbox_ids: [inboxId] })).toBe(mine);
  expect(await sentBefore({ claims: { own, all: [] } })).toBeNull();
  expect(await sentBefore({ workspace_id: newId('wsp') })).toBeNull();
  expect(await sentBefore({ at: later(1) })).toBeNull();
});

test('suppressed addresses and rules are those of the workspace, and rules those that are for sending', async () => {
  const other = newId('wsp');
  const suppress = (owner: string, address: string) =>
    store.rows(
      `insert into suppressions (workspace_id, address, reason, created_at) values ($1, $2, 'bounced', now())`,
      [owner, address],
    );
  const rule = async (pattern: string, direction: string, owner = workspaceId) => {
    const id = newId('rul');
    await store.rows(
      `insert into rules (workspace_id, id, kind, direction, pattern, created_at) values ($1, $2, 'block', $3, $4, now())`,
      [owner, id, direction, pattern],
    );
    return { id, kind: 'block', pattern };
  };
  await suppress(workspaceId, 'gone@x.example');
  await suppress(workspaceId, 'unasked@x.example');
  await suppress(other, 'fine@x.example');
  const [outbound, both] = [await rule('x.example', 'outbound'), await rule('a@x.example', 'both')];
  await rule('in.example', 'inbound');
  await rule('unasked.example', 'outbound');
  await rule('other.example', 'outbound', other);
  const [found, unknown] = await find(
    {
      addresses: ['gone@x.example', 'fine@x.example'],
      patterns: ['x.example', 'a@x.example', 'in.example', 'other.example'],
    },
    { addresses: ['none@x.example'], patterns: ['none.example'] },
  );
  expect(found?.suppressed).toEqual(['gone@x.example']);
  expect(found?.rules).toHaveLength(2);
  expect(found?.rules).toEqual(expect.arrayContaining([outbound, both]));
  expect(unknown).toMatchObject({ suppressed: [], rules: null });
});

test('usage and full conversations are found only where they are asked for', async () => {
  const peer = 'peer@remote.example';
  const mail = (at: number, sent: boolean) =>
    store.store({
      inboxId,
      at: later(at),
      message: sent
        ? { direction: 'outbound', from_addr: 'own@postrider.test', to_addrs: [peer] }
        : { direction: 'inbound', from_addr: peer },
    });
  for (const [at, sent] of [false, true, false].entries()) await mail(at, sent);
  await store.rows(`insert into usage_ledger (workspace_id, kind, amount, at) values ($1, 'emails', 2, $2)`, [
    workspaceId,
    noon,
  ]);
  const answers = { since: firstIdAt('msg', noon), most: 1, thread_id: null, named: [], addresses: [peer] };
  const [both, past, empty, none] = await find(
    { month: '2026-03-01', ...answers },
    // After the last message that was received.
    { ...answers, since: firstIdAt('msg', later(3)) },
    { month: '2026-04-01', ...answers, inbox_id: await store.inbox() },
    { addresses: [peer] },
  );
  expect(both?.usage).toMatchObject({ emails: 2 });
  expect(both?.full_conversations).toMatchObject([{ in: 'address', address: peer, answers: 1 }]);
  expect(empty?.usage).toMatchObject({ emails: 0 });
  expect(past?.full_conversations).toBeNull();
  expect([empty?.full_conversations, none?.full_conversations, none?.usage]).toEqual([null, null, null]);
});

test('what people have set is that of each inbox', async () => {
  const second = await store.inbox();
  await store.rows(
    `insert into policies (workspace_id, level, subject_id, lines, updated_at) values ($1, 'inbox', $2, '{"per_day": 1}', now())`,
    [workspaceId, second],
  );
  const [first, other] = await find({}, { inbox_id: second });
  expect(first?.controls.policies).toEqual([]);
  expect(other?.controls.policies).toEqual([{ level: 'inbox', subject: second, lines: { per_day: 1 } }]);
});
