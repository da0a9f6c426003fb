import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { purgeInbox, removeInbox } from './purge-inbox.ts';

let server: TestServer;

beforeAll(async () => {
  // Without the role of a worker nothing is removed until the test says so.
  server = await startTestServer({ roles: ['api', 'smtp'] });
});

afterAll(() => server.stop());

/** Tables that outlive their inbox: logs and windows that end by themselves, totals, and what belongs to the workspace. */
const kept = ['smtp_decisions', 'client_ids', 'suppressions', 'addresses', 'inboxes', 'events'];

/** Fills an inbox with something of every kind. */
const fill = async (): Promise<Inbox> => {
  const inbox = await server.inbox();
  const from = 'ada@example.com';
  const id = (name: string) => `<${name}@${inbox.local_part}>`;
  const deliver = (name: string, inReplyTo?: string) =>
    sendMail(server.smtpPort, {
      from,
      to: inbox.address,
      subject: name,
      text: 'Hello',
      messageId: id(name),
      ...(inReplyTo ? { inReplyTo: id(inReplyTo) } : {}),
      attachments: [{ filename: 'note.txt', content: `A note of ${name}` }],
    });
  await deliver('first', 'missing');
  await deliver('second', 'late');
  await deliver('third');
  // The third is answered by the mail that the second waited for, so their threads become one.
  await deliver('late', 'third');
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id });
  const [newest] = messages;
  if (!newest) throw new Error('No mail came in.');
  const label = await server.client.labels.create({ name: inbox.local_part });
  await server.client.labels.assign(label.id, { message_id: newest.id });
  await server.client.messages.reply(newest.id, { text: 'Thanks', client_id: inbox.local_part });
  const file = newest.attachments[0];
  if (file) await (await fetch(file.url)).arrayBuffer();
  const attachments = [{ filename: 'plan.txt', content: Buffer.from('A plan') }];
  await server.client.drafts.create({ inbox_id: inbox.id, subject: 'Later', attachments });
  return inbox;
};

interface Left {
  table: string;
  rows: number;
}

/** How many rows of each table belong to an inbox, by any column that leads to it. */
const countRows = async (inbox: Inbox, messageIds: string[], threadIds: string[]): Promise<Left[]> => {
  const columns = await server.rows<{ table_name: string; column_name: string }>(
    `select table_name, column_name from information_schema.columns
     where table_schema = 'public' and column_name in ('inbox_id', 'message_id', 'thread_id')`,
  );
  const ids: Record<string, string[]> = {
    inbox_id: [inbox.id],
    message_id: messageIds,
    thread_id: threadIds,
  };
  const counts = columns.map(async ({ table_name, column_name }) => {
    const text = `select count(*)::int as rows from ${table_name} where ${column_name} = any($1)`;
    const [row] = await server.rows<{ rows: number }>(text, [ids[column_name]]);
    return { table: table_name, rows: row?.rows ?? 0 };
  });
  const own = server
    .rows<Left>(`select 'threads' as table, count(*)::int as rows from threads where id = any($1)`, [
      threadIds,
    ])
    .then(([row]) => row ?? { table: 'threads', rows: 0 });
  return [...(await Promise.all(counts)), await own];
};

const readIds = async (inbox: Inbox) => {
  const messages = await server.rows<{ id: string; thread_id: string }>(
    'select id, thread_id from messages where inbox_id = $1',
    [inbox.id],
  );
  return { messages: messages.map(({ id }) => id), threads: messages.map(({ thread_id }) => thread_id) };
};

const inboxFolder = (inbox: Inbox) => join(server.dataDir, 'files', server.id, inbox.id);

