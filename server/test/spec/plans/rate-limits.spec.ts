/* Sections 2 and 7: each workspace has the requests of its plan, and every answer says how many are left. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Plan, plans } from '@postrider/contract';
import { freshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { catchApiError } from '@postrider/testkit/http/api-errors.ts';
import type { PlainAnswer } from '@postrider/testkit/http/plain-request.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  startTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { refusalHeldMsMax } from '../../../src/http/callers.ts';
import { refusalRate } from '../../../src/lib/admission/server-limits.ts';
import { changeWorkspace } from '../../../src/workspaces/manage-workspaces.ts';

/** Of the free plan nothing comes back, so that a slow test counts as a quick one does. */
const figures = {
  free: { requests_per_second: 0, requests_burst: 5 },
  pro: { requests_per_second: 20, requests_burst: 10 },
  scale: { requests_per_second: 1, requests_burst: 10_000 },
  business: { requests_per_second: 1, requests_burst: 2 },
};
const on = { POSTRIDER_RATE_LIMITS: 'on', POSTRIDER_PLANS: JSON.stringify(figures) };
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: on });
});
afterAll(() => server.stop());

const ask = ({ key }: TestWorkspace, path = '/v1/inboxes', at = server) => at.request(path, { key });
const askMany = (owner: TestWorkspace, count: number, at = server) =>
  Promise.all(Array.from({ length: count }, () => ask(owner, '/v1/inboxes', at)));
const headersOf = ({ headers }: PlainAnswer) =>
  ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'].map((name) => headers.get(name));
const allowed = (answers: PlainAnswer[]) => answers.filter(({ status }) => status === 200).length;

test('Interface 2: every answer of /v1 says what is left, whatever its status, and one without a key says nothing', async () => {
  const owner = await server.workspace({ plan: 'free' });
  expect(headersOf(await ask(owner))).toEqual(['5', '4', '86400']);
  expect(headersOf(await ask(owner, '/v1/inboxes?limit=0'))).toEqual(['5', '3', '86400']);
  expect(headersOf(await ask(owner, '/v1/messages/msg_unknown'))).toEqual(['5', '2', '86400']);
  expect(headersOf(await ask(owner, '/v1/nothing'))).toEqual(['5', '1', '86400']);
  expect(headersOf(await ask(owner))).toEqual(['5', '0', '86400']);
  const refused = await ask(owner);
  expect([refused.status, ...headersOf(refused)]).toEqual([429, '5', '0', '86400']);
  for (const path of ['/v1/inboxes', '/livez'])
    expect(headersOf(await server.request(path, { key: null }))).toEqual([null, null, null]);
});

test('Interface 2: RateLimit-Reset is when all requests are there again, and RateLimit-Remaining is right within 10 %', async () => {
  const owner = await server.workspace({ plan: 'scale' });
  const start = performance.now();
  const answers = await askMany(owner, 50);
  const least = answers.map(headersOf).sort((a, b) => Number(a[1]) - Number(b[1]))[0] ?? [];
  const [limit, remaining, reset] = least.map(Number);
  expect(limit).toBe(10_000);
  expect(remaining).toBeGreaterThanOrEqual(9_950);
  // One a second has come back.
  expect(remaining).toBeLessThanOrEqual(9_950 + Math.ceil((performance.now() - start) / 1_000));
  expect(Math.abs((reset ?? 0) - (10_000 - (remaining ?? 0)))).toBeLessThanOrEqual(1);
});

test('Interface 2 Errors rate_limited: says in Retry-After and retry_after_seconds when to come back, before the body is read', async () => {
  const { key } = await server.workspace({ plan: 'business' });
  const unreadable = { key, method: 'POST', body: '{', headers: { 'content-type': 'text/plain' } };
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => server.request('/v1/inboxes', unreadable)),
  );
  const refused = answers.filter(({ status }) => status !== 415);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers, body } of refused) {
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    expect(body).toMatchObject({ error: 'rate_limited', retry_after_seconds: 1, reason: 'requests' });
  }
});

test('Interface 7: of twenty requests at once a workspace gets its burst, and others have theirs', async () => {
  const [owner, other] = [await server.workspace({ plan: 'free' }), await server.workspace({ plan: 'free' })];
  expect(allowed(await askMany(owner, 20))).toBe(5);
  expect(allowed(await askMany(other, 20))).toBe(5);
});

test('Interface 7: what is refused is not counted, and the requests of the plan come back second by second', async () => {
  const owner = await server.workspace({ plan: 'pro' });
  const start = performance.now();
  let passed = 0;
  while (passed < 50) {
    passed += allowed(await askMany(owner, 10));
    await sleep(20);
  }
  expect(passed).toBeLessThanOrEqual(10 + (20 * (performance.now() - start)) / 1_000);
  // All ten are there again after half a second, or after more on a busy machine.
  await sleep(550);
  expect(allowed(await askMany(owner, 10))).toBe(10);
});

test('Interface 7: refusals of a workspace that goes on asking are late, and others are answered at once', async () => {
  const [owner, other] = [await server.workspace({ plan: 'free' }), await server.workspace({ plan: 'free' })];
  const timed = async (workspace: TestWorkspace) => {
    const start = performance.now();
    const { status } = await ask(workspace);
    return { status, isHeld: performance.now() - start >= refusalHeldMsMax };
  };
  const count = refusalRate.burst + 100;
  const asked = Promise.all(Array.from({ length: count }, () => timed(owner)));
  expect((await timed(other)).status).toBe(200);
  const refused = (await asked).filter(({ status }) => status === 429);
  expect(refused).toHaveLength(count - figures.free.requests_burst);
  expect(refused.filter(({ isHeld }) => isHeld).length).toBeGreaterThan(50);
});

