import { ListMessages, ListThreads } from '@postrider/contract';
import { recordQueries } from '@postrider/testkit/database/recorded-queries.ts';
import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { beginning, findPlace, readLog } from '../events/read-log.ts';
import { newId } from '../lib/ids.ts';
import { listThreads } from '../threads/read-threads.ts';
import { listMessages } from './list-messages.ts';

const inboxesCount = 1_000;
const messagesCount = 40_000;
/**
 * What a page may read of tables and indexes. The mail of the inboxes is the oldest of the workspace, with 39,000 other messages after
 * it.
 */
const rowsMax = 2_000;
const labelId = 'lbl_01a00000000000000000000001';
const threadId = `thr_01a${'7'.padStart(23, '0')}`;
let store: MailStore;
let inboxIds: string[];

const idOf = (prefix: string) => `'${prefix}_01a' || lpad(to_hex(n), 23, '0')`;

beforeAll(async () => {
  store = await openMailStore();
  inboxIds = Array.from({ length: inboxesCount }, () => newId('inb'));
  const ws = `'${store.workspaceId}'`;
  const at = "timestamptz '2026-01-01' + n * interval '10 seconds'";
  // The first inboxes have the first messages, 40 each.
  const place = `($1::text[])[1 + (n - 1) / ${messagesCount / inboxesCount}]`;
  const all = `generate_series(1, ${messagesCount}) n`;
  const insert = (text: string) => store.rows(text, [inboxIds]);
  await insert(`insert into inboxes (workspace_id, id, local_part, address, metadata, created_at)
    select ${ws}, id, id, id || '@x.test', '{}', now() from unnest($1::text[]) id`);
  await insert(
    `insert into threads select ${ws}, ${idOf('thr')}, ${place}, 'Order', '{}', 1, ${at}, ${at}, n % 2 from ${all}`,
  );
  await insert(`insert into messages (workspace_id, id, inbox_id, thread_id, direction, from_addr, to_addrs, cc_addrs, bcc_addrs,
      reply_to_addrs, envelope_to, subject, body_text, snippet, delivery_status, message_id_header, reference_ids, auto_submitted,
      has_attachments, size_bytes, created_at)
    select ${ws}, ${idOf('msg')}, ${place}, ${idOf('thr')}, 'inbound', 'ada@example.com', '{}', '{}', '{}', '{}', '{}', 'Order', 'word', '',
      'received', '<' || n || '@x>', '{}', false, n % 50 < 2, 3000, ${at} from ${all}`);
  await store.rows(`insert into message_terms select ${ws}, term, ${idOf('msg')}
    from ${all}, unnest(array['from:@example.com', 'subject:order']) term`);
  await store.rows(
    `insert into labels (workspace_id, id, name, name_key, created_at) values (${ws}, '${labelId}', 'l', 'l', now())`,
  );
  await insert(`insert into message_labels (workspace_id, label_id, message_id, inbox_id)
    select ${ws}, '${labelId}', ${idOf('msg')}, ${place} from ${all} where n % 10 < 2`);
  await insert(`insert into events (workspace_id, id, event, inbox_id, thread_id, message_id, extra, created_at, position)
    select ${ws}, ${idOf('evt')}, 'message.received', ${place}, ${idOf('thr')}, ${idOf('msg')}, '{}', ${at}, n from ${all}`);
  await store.rows('vacuum analyze');
});

afterAll(() => store?.close());

interface PlanNode {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

/** Returns how many rows a plan has read of tables and indexes. Small tables that are looked through as a whole do not count. */
const rowsRead = ({ Plans = [], ...node }: PlanNode): number => {
  const below = Plans.reduce((sum, plan) => sum + rowsRead(plan), 0);
  if (node['Relation Name'] === undefined || node['Relation Name'] === 'inboxes') return below;
  return below + node['Actual Loops'] * (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0));
};

const readBy = async (count: number, work: (ctx: Context) => Promise<unknown>) => {
  const { db, selects } = recordQueries(store.deps.db);
  const scope = { inboxIds: inboxIds.slice(0, count), access: 'inbox', expiresAt: null };
  const { workspaceId, deps } = store;
  const stopping = new AbortController().signal;
  await work({ ...deps, db, workspaceId, scope, stopping } as unknown as Context);
  let rows = 0;
  // Details of a page are looked up by the ids of its messages, by statements that are prepared.
  const isPlain = (value: unknown) =>
    value === null || Array.isArray(value) || typeof value !== 'object' || value instanceof Date;
  for (const { sql, parameters } of selects.filter((one) => one.parameters.every(isPlain))) {
    const [row] = await store.rows<Record<'QUERY PLAN', [{ Plan: PlanNode }]>>(
      `explain (analyze, format json) ${sql}`,
      [...parameters],
    );
    rows += rowsRead(row!['QUERY PLAN'][0].Plan);
  }
  return rows;
};

const filters: Record<string, object> = {
  'no filter': {},
  'from a domain': { from: 'example.com' },
  'a word of the subject': { subject: 'order' },
  direction: { direction: 'inbound' },
  'outbound, which there is none': { direction: 'outbound' },
  has_attachment: { has_attachment: 'true' },
  read: { read: 'false' },
  label_id: { label_id: labelId },
  thread_id: { thread_id: threadId },
};
const never = new AbortController().signal;

test.each(Object.entries(filters))(
  'messages, %s: a key with few of many inboxes reads only theirs',
  async (_, filter) => {
    const query = ListMessages.parse({ ...filter, limit: 10 });
    for (const count of [1, 5])
      expect(await readBy(count, (ctx) => listMessages(ctx, query, never))).toBeLessThan(rowsMax);
  },
);

test.each([{}, { read: 'false' }, { label_id: labelId }, { label_id: labelId, read: 'false' }])(
  'threads, %j: a key with few of many inboxes reads only theirs',
  async (filter) => {
    const query = ListThreads.parse({ ...filter, limit: 10 });
    for (const count of [1, 5])
      expect(await readBy(count, (ctx) => listThreads(ctx, query))).toBeLessThan(rowsMax);
  },
);

test('events: a key with few of many inboxes reads only theirs, from any place, and does not pass by the others twice', async () => {
  for (const count of [1, 5]) {
    let end = beginning;
    const whole = await readBy(count, async (ctx) => {
      const { rows, next } = await readLog(ctx, beginning, {}, 100);
      expect(rows.length).toBe(Math.min(100, count * 40));
      end = next;
      await findPlace(ctx, 'latest');
    });
    expect(whole).toBeLessThan(rowsMax);
    if (count === 1) expect(end.position).toBe(messagesCount);
  }
});
