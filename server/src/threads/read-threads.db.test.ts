import { limits } from '@postrider/contract';
import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Context } from '../context.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { listThreads } from './read-threads.ts';

const threads = 30;
let store: MailStore;
let ctx: Context;

beforeAll(async () => {
  store = await openMailStore();
  ctx = { ...store.deps, workspaceId: store.workspaceId, scope: wholeWorkspace } as unknown as Context;
  const inboxId = await store.inbox();
  const of = `'${store.workspaceId}'`;
  const all = `generate_series(1, ${threads}) t, generate_series(1, ${limits.labelsPerWorkspaceMax}) l`;
  for (const statement of [
    `insert into threads select ${of}, 'thr_' || lpad(t::text, 26, '0'), '${inboxId}', 's', '{}', 1, now() + t * interval '1 s', now()
       from generate_series(1, ${threads}) t`,
    `insert into labels (workspace_id, id, name, name_key, created_at)
       select ${of}, 'lbl_' || lpad(l::text, 26, '0'), 'l' || l, 'l' || l, now() from generate_series(1, ${limits.labelsPerWorkspaceMax}) l`,
    `insert into thread_labels (workspace_id, thread_id, label_id, inbox_id, last_message_at)
       select ${of}, 'thr_' || lpad(t::text, 26, '0'), 'lbl_' || lpad(l::text, 26, '0'), '${inboxId}', now() from ${all}`,
  ])
    await store.rows(statement);
});
afterAll(() => store.close());

test('a page of threads with very many labels ends early, and its cursors lead to every thread once, with all its labels', async () => {
  const seen: string[] = [];
  const pages: number[] = [];
  for (let cursor: string | undefined; ; ) {
    const { rows, nextCursor } = await listThreads(ctx, { limit: 100, cursor });
    pages.push(rows.length);
    for (const { row, labels } of rows) {
      seen.push(row.id);
      expect(labels.length).toBe(limits.labelsPerWorkspaceMax);
    }
    if (nextCursor === null) break;
    cursor = nextCursor;
  }
  expect(seen).toEqual(
    Array.from({ length: threads }, (_, n) => `thr_${String(threads - n).padStart(26, '0')}`),
  );
  expect(Math.max(...pages)).toBeLessThan(threads);
  expect(Math.min(...pages)).toBeGreaterThan(0);
});
