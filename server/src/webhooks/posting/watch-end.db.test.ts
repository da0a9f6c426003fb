import { afterAll, beforeAll, expect, test } from 'vitest';
import { openFreshDatabase } from '../../../test/harness/fresh-database.ts';
import { makeDelivery } from '../../../test/harness/made-delivery.ts';
import { joinTestServer, type TestServer } from '../../../test/harness/test-server.ts';
import type { ClaimedDelivery } from './claimed-delivery.ts';
import { endWatches, watchEnd } from './watch-end.ts';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const delivery = (origin: ClaimedDelivery['origin']) => makeDelivery(origin, server.id);

test('a delivery of the process that deletes the webhook ends before the deletion is answered', () => {
  const { deps } = server.server;
  const [log, repeat] = [delivery('log'), delivery('repeat')];
  const watches = [watchEnd(deps, log), watchEnd(deps, repeat)];
  endWatches(deps, log.webhook_id, 'stopped');
  endWatches(deps, repeat.webhook_id, 'stopped');
  expect(watches.map(({ ended }) => ended)).toEqual(['webhook ended', null]);
  endWatches(deps, repeat.webhook_id, 'deleted');
  expect(watches.map(({ ended }) => ended)).toEqual(['webhook ended', 'webhook ended']);
  for (const watch of watches) watch.stop();
});

test('a delivery is cut where nobody can tell whether its webhook was deleted', async () => {
  const { deps } = server.server;
  const closed = await openFreshDatabase();
  await closed.close();
  const log = delivery('log');
  const watch = watchEnd({ ...deps, db: closed.db }, log);
  deps.wakeups.wake(log.webhook_id);
  await watch.looking;
  expect(watch.ended).toBe('cut');
  watch.stop();
});
