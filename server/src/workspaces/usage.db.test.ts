import { plans } from '@postrider/contract';
import {
  endSharedServer,
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { actorOf, type Context } from '../context.ts';
import { wholeWorkspace } from '../lib/scope.ts';
import { knownUsage, monthEnd, monthOf, noteUsage, readUsage } from './usage.ts';
import { rollUpUsage } from './usage-days.ts';

let server: TestServer;

beforeAll(async () => {
  await endSharedServer();
  server = await startTestServer();
});
afterAll(() => server.stop());
afterEach(() => void vi.useRealTimers());

const contextOf = ({ id }: TestWorkspace, plan: Context['plan'] = 'business'): Context => ({
  ...server.server.deps,
  workspaceId: id,
  plan,
  isTest: false,
  scope: wholeWorkspace,
  actor: actorOf(null),
  requestId: null,
});
const use = (workspaceId: string, kind: string, amount: number, at: string) =>
  server.rows('insert into usage_ledger (workspace_id, kind, amount, at) values ($1, $2, $3, $4)', [
    workspaceId,
    kind,
    amount,
    at,
  ]);

test('usage is the messages of one UTC month and the attachments of all, whether rolled up or not', async () => {
  const owner = await server.workspace();
  const other = await server.workspace();
  const february = new Date('2028-02-10T00:00:00Z');
  const expected = { emails: 6, storage_bytes: 700 };
  await use(owner.id, 'emails', 1, '2028-01-31T23:59:59.999Z');
  await use(owner.id, 'emails', 2, '2028-02-01T00:00:00.000Z');
  await use(owner.id, 'emails', 4, '2028-02-29T23:59:59.999Z');
  await use(owner.id, 'emails', 8, '2028-03-01T00:00:00.000Z');
  await use(owner.id, 'storage_bytes', 900, '2028-01-01T00:00:00.000Z');
  await use(owner.id, 'storage_bytes', -200, '2028-03-01T00:00:00.000Z');
  await use(other.id, 'emails', 16, '2028-02-10T00:00:00.000Z');
  expect(await readUsage(contextOf(owner), february)).toEqual(expected);
  await rollUpUsage(server.server.deps).run({});
  expect(await readUsage(contextOf(owner), february)).toEqual(expected);
  expect(await readUsage(contextOf(await server.workspace()), february)).toEqual({
    emails: 0,
    storage_bytes: 0,
  });
});

test('what is rolled up while usage is read counts once', async () => {
  const owner = await server.workspace();
  const at = new Date('2028-05-01T00:00:00Z');
  let written = 0;
  let writing = true;
  const writer = async () => {
    for (; written < 150; written += 1) await use(owner.id, 'emails', 1, at.toISOString());
    writing = false;
  };
  const adder = async () => {
    while (writing) await rollUpUsage(server.server.deps).run({});
  };
  const reader = async () => {
    while (writing) {
      const before = written;
      const { emails } = await readUsage(contextOf(owner), at);
      expect(emails).toBeGreaterThanOrEqual(before);
      expect(emails).toBeLessThanOrEqual(written + 1);
    }
  };
  await Promise.all([writer(), adder(), adder(), reader()]);
  expect((await readUsage(contextOf(owner), at)).emails).toBe(150);
});

test('usage is known for as long as what is left cannot be used up, and for a second at most', async () => {
  const ctx = contextOf(await server.workspace());
  const month = monthOf(ctx.clock.now());
  vi.useFakeTimers({ toFake: ['performance'] });
  const knows = (emailsLeft: number, bytesLeft: number, hasAttachments: boolean, afterMs: number) => {
    const { emails_per_month, storage_bytes } = plans.business;
    const usage = { emails: emails_per_month - emailsLeft, storage_bytes: storage_bytes - bytesLeft };
    noteUsage(ctx, month, usage);
    vi.advanceTimersByTime(afterMs);
    return knownUsage(ctx, hasAttachments) !== null;
  };
  const [far, gib] = [1_000_000, 1_073_741_824];
  expect(knownUsage(ctx, false)).toBeNull();
  expect(knows(far, 100 * gib, true, 0)).toBe(true);
  expect(knows(far, 100 * gib, true, 1_000)).toBe(false);
  expect([knows(2_000, 0, false, 0), knows(2_000, 0, false, 200)]).toEqual([true, false]);
  expect(knows(2_000, 0, true, 0)).toBe(false);
  expect([knows(far, gib / 8, true, 0), knows(far, gib / 8, true, 128)]).toEqual([true, false]);
});

test('who reached the cap of messages is known to have reached it until the month ends or the plan changes', async () => {
  const ctx = contextOf(await server.workspace({ plan: 'free' }), 'free');
  vi.useFakeTimers({ toFake: ['performance'] });
  noteUsage(ctx, monthOf(ctx.clock.now()), { emails: 5_000, storage_bytes: 0 });
  expect(knownUsage(ctx, true)).toMatchObject({ emails: 5_000 });
  const nextMonth = { now: () => monthEnd(ctx.clock.now()) };
  expect(knownUsage({ ...ctx, clock: nextMonth }, false)).toBeNull();
  vi.advanceTimersByTime(1_000);
  expect(knownUsage(ctx, true)).toMatchObject({ emails: 5_000 });
  expect(knownUsage({ ...ctx, plan: 'pro' }, false)).toBeNull();
});

test.each([
  ['2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
  ['2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z'],
  ['2028-02-29T12:00:00.000Z', '2028-03-01T00:00:00.000Z'],
])('the month of %s ends at %s', (at, end) => {
  expect(monthEnd(new Date(at)).toISOString()).toBe(end);
});
