/* How many drafts a workspace holds, and what their files may take of its storage. */
import { limits } from '@postrider/contract';
import { catchApiError, tally } from '@postrider/testkit/http/api-errors.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../src/lib/ids.ts';

const cap = 10_000;
const textCap = 1_000_000;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({
    env: { POSTRIDER_PLANS: JSON.stringify({ free: { storage_bytes: cap, mail_bytes: textCap } }) },
  });
});
afterAll(() => server.stop());

const fileOf = (bytes: number) => ({ filename: 'x.bin', content: Buffer.alloc(bytes, 'x') });
const to = ['ada@remote.example'];
const fullLimit = { upgrade: true, limit_bytes: cap };

const fill = async (owner: TestWorkspace, inbox: Inbox, drafts: number): Promise<string[]> => {
  const ids = Array.from({ length: drafts }, () => newId('dft'));
  await server.rows(
    `insert into drafts (workspace_id, id, inbox_id, to_addrs, cc_addrs, bcc_addrs, attempts, version, created_at, updated_at)
     select $1, id, $2, '{}', '{}', '{}', 0, 1, now(), now() from unnest($3::text[]) id`,
    [owner.id, inbox.id, ids],
  );
  return ids;
};

/** As when the provider refuses a message for all of its recipients. */
const reject = (messageId: string) =>
  server.rows("update message_recipients set status = 'rejected' where message_id = $1", [messageId]);

test('Interface 7: a workspace has 10,000 drafts that are not sent, exactly, also when many are made at once', async () => {
  const owner = await server.workspace();
  const { drafts, inboxes } = owner.client;
  const [inbox, gone] = [await server.inbox(owner), await server.inbox(owner)];
  const limit = limits.draftsPerWorkspaceMax;
  const letter = { inbox_id: inbox.id, to, subject: 's' };
  const sent = await drafts.create(letter);
  const { id: messageId } = await drafts.send(sent.id);
  await fill(owner, gone, 20);
  await inboxes.delete(gone.id);
  const ids = await fill(owner, inbox, limit - 10);
  const calls = Array.from({ length: 20 }, () => drafts.create(letter));
  expect(await tally(calls)).toEqual({ done: 10, limit_reached: 10 });
  await catchApiError(drafts.create({ inbox_id: inbox.id }), 'limit_reached', { limit });
  await drafts.update(ids[0] ?? '', { subject: 'It can be changed' });
  await reject(messageId);
  await catchApiError(drafts.update(sent.id, { subject: 'Once more' }), 'limit_reached', { limit });
  expect(await drafts.get(sent.id)).toMatchObject({ status: 'failed', subject: 's' });
  await drafts.delete(ids[0] ?? '');
  const two = [drafts.create(letter), drafts.create(letter)];
  expect(await tally(two)).toEqual({ done: 1, limit_reached: 1 });
  const elsewhere = await server.inbox();
  await server.client.drafts.create({ inbox_id: elsewhere.id });
});

test('Interface 7: files of drafts that are not sent fit into what stored attachments leave of the plan, exactly', async () => {
  const owner = await server.workspace({ plan: 'free' });
  const { drafts, messages } = owner.client;
  const { id: inbox_id } = await server.inbox(owner);
  await messages.send({ inbox_id, to, subject: 's', text: 't', attachments: [fileOf(4_000)] });
  const letter = { inbox_id, to, subject: 's' };
  const calls = Array.from({ length: 20 }, () => drafts.create({ ...letter, attachments: [fileOf(1_000)] }));
  expect(await tally(calls)).toEqual({ done: 6, storage_limit_reached: 14 });
  await catchApiError(
    drafts.create({ ...letter, attachments: [fileOf(1)] }),
    'storage_limit_reached',
    fullLimit,
  );
  const other = await server.workspace({ plan: 'free' });
  const theirs = { inbox_id: (await server.inbox(other)).id, attachments: [fileOf(cap)] };
  await other.client.drafts.create(theirs);

  const [first, second] = (await drafts.list({ inbox_id })).drafts.map(({ id }) => id);
  const patch = (id = '', bytes: number) => drafts.update(id, { attachments: [fileOf(bytes)] });
  await catchApiError(patch(first, 1_001), 'storage_limit_reached', fullLimit);
  expect((await drafts.get(first ?? '')).attachments.map((each) => each.size_bytes)).toEqual([1_000]);
  await drafts.update(first ?? '', { attachments: [] });
  expect(await tally(Array.from({ length: 20 }, () => patch(second, 2_000)))).toEqual({ done: 20 });
  await drafts.delete(second ?? '');
  await patch(first, 2_000);
  await drafts.create(letter);
});

test('Interface 7: files of a draft count once while it becomes a message, and again when its rejected message is taken up', async () => {
  const owner = await server.workspace({ plan: 'free' });
  const { account, drafts } = owner.client;
  const { id: inbox_id } = await server.inbox(owner);
  const letter = { inbox_id, to, subject: 's' };
  const made = await drafts.create({ ...letter, attachments: [fileOf(4_000)] });
  expect((await account.get()).usage.storage_bytes).toBe(0);
  const { id: messageId } = await drafts.send(made.id);
  expect((await account.get()).usage.storage_bytes).toBe(4_000);
  await drafts.create({ ...letter, attachments: [fileOf(6_000)] });
  await reject(messageId);
  await catchApiError(drafts.update(made.id, { subject: 'Again' }), 'storage_limit_reached', fullLimit);
  expect(await drafts.get(made.id)).toMatchObject({ status: 'failed', subject: 's' });
  expect(await drafts.update(made.id, { attachments: [] })).toMatchObject({ status: 'draft' });
});

test('Interface 7 mail_bytes: texts of drafts are at most so much together, exactly, also when many are made at once', async () => {
  const owner = await server.workspace({ plan: 'free' });
  const { drafts } = owner.client;
  const inbox = await server.inbox(owner);
  const full = { upgrade: true, limit_bytes: textCap };
  const text = 'é'.repeat(50_000);
  const calls = Array.from({ length: 14 }, () => drafts.create({ inbox_id: inbox.id, text }));
  expect(await tally(calls)).toEqual({ done: 10, storage_limit_reached: 4 });
  await catchApiError(drafts.create({ inbox_id: inbox.id, html: 'x' }), 'storage_limit_reached', full);
  const { id } = await drafts.create({ inbox_id: inbox.id, subject: 'Without a text' });
  await catchApiError(drafts.update(id, { text: 'x' }), 'storage_limit_reached', full);
  expect(await drafts.get(id)).toMatchObject({ text: null });
  const [first] = (await drafts.list()).drafts.filter((draft) => draft.text !== null);
  await drafts.update(first?.id ?? '', { text: 'short' });
  await drafts.update(id, { text: 'short' });
  await server.client.drafts.create({ inbox_id: (await server.inbox()).id, text });
});