test('Interface 7: a plan is in force with the next request, and changing it gives nothing back', async () => {
  const owner = await server.workspace({ plan: 'free' });
  const { deps } = server.server;
  expect(allowed(await askMany(owner, 8))).toBe(5);
  await changeWorkspace(deps, owner, { plan: 'pro' });
  await eventually('a request of the new plan', async () => allowed([await ask(owner)]) === 1);
  await changeWorkspace(deps, owner, { plan: 'free' });
  await askMany(owner, 5);
  for (let round = 0; round < 5; round += 1) {
    // The plan of a thousand at once gives one a second.
    await changeWorkspace(deps, owner, { plan: 'scale' });
    await changeWorkspace(deps, owner, { plan: 'free' });
    const answer = await ask(owner);
    expect([answer.status, ...headersOf(answer)]).toEqual([429, '5', '0', '86400']);
  }
});

test('Interface 7: a plan without requests refuses all of them', async () => {
  const figures = { free: { requests_per_second: 0, requests_burst: 0 } };
  const closed = await startTestServer({ env: { ...on, POSTRIDER_PLANS: JSON.stringify(figures) } });
  const { status, headers, body } = await ask(
    await closed.workspace({ plan: 'free' }),
    '/v1/inboxes',
    closed,
  );
  expect([status, headers.get('retry-after'), body.retry_after_seconds]).toEqual([429, '86400', 86_400]);
  await closed.stop();
});

test('Interface 7: a request that waits counts once', async () => {
  const owner = await server.workspace({ plan: 'free' });
  const waited = await ask(owner, '/v1/messages?wait_seconds=1');
  expect([waited.status, headersOf(waited)[1]]).toEqual([200, '4']);
  expect(headersOf(await ask(owner))[1]).toBe('3');
});

test('Interface 7: the SDK waits as it is told and asks again', async () => {
  const owner = await server.workspace({ plan: 'pro' });
  const patient = new Postrider({ apiKey: owner.key, baseURL: `${server.url}/v1`, maxRetries: 2 });
  const hasty = new Postrider({ apiKey: owner.key, baseURL: `${server.url}/v1`, maxRetries: 0 });
  // Some come back while the others are answered, so that few requests might all pass on a busy machine.
  const refusal = () =>
    Promise.all(Array.from({ length: 40 }, () => hasty.inboxes.list())).then(
      () => null,
      (error: unknown) => error,
    );
  await catchApiError(Promise.reject(await eventually('a refusal', refusal)), 'rate_limited');
  const pages = await Promise.all(Array.from({ length: 12 }, () => patient.inboxes.list()));
  expect(pages).toHaveLength(12);
});

test('Interface 7: requests a second and their burst are those of the plan', async () => {
  const usual = await startTestServer({ env: { POSTRIDER_RATE_LIMITS: 'on' } });
  for (const plan of Plan.options) {
    const { key } = await usual.workspace({ plan });
    const { headers } = await usual.request('/v1/inboxes', { key });
    expect([plan, headers.get('ratelimit-limit')]).toEqual([plan, String(plans[plan].requests_burst)]);
  }
  await usual.stop();
});

test('Interface 10 POSTRIDER_RATE_LIMITS: off lets everything through and says nothing', async () => {
  const open = await startTestServer({ env: { ...on, POSTRIDER_RATE_LIMITS: 'off' } });
  const owner = await open.workspace({ plan: 'free' });
  const answers = await askMany(owner, 30, open);
  expect(allowed(answers)).toBe(30);
  expect(headersOf(answers[0] as PlainAnswer)).toEqual([null, null, null]);
  await open.stop();
});

describe('two servers', () => {
  test('Interface 7: share the requests of a plan, and who is left alone has all of them', async () => {
    const database = await freshDatabase();
    const plans = { free: { requests_per_second: 0, requests_burst: 20 } };
    const env = { ...on, POSTRIDER_PLANS: JSON.stringify(plans), POSTRIDER_SECRET: 'a'.repeat(64) };
    const start = () => startTestServer({ database: database.settings, env });
    const one = await start();
    const remaining = async (at: TestServer) => {
      const answer = await ask(await one.workspace({ plan: 'free' }), '/v1/inboxes', at);
      return headersOf(answer)[1];
    };
    const passed = async (owner: TestWorkspace, at: TestServer) => allowed(await askMany(owner, 30, at));
    expect(await remaining(one)).toBe('19');
    const two = await start();
    expect(await remaining(two)).toBe('18');
    await eventually('the first to know of the second', async () => (await remaining(one)) === '18');
    const shared = await one.workspace({ plan: 'free' });
    expect([await passed(shared, one), await passed(shared, two)]).toEqual([10, 10]);
    await two.stop();
    await eventually('the first to be alone', async () => (await remaining(one)) === '19');
    const alone = await one.workspace({ plan: 'free' });
    expect(await passed(alone, one)).toBe(20);
    expect(await passed(shared, one)).toBe(0);
    await one.stop();
    await database.drop();
  });
});
