import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { newId } from '../lib/ids.ts';
import { releaseDeliveries } from '../webhooks/posting/webhook-sender.ts';
import { releaseLeases } from './delivery-worker.ts';

const now = new Date('2026-01-01T12:00:00Z');
const later = new Date('2026-01-01T12:01:00Z');
let store: MailStore;
let deps: Deps;

beforeAll(async () => {
  store = await openMailStore();
  deps = { ...store.deps, clock: { now: () => now } } as unknown as Deps;
});
afterAll(() => store.close());

test('at the start what a dead process was sending is due, and what has its outcome stays as it is', async () => {
  const inboxId = await store.inbox();
  await store.store({ inboxId, recipients: ['queued@a.example', 'sending@a.example', 'done@a.example'] });
  await store.rows(
    `update message_recipients set due_at = case when address like 'done%' then null else $1::timestamptz end,
      status = case when address like 'done%' then 'delivered' else split_part(address, '@', 1) end`,
    [later],
  );
  await releaseLeases(deps);
  const rows = await store.rows('select address, due_at from message_recipients order by address');
  expect(rows).toEqual([
    { address: 'done@a.example', due_at: null },
    { address: 'queued@a.example', due_at: now },
    { address: 'sending@a.example', due_at: now },
  ]);
});

test('at the start the deliveries that a dead process was posting are due at their own time, and others wait for theirs', async () => {
  const add = (id: string, nextAt: Date | null, dueAt: Date | null) =>
    store.rows(
      `insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event, inbox_id, origin, status, attempts, is_retry,
        fence, next_at, due_at, created_at)
        values ($1, $2, $3, $4, 'message.received', 'inb', 'log', $7, '[]', false, 1, $5, $6, now())`,
      [
        store.workspaceId,
        id,
        newId('whk'),
        newId('evt'),
        nextAt,
        dueAt,
        dueAt === null ? 'succeeded' : 'pending',
      ],
    );
  await add('dlv_done', null, null);
  await add('dlv_leased', now, later);
  await add('dlv_waiting', later, later);
  await releaseDeliveries(deps);
  const rows = await store.rows('select id, due_at from webhook_deliveries order by id');
  expect(rows).toEqual([
    { id: 'dlv_done', due_at: null },
    { id: 'dlv_leased', due_at: now },
    { id: 'dlv_waiting', due_at: later },
  ]);
});
