import { ListMessages, ListThreads } from '@postrider/contract';
import { outlinePlan, recordQueries } from '@postrider/testkit/database/recorded-queries.ts';
import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { listThreads } from '../threads/read-threads.ts';
import { listMessages } from './list-messages.ts';

/** As many as ANALYZE reads all of, so that it comes to the same figures each time. */
const messages = 24_000;
let store: MailStore;
let inboxId: string;
let labelId: string;

const idOf = (prefix: string, number: string) => `'${prefix}_01a' || lpad(to_hex(${number}), 23, '0')`;

beforeAll(async () => {
  store = await openMailStore();
  inboxId = await store.inbox();
  const otherId = await store.inbox();
  labelId = 'lbl_01a00000000000000000000001';
  const ws = `'${store.workspaceId}'`;
  const at = "timestamptz '2026-01-01' + n * interval '10 seconds'";
  const place = `(array['${inboxId}', '${otherId}'])[1 + n % 2]`;
  const all = `generate_series(1, ${messages}) n`;
  // Autovacuum would run at a moment of its own, and the plans depend on what it has done.
  for (const table of ['threads', 'messages', 'message_terms', 'message_labels'])
    await store.rows(`alter table ${table} set (autovacuum_enabled = false)`);
  for (const statement of [
    `insert into threads select ${ws}, ${idOf('thr', 'n')}, ${place}, 'Order', '{}', 1, ${at}, ${at} from ${all}`,
    `insert into messages (workspace_id, id, inbox_id, thread_id, direction, from_addr, to_addrs, cc_addrs, bcc_addrs, reply_to_addrs,
       envelope_to, subject, body_text, snippet, delivery_status, message_id_header, reference_ids, auto_submitted, has_attachments,
       size_bytes, created_at)
     select ${ws}, ${idOf('msg', 'n')}, ${place}, ${idOf('thr', 'n')}, case when n % 20 < 2 then 'outbound' else 'inbound' end,
       'ada@example.com', '{}', '{}', '{}', '{}', '{}', 'Order', repeat('word ', 100), '', 'received', '<' || n || '@x>', '{}', false,
       n % 50 < 2, 3000, ${at} from ${all}`,
    `insert into message_terms select ${ws}, term, ${idOf('msg', 'n')} from ${all}, unnest(array['from:@example.com',
       'from:a' || n % 500 || '@example.com', 'to:@postrider.test', 'subject:order', 'subject:' || n]) term`,
    `insert into labels (workspace_id, id, name, name_key, created_at) values (${ws}, '${labelId}', 'l', 'l', now())`,
    `insert into message_labels (workspace_id, label_id, message_id, inbox_id) select ${ws}, '${labelId}', ${idOf('msg', 'n')}, ${place} from ${all}
       where n % 10 < 2`,
  ])
    await store.rows(statement);
  await eventually('every page to be visible to all', async () => {
    await vacuum();
    const hidden = `select from pg_class where relname in ('threads', 'messages') and relallvisible < relpages`;
    return (await store.rows(hidden)).length === 0;
  });
});

afterAll(() => store?.close());

/**
 * Vacuum passes over rows whose commit is not yet on disk, which with asynchronous commits is left to chance, and over those that an older
 * snapshot cannot see, such as that of an autovacuum of another table.
 */
const vacuum = async () => {
  const client = await store.database.pool.connect();
  await client.query('set synchronous_commit = on');
  await client.query('vacuum analyze');
  await client.query('reset synchronous_commit');
  client.release();
};

const outlines = async (work: (ctx: Context) => Promise<unknown>): Promise<string> => {
  const { db, selects } = recordQueries(store.deps.db);
  const { workspaceId, deps } = store;
  await work({
    ...deps,
    db,
    workspaceId,
    scope: wholeWorkspace,
    stopping: new AbortController().signal,
  } as unknown as Context);
  // How labels, files and recipients are added to a page does not depend on what was listed.
  const lists = selects.filter(({ sql }) => /from "(messages|threads|thread_labels)"|"way"/.test(sql));
  const plans = lists.map(async ({ sql, parameters }) => {
    const [row] = await store.rows<Record<'QUERY PLAN', [{ Plan: Parameters<typeof outlinePlan>[0] }]>>(
      `explain (format json) ${sql}`,
      [...parameters],
    );
    return outlinePlan(row!['QUERY PLAN'][0].Plan);
  });
  return (await Promise.all(plans)).join('\n\n');
};

const filters: Record<string, () => Record<string, string>> = {
  'no filter': () => ({}),
  'from an address': () => ({ from: 'a7@example.com' }),
  'from a domain': () => ({ from: 'example.com' }),
  'from nobody': () => ({ from: 'nobody@example.com' }),
  to: () => ({ to: 'postrider.test' }),
  'a word of the subject': () => ({ subject: 'order' }),
  'words of the subject': () => ({ subject: 'order 77' }),
  direction: () => ({ direction: 'outbound' }),
  has_attachment: () => ({ has_attachment: 'true' }),
  label_id: () => ({ label_id: labelId }),
  thread_id: () => ({ thread_id: 'thr_01a00000000000000000000007' }),
  'after and before': () => ({ after: '2026-01-01T01:00:00Z', before: '2026-01-01T05:00:00Z' }),
  'several filters': () => ({ from: 'example.com', direction: 'outbound', label_id: labelId }),
};
const signal = new AbortController().signal;

for (const [name, filter] of Object.entries(filters))
  test(`messages, ${name}: the plan reads what the page shows`, async () => {
    for (const place of [{}, { inbox_id: inboxId }]) {
      const query = ListMessages.parse({ ...filter(), ...place });
      expect(await outlines((ctx) => listMessages(ctx, query, signal))).toMatchSnapshot();
    }
  });

for (const [name, filter] of Object.entries(filters).filter(([name]) => /^(no filter|label_id)$/.test(name)))
  test(`threads, ${name}: the plan reads what the page shows`, async () => {
    for (const place of [{}, { inbox_id: inboxId }]) {
      const query = ListThreads.parse({ ...filter(), ...place });
      expect(await outlines((ctx) => listThreads(ctx, query))).toMatchSnapshot();
    }
  });
