import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { makeDelivery } from '@postrider/testkit/mail/made-delivery.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ClaimedDelivery } from '../delivery.ts';
import { endWatches, watchWebhookState } from './watch-webhook-state.ts';

let server: TestServer;

beforeAll(async () => {
  server = await joinTestServer();
});
afterAll(() => server.stop());

const delivery = (origin: ClaimedDelivery['origin']) => makeDelivery(origin, server.id);

test('a delivery of the process that deletes the webhook ends before the deletion is answered', () => {
  const { deps } = server.server;
  const ctx = { ...deps, workspaceId: server.id };
  const [log, repeat] = [delivery('log'), delivery('repeat')];
  const watches = [watchWebhookState(deps, log), watchWebhookState(deps, repeat)];
  endWatches(ctx, log.webhook_id, 'stopped');
  endWatches(ctx, repeat.webhook_id, 'stopped');
  expect(watches.map(({ ended }) => ended)).toEqual(['webhook ended', null]);
  endWatches(ctx, repeat.webhook_id, 'deleted');
  expect(watches.map(({ ended }) => ended)).toEqual(['webhook ended', 'webhook ended']);
  for (const watch of watches) watch.stop();
});

test('a delivery is cut where nobody can tell whether its webhook was deleted', async () => {
  const { deps } = server.server;
  const closed = await openFreshDatabase();
  await closed.close();
  const log = delivery('log');
  const watch = watchWebhookState({ ...deps, db: closed.db }, log);
  deps.wakeups.wake(log.workspace_id, 'webhooks');
  await watch.looking;
  expect(watch.ended).toBe('cut');
  watch.stop();
});
