import { makePerson } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { type S3Server, startS3Server } from '@postrider/testkit/servers/s3-server.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { addDomain, fillWorkspace } from '@postrider/testkit/servers/workspace-things.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteWorkspace } from '../workspaces/delete-workspace.ts';
import { forgetWorkspaces } from './purge-workspace.ts';
import { startDeletedWatch } from './watch-deleted.ts';

const yearMs = 365 * 24 * 60 * 60 * 1_000;
const clock = createMovingClock();
let s3: S3Server;
let server: TestServer;

beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
  s3 = await startS3Server();
  server = await startTestServer({
    clock,
    env: { POSTRIDER_FILES: 's3://mail/files', POSTRIDER_S3_ENDPOINT: s3.url, POSTRIDER_EMBEDDINGS: 'words' },
  });
});
afterAll(async () => {
  await server.stop();
  await s3.close();
});

/** Waits for the log of the requests so far. It is written behind the responses, in their order. */
const logged = async (owner: TestWorkspace): Promise<void> => {
  await owner.client.account.get();
  await eventually('the log of the requests so far', async () => {
    const last = `select 1 from api_requests where workspace_id = $1 and path = '/v1/account'`;
    return (await server.rows(last, [owner.id])).length > 0;
  });
};

/** Gives a workspace something of every kind, with a mail that is large enough for a file. */
const fill = async (owner: TestWorkspace): Promise<void> => {
  const { ids } = await fillWorkspace(server, owner, 'filled');
  await addDomain(server, owner);
  await makePerson(server, 'owner', owner);
  const { address } = await owner.client.inboxes.get(ids.inbox);
  const content = Buffer.alloc(200_000, 'A long file. ');
  await sendMail(server.smtpPort, {
    from: 'ada@remote.example',
    to: address,
    subject: 'A file',
    text: 'Here it is.',
    inReplyTo: '<missing@remote.example>',
    attachments: [{ filename: 'long.txt', content }],
  });
  await owner.client.messages.search('file', { mode: 'semantic' });
  await server.indexed();
  await logged(owner);
};

/** Among what a workspace has before. */
const filled = [
  'approvals',
  'attachment_texts',
  'attachments',
  'domains',
  'drafts',
  'embedding_progress',
  'events',
  'labels',
  'memberships',
  'messages',
  'rules',
  'search_codes',
  'search_messages',
  'search_words',
  'suppressions',
  'webhook_deliveries',
];

/** How many rows each table has of a workspace. */
const countRows = async (owner: TestWorkspace): Promise<Record<string, number>> => {
  const tables = await server.rows<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'workspace_id' order by 1`,
  );
  const counts = tables.map(async ({ name }) => {
    const [row] = await server.rows<{ n: number }>(
      `select count(*)::int as n from ${name} where workspace_id = $1`,
      [owner.id],
    );
    return [name, row?.n ?? 0] as const;
  });
  return Object.fromEntries((await Promise.all(counts)).filter(([, n]) => n > 0));
};
/** Without usage, which is added up meanwhile, and what waits for the index, which comes and goes. */
const lasting = (counts: Record<string, number>) =>
  Object.entries(counts).filter(([table]) => !table.startsWith('usage_') && table !== 'search_pending');
const filesOf = (owner: TestWorkspace) => [...s3.objects.keys()].filter((key) => key.includes(owner.id));
const purgeAt = async (owner: TestWorkspace) =>
  (
    await server.rows<{ purge_at: Date | null }>('select purge_at from workspaces where id = $1', [owner.id])
  )[0]?.purge_at;

test('everything of a deleted workspace goes, in every table and in the bucket, and nothing of another', async () => {
  const [gone, other] = [await server.workspace(), await server.workspace()];
  await Promise.all([fill(gone), fill(other)]);
  const before = await countRows(gone);
  for (const table of filled) expect([table, table in before]).toEqual([table, true]);
  expect(filesOf(gone).length).toBeGreaterThan(0);
  const [others, othersFiles] = [await countRows(other), filesOf(other)];

  await deleteWorkspace(server.server.deps, gone);
  clock.advance(60_000);
  await eventually('the removal', async () => (await purgeAt(gone)) === null);
  expect(Object.keys(await countRows(gone))).toEqual(['addresses', 'audit_entries', 'audit_heads']);
  expect(filesOf(gone)).toEqual([]);
  expect(lasting(await countRows(other))).toEqual(lasting(others));
  expect(filesOf(other)).toEqual(othersFiles);
});

test('several workers, and rows that were added after the first pass, are no matter', async () => {
  const gone = await server.workspace();
  await fill(gone);
  const stops = [startDeletedWatch(server.server.deps), startDeletedWatch(server.server.deps)];
  await deleteWorkspace(server.server.deps, gone);
  await eventually('the first pass', async () => !('messages' in (await countRows(gone))));
  // As a request that was let in before the deletion might.
  await server.rows(
    `insert into rules (workspace_id, id, kind, direction, pattern, created_at) values ($1, 'rul_late', 'block', 'both', 'x', now())`,
    [gone.id],
  );
  clock.advance(60_000);
  await eventually('the removal', async () => (await purgeAt(gone)) === null);
  for (const stop of stops) await stop();
  expect(Object.keys(await countRows(gone))).toEqual(['addresses', 'audit_entries', 'audit_heads']);
});

test('the first workspace is remembered, so that the next one does not become that of the operator', async () => {
  const [first] = await server.rows<{ id: string }>('select id from workspaces order by id limit 1');
  await server.rows("update workspaces set deleted_at = '2020-01-01' where id = $1", [first?.id]);
  await server.rows('delete from audit_entries where workspace_id = $1', [first?.id]);
  await forgetWorkspaces(server.server.deps);
  expect(await server.rows('select id from workspaces where id = $1', [first?.id])).toEqual([first]);
});

test('after a year nothing is known of it', async () => {
  const gone = await server.workspace();
  await server.inbox(gone);
  await logged(gone);
  await deleteWorkspace(server.server.deps, gone);
  clock.advance(60_000);
  await eventually('the removal', async () => (await purgeAt(gone)) === null);
  clock.advance(yearMs);
  await forgetWorkspaces(server.server.deps);
  expect(Object.keys(await countRows(gone))).toContain('audit_entries');
  await server.rows('delete from audit_entries where workspace_id = $1', [gone.id]);
  await forgetWorkspaces(server.server.deps);
  expect(await countRows(gone)).toEqual({});
  expect(await purgeAt(gone)).toBeUndefined();
});
