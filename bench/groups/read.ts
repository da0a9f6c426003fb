import { Postrider } from 'postrider';
import { Pool } from 'undici';
import { type Figure, type Goal, judge, type Outcome, ratio } from '../measure/goal.ts';
import { percentile } from '../measure/statistics.ts';
import { type Bench, type Group, inRounds } from '../run/group.ts';
import { describeLoad, sendRequests } from '../run/http-load.ts';
import { seededId, startSeeding } from '../run/seed-messages.ts';
import { runSql, startExpress } from '../run/start-express.ts';
import { type Server, startServer } from '../run/start-server.ts';

const goals = {
  read: {
    id: 'P6',
    what: 'GET /messages/{id}, 10 connections, against express with key look-up',
    floor: 0.5,
    target: 0.9,
  },
  messagesP50: { id: 'P17a', what: 'GET /messages, first page, 1,000,000 against 10,000 messages, p50' },
  messagesP95: { id: 'P17b', what: 'the same, p95' },
  threadsP50: { id: 'P17c', what: 'GET /threads, first page, 1,000,000 against 10,000 messages, p50' },
  threadsP95: { id: 'P17d', what: 'the same, p95' },
};

// Multiples of three, the messages of a seeded thread.
const few = 9_999;
const some = 99_999;
const many = 999_999;
/** The other workspace's messages have numbers of their own. */
const otherFrom = 2_000_001;

/** P6 and P17: how fast messages are read, and whether lists stay as fast when there are many. */
export const read: Group = async (bench) => {
  const databaseUrl = await bench.postgres.createDatabase();
  const server = await startServer(bench, databaseUrl);
  const other = await new Postrider({
    apiKey: server.otherKey,
    baseURL: `${server.origin}/v1`,
  }).inboxes.create({ local_part: 'other' });
  const seeding = await startSeeding(databaseUrl);
  bench.progress(`seeding ${some} messages`);
  await seeding.add({ inboxId: server.inbox.id, from: 0, to: some - 1 });
  await seeding.add({ inboxId: other.id, from: otherFrom, to: otherFrom + few - 1 });
  const reading = await readOne(bench, server);
  bench.progress(`seeding ${many} messages`);
  await seeding.add({ inboxId: server.inbox.id, from: some, to: many - 1 });
  await seeding.finish();
  return [reading, ...(await listMany(bench, server))];
};

const readOne = async (bench: Bench, server: Server): Promise<Outcome> => {
  const express = await startExpress(bench);
  await runSql(express.databaseUrl, [
    `insert into messages select 'one', 'msg_01a' || lpad(to_hex(n), 23, '0'), 'a@sender.example', array['bench@postrider.test'],
       'Subject ' || n, (select string_agg('word' || (5000 ^ random())::int, ' ') from generate_series(1, 80) g where n > 0),
       null, now() from generate_series(0, ${some - 1}) n`,
    'vacuum analyze',
  ]);
  let count = 0;
  // A large stride over the table, so that neighbours in time are not neighbours in memory.
  const next = () => ({
    method: 'GET' as const,
    path: `/v1/messages/${seededId('msg', (count++ * 7_919) % some)}`,
  });
  const ask = (target: { origin: string; key: string }, seconds: number) =>
    sendRequests({ ...target, connections: 10, seconds, next });
  bench.progress('warming up');
  await ask(server, bench.seconds / 10);
  await ask(express, bench.seconds / 10);
  const figures = await inRounds(bench, async () => {
    const subject = await ask(server, bench.seconds / 6);
    const least = await ask(express, bench.seconds / 6);
    bench.progress(`GET one: ${describeLoad(subject)}, baseline ${describeLoad(least)}`);
    return ratio(subject.perSecond, least.perSecond);
  });
  return judge({ unit: '×', better: 'higher', ...goals.read }, figures);
};

const listMany = async (bench: Bench, server: Server): Promise<Outcome[]> => {
  const pool = new Pool(server.origin, { connections: 1 });
  const lists = { messages: '/v1/messages', threads: '/v1/threads' };
  const rounds = await inRounds(bench, async () => {
    const figures: Figure[] = [];
    for (const path of Object.values(lists)) {
      const [large, small] = await timeByTurns(pool, path, [server.key, server.otherKey], bench.seconds / 6);
      const [p50, p95] = [0.5, 0.95].map(
        (share) => [percentile(large, share), percentile(small, share)] as const,
      );
      bench.progress(`${path}: p50 ${say(p50)}, p95 ${say(p95)} ms`);
      figures.push(ratio(...p50!), ratio(...p95!));
    }
    return figures;
  });
  await pool.destroy();
  const named = [goals.messagesP50, goals.messagesP95, goals.threadsP50, goals.threadsP95];
  return named.map((goal, at) =>
    judge(
      { ...growth, ...goal },
      rounds.map((figures) => figures[at]!),
    ),
  );
};

const growth: Pick<Goal, 'unit' | 'better' | 'floor' | 'target'> = {
  unit: '×',
  better: 'lower',
  floor: 2,
  target: 1.2,
};

const say = (pair: readonly [number, number] | undefined): string =>
  pair?.map((value) => value.toFixed(1)).join(' and ') ?? '';

/** How long requests took that two callers made by turns, one after another, in milliseconds. */
const timeByTurns = async (pool: Pool, path: string, keys: [string, string], seconds: number) => {
  const took: [number[], number[]] = [[], []];
  const deadline = performance.now() + seconds * 1_000;
  while (performance.now() < deadline)
    for (const [at, key] of keys.entries()) {
      const start = performance.now();
      const headers = { authorization: `Bearer ${key}` };
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers });
      await body.dump();
      if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}.`);
      took[at]?.push(performance.now() - start);
    }
  return took;
};
