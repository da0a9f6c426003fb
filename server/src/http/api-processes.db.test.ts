import { createMovingClock } from '@postrider/testkit/lib/moving-clock.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { joinApiProcesses } from './start-http.ts';

const clock = createMovingClock();
let server: TestServer;
let deps: Deps;

beforeAll(async () => {
  server = await startTestServer({ roles: ['api'], clock });
  deps = {
    ...server.server.deps,
    lookAgainMs: 50,
    config: { ...server.server.deps.config, rateLimits: true },
  };
});
afterAll(() => server.stop());

const ids = async () =>
  (await server.rows<{ id: string }>('select id from api_processes order by id')).map(({ id }) => id);
const pretend = (id: string, secondsAgo: number) =>
  server.rows('insert into api_processes (id, seen_at) values ($1, $2)', [
    id,
    new Date(clock.now().getTime() - secondsAgo * 1_000),
  ]);

test('a process counts itself and those that were heard of lately, and forgets the others', async () => {
  // In the future, as a slow machine would let it be forgotten meanwhile.
  await pretend('one alive', -3_600);
  await pretend('one dead', 60);
  const processes = await joinApiProcesses(deps);
  expect(processes.count()).toBe(2);
  expect(await ids()).toEqual([expect.stringMatching(/-/), 'one alive']);
  const second = await joinApiProcesses(deps);
  expect(second.count()).toBe(3);
  await expect.poll(processes.count, { timeout: 120_000 }).toBe(3);
  await second.leave();
  await expect.poll(processes.count, { timeout: 120_000 }).toBe(2);
  await processes.leave();
  expect(await ids()).toEqual(['one alive']);
});

test('a process that does not limit requests counts one and leaves no trace', async () => {
  const before = await ids();
  const processes = await joinApiProcesses({ ...deps, config: { ...deps.config, rateLimits: false } });
  expect(processes.count()).toBe(1);
  await processes.leave();
  expect(await ids()).toEqual(before);
});