describe('the removal of a deleted inbox', () => {
  test('takes every row and file of it, and none of another', async () => {
    const [gone, other] = [await fill(), await fill()];
    const { messages, threads } = await readIds(gone);
    const others = await readIds(other);
    const before = await countRows(gone, messages, threads);
    const filled = new Set(before.filter(({ rows }) => rows > 0).map(({ table }) => table));
    for (const table of [
      'messages',
      'message_terms',
      'message_labels',
      'threads',
      'thread_aliases',
      'thread_labels',
      'message_ids',
      'awaited_ids',
      'attachments',
      'drafts',
      'draft_files',
    ])
      expect([table, filled.has(table)]).toEqual([table, true]);
    expect(filled).toContain('inbound_fingerprints');
    const filesBefore = (await readdir(inboxFolder(other), { recursive: true })).sort();
    // The log of verdicts is among what is kept, and is written a moment after them.
    const rowsOfOther = async () =>
      (await countRows(other, others.messages, others.threads)).filter(({ table }) => !kept.includes(table));
    const othersBefore = await rowsOfOther();

    await server.client.inboxes.delete(gone.id);
    await purgeInbox(server.server.deps).run({ workspaceId: server.id, inboxId: gone.id });
    const left = (await countRows(gone, messages, threads)).filter(
      ({ rows, table }) => rows > 0 && !kept.includes(table),
    );
    expect(left).toEqual([]);
    expect(await server.rows('select id from inboxes where id = $1', [gone.id])).toEqual([]);
    expect(existsSync(inboxFolder(gone))).toBe(false);

    expect(await rowsOfOther()).toEqual(othersBefore);
    expect((await readdir(inboxFolder(other), { recursive: true })).sort()).toEqual(filesBefore);
  });

  test('asks before each batch whether to go on, and leaves the rest if not', async () => {
    const inbox = await server.inbox();
    await server.rows(
      `insert into inbound_fingerprints (workspace_id, inbox_id, fingerprint, message_id, expires_at)
        select $1, $2, sha256(n::text::bytea), 'msg', now() from generate_series(1, 2500) n`,
      [server.id, inbox.id],
    );
    await server.client.inboxes.delete(inbox.id);
    const left: number[] = [];
    const remove = removeInbox(
      server.server.deps,
      { workspaceId: server.id, inboxId: inbox.id },
      async () => {
        const text = 'select count(*)::int as n from inbound_fingerprints where inbox_id = $1';
        const [row] = await server.rows<{ n: number }>(text, [inbox.id]);
        left.push(row?.n ?? 0);
        if (row?.n === 500) throw new Error('stopped');
      },
    );
    await expect(remove).rejects.toThrow('stopped');
    expect(new Set(left)).toEqual(new Set([2_500, 1_500, 500]));
  });

  test('does no harm when it runs twice, at the same time, or for an inbox that is alive', async () => {
    const [gone, alive] = [await fill(), await fill()];
    const purge = purgeInbox(server.server.deps);
    await server.client.inboxes.delete(gone.id);
    const job = { workspaceId: server.id, inboxId: gone.id };
    await Promise.all([purge.run(job), purge.run(job)]);
    await purge.run(job);
    const { messages } = await server.client.messages.list({ inbox_id: alive.id });
    await purge.run({ workspaceId: server.id, inboxId: alive.id });
    expect((await server.client.messages.list({ inbox_id: alive.id })).messages).toHaveLength(
      messages.length,
    );
    expect(existsSync(inboxFolder(alive))).toBe(true);
  });

  test('leaves nothing of a mail that comes in at the same time', async () => {
    for (let round = 0; round < 5; round++) {
      const inbox = await server.inbox();
      const sending = Array.from({ length: 6 }, (_, index) =>
        sendMail(server.smtpPort, {
          from: 'ada@example.com',
          to: inbox.address,
          subject: `${index}`,
          text: 'Hello',
        }).catch(() => undefined),
      );
      await server.client.inboxes.delete(inbox.id);
      await purgeInbox(server.server.deps).run({ workspaceId: server.id, inboxId: inbox.id });
      await Promise.all(sending);
      const rows = await countRows(inbox, [], []);
      expect(rows.filter((each) => each.rows > 0 && !kept.includes(each.table))).toEqual([]);
      await eventually(
        'the files to be gone',
        async () => !existsSync(inboxFolder(inbox)) || isEmpty(inboxFolder(inbox)),
      );
    }
  });
});

const isEmpty = async (folder: string): Promise<boolean> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.every((entry) => entry.isDirectory());
};
