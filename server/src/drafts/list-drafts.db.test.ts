import { DraftStatus, ListDrafts } from '@postrider/contract';
import { outlinePlan, recordQueries } from '@postrider/testkit/database/recorded-queries.ts';
import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { listDrafts } from './list-drafts.ts';

const drafts = 20_000;
let store: MailStore;
let inboxId: string;

const idSql = (prefix: string, number: string) => `'${prefix}_01a' || lpad(to_hex(${number}), 23, '0')`;

/** Of a hundred drafts one is left, one is scheduled, and the others were sent; of all, few are on their way or failed. */
beforeAll(async () => {
  store = await openMailStore();
  inboxId = await store.inbox();
  const place = `(array['${inboxId}', '${await store.inbox()}'])[1 + n / 100 % 2]`;
  const ws = `'${store.workspaceId}'`;
  const at = "timestamptz '2026-01-01' + n * interval '10 seconds'";
  const all = `generate_series(1, ${drafts}) n`;
  for (const statement of [
    `insert into drafts (workspace_id, id, inbox_id, to_addrs, cc_addrs, bcc_addrs, body_text, scheduled_at, due_at, attempts, version,
       message_id, failure, created_at, updated_at)
     select ${ws}, ${idSql('dft', 'n')}, ${place}, '{}', '{}', '{}', repeat('word ', 100), time, time, 0, 1,
       case when n % 100 > 1 then ${idSql('msg', 'n')} end, case when n % 1000 = 0 then 'invalid_request' end, ${at}, ${at}
     from ${all}, lateral (select case when n % 100 = 1 then ${at} end as time) t`,
    `insert into message_recipients (workspace_id, message_id, address, inbox_id, kind, position, status, attempts, due_at, expires_at,
       updated_at)
     select ${ws}, ${idSql('msg', 'n')}, 'ada@example.com', ${place}, 'to', 0, case when n < 50 then 'queued' when n < 100 then 'rejected'
       else 'sent' end, 1, case when n < 50 then ${at} end, ${at}, ${at} from ${all} where n % 100 > 1`,
    'analyze',
  ])
    await store.rows(statement);
});
afterAll(() => store?.close());

for (const status of [undefined, ...DraftStatus.options])
  test(`a list of ${status ?? 'all'} drafts reads neither all drafts nor all recipients`, async () => {
    for (const place of [{}, { inbox_id: inboxId }]) {
      const { db, selects } = recordQueries(store.deps.db);
      const ctx = {
        ...store.deps,
        db,
        workspaceId: store.workspaceId,
        scope: wholeWorkspace,
      } as unknown as Context;
      const page = await listDrafts(ctx, ListDrafts.parse({ ...place, ...(status && { status }) }));
      expect(page.rows.length).toBeGreaterThan(0);
      for (const { row } of page.rows) if (status) expect(row.status).toBe(status);
      for (const { sql, parameters } of selects) {
        const [row] = await store.rows<Record<'QUERY PLAN', [{ Plan: Parameters<typeof outlinePlan>[0] }]>>(
          `explain (format json) ${sql}`,
          [...parameters],
        );
        expect(outlinePlan(row!['QUERY PLAN'][0].Plan)).not.toMatch(/Seq Scan (drafts|message_recipients)/);
      }
    }
  });
