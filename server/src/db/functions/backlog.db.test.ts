import { openWebhookQueue, type WebhookQueue } from '@postrider/testkit/database/webhook-queue.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../lib/ids.ts';

let queue: WebhookQueue;
beforeAll(async () => {
  queue = await openWebhookQueue();
});
afterAll(() => queue.database.close());
beforeEach(async () => {
  await queue.clear();
  await queue.query(`delete from message_recipients; delete from spooled_mail; delete from unparsed_messages;
    delete from search_pending; delete from embedding_pending; delete from event_followers;
    insert into event_followers (name, position) values ('webhooks', 0)`);
});

const noon = Date.UTC(2026, 2, 1, 12);
const at = (seconds: number) => new Date(noon + seconds * 1_000);

/** Returns what waits, by part and kind, without the parts of which nothing waits. */
async function backlog(most = 100): Promise<Record<string, unknown[]>> {
  const { rows } = await queue.query(
    'select * from backlog($1) where waiting > 0 or since is not null or since_id is not null',
    [most],
  );
  return Object.fromEntries(
    rows.map(({ part, kind, waiting, bytes, since, since_id }) => [
      kind === null ? part : `${part} ${kind}`,
      [waiting, bytes, since ?? since_id].filter((value) => value !== null),
    ]),
  );
}

const recipient = (status: string, dueAt: Date | null, address = `${newId('msg')}@remote.example`) =>
  queue.query(
    `insert into message_recipients (workspace_id, message_id, address, inbox_id, kind, position, status, attempts, due_at, expires_at,
      updated_at) values ('wsp', $1, $2, 'inb', 'to', 0, $3, 1, $4, now(), now())`,
    [newId('msg'), address, status, dueAt],
  );

test('backlog has each part, and nothing of any in an empty server', async () => {
  expect(await backlog()).toEqual({});
  const { rows } = await queue.query('select part, kind from backlog(1)');
  expect(rows.map(({ part, kind }) => (kind === null ? part : `${part} ${kind}`))).toEqual([
    'delivery queued',
    'delivery sending',
    'delivery deferred',
    'webhookLane first',
    'webhookLane retry',
    'webhook working',
    'webhook failing',
    'event order',
    'event webhooks',
    'spool',
    'unparsed',
    'search',
    'searchBackfill',
    'files',
    'embedding',
    'embeddingBackfill',
    'approval',
  ]);
});

test('backlog counts recipients by status, and finds the one of each that was due first, whatever its domain', async () => {
  await recipient('deferred', at(60), 'a@zebra.example');
  await recipient('deferred', at(120), 'a@ant.example');
  await recipient('queued', at(30));
  await recipient('delivered', null);
  // A simulated complaint is not a delivery that waits.
  await recipient('delivered', at(1));
  expect(await backlog()).toEqual({ 'delivery queued': [1, at(30)], 'delivery deferred': [2, at(60)] });
});

test('backlog counts deliveries to webhooks by lane, and finds the oldest of working and of failing ones', async () => {
  const [working, failing, off] = [
    await queue.webhook(),
    await queue.webhook({ failing: true }),
    await queue.webhook({ enabled: false }),
  ];
  await queue.queue(working, 3, { retry: false, dueAt: at(50) });
  await queue.queue(failing, 2, { retry: true, dueAt: at(10) });
  // They are about to be cancelled.
  await queue.queue(off, 1, { retry: true, dueAt: at(0) });
  expect(await backlog()).toEqual({
    'webhookLane first': [3],
    'webhookLane retry': [3],
    'webhook working': [at(50)],
    'webhook failing': [at(10)],
  });
});

test('backlog counts events without a place in the log, and those that were not looked at for webhooks', async () => {
  await queue.write(3);
  const { rows } = await queue.query('select created_at from events order by insertion');
  const [first, , third] = rows.map(({ created_at }) => created_at);
  expect(await backlog()).toEqual({ 'event order': [3, first] });
  await queue.query('select order_events(10)');
  await queue.query(
    `update event_followers set position = (select position from events order by position limit 1 offset 1)`,
  );
  expect(await backlog()).toEqual({ 'event webhooks': [1, third] });
});

test('backlog counts mail in the spool with its bytes, and messages that wait to be parsed, indexed or embedded', async () => {
  const ids = Array.from({ length: 4 }, () => newId('msg'));
  const spool = `insert into spooled_mail (id, at, session_id, remote_address, envelope_from, size_bytes, targets)
    values ($1, $2, 's', '::1', '', $3, '[]')`;
  await queue.query(spool, [ids[0], at(5), 1_000]);
  await queue.query(spool, [ids[1], at(6), 500]);
  await queue.query(
    `insert into unparsed_messages (workspace_id, message_id, due_at) values ('wsp_a', $1, now())`,
    [ids[0]],
  );
  // The oldest one is of the last workspace, and not its only one.
  await queue.query(
    `insert into search_pending (workspace_id, message_id) values ('wsp_a', $2), ('wsp_b', $3), ('wsp_b', $1)`,
    ids.slice(0, 3),
  );
  await queue.query(
    `insert into embedding_pending (workspace_id, message_id, is_live) values ('wsp_a', $1, false), ('wsp_a', $2, true), ('wsp_b', $3, true)`,
    ids.slice(0, 3),
  );
  expect(await backlog()).toEqual({
    spool: [2, 1_500, at(5)],
    unparsed: [1],
    search: [3, ids[0]],
    embedding: [3, ids[1]],
  });
});

test('backlog counts no more than it is told, and finds the oldest nevertheless', async () => {
  for (let n = 5; n > 0; n--) await recipient('deferred', at(n));
  await queue.queue(await queue.webhook(), 5, { dueAt: at(9) });
  await queue.write(5);
  const { rows } = await queue.query('select min(created_at) as first from events');
  expect(await backlog(2)).toEqual({
    'delivery deferred': [2, at(1)],
    'webhookLane retry': [2],
    'webhook working': [at(9)],
    'event order': [2, rows[0]?.first],
  });
});
