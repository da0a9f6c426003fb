import { setTimeout as sleep } from 'node:timers/promises';
import { type Figure, judge, notMeasured, type Outcome } from '../measure/goal.ts';
import { fitSlope } from '../measure/statistics.ts';
import { type Bench, type Group, inRounds } from '../run/group.ts';
import { sendLoad } from '../run/send-load.ts';
import { type Server, startServer } from '../run/start-server.ts';
import { untilListed } from '../run/until-listed.ts';

const start = { unit: 's', better: 'lower', floor: 4, target: 1.5 } as const;
const memory = { unit: 'MB', better: 'lower', floor: 200, target: 130 } as const;
const goals = {
  postgres: { id: 'P20a', what: 'start to ready, schema current, Postgres', ...start },
  own: { id: 'P20b', what: 'start to ready, schema current, a Postgres of its own', ...start },
  idlePostgres: { id: 'P20c', what: 'memory after 30 s without work, Postgres', ...memory },
  idleOwn: { id: 'P20d', what: 'memory after 30 s without work, with a Postgres of its own', ...memory },
  growth: {
    id: 'P20e',
    what: 'growth of memory at half load',
    unit: '%/h',
    better: 'lower',
    floor: 10,
    target: 3,
  },
} as const;

const idleSeconds = 30;
/** A shorter soak shows nothing about an hour. */
const soakMinutesMin = 30;

/** P20: how soon the server is ready, and how much memory it takes. */
export const startAndMemory: Group = async (bench) => {
  bench.progress('first starts');
  let servers = await Promise.all([
    startServer(bench, await bench.postgres.createDatabase()),
    startServer(bench, null),
  ]);
  const rounds = await inRounds(bench, async () => {
    // One after the other, because two at once would share the cores.
    const restarted: Server[] = [];
    for (const server of servers) {
      await server.stop();
      restarted.push(await server.start());
    }
    servers = restarted as [Server, Server];
    const seconds = servers.map(({ startMs }) => startMs / 1_000);
    bench.progress(`Postgres ${seconds[0]?.toFixed(2)} s, its own ${seconds[1]?.toFixed(2)} s`);
    return seconds.map((value): Figure => ({ value }));
  });
  bench.progress(`idle for ${idleSeconds} s`);
  await sleep(idleSeconds * 1_000);
  const idle = servers.map((server): Figure => ({ value: server.memory().now }));
  return [
    judge(
      goals.postgres,
      rounds.map(([figure]) => figure!),
    ),
    judge(
      goals.own,
      rounds.map(([, figure]) => figure!),
    ),
    judge(goals.idlePostgres, [idle[0]!]),
    judge(goals.idleOwn, [idle[1]!]),
    await soak(bench, servers[0]!),
  ];
};

async function soak(bench: Bench, server: Server): Promise<Outcome> {
  const fixed = {
    port: server.smtpPort,
    to: server.inbox.address,
    sessions: 10,
    reuse: true,
    size: 'small',
    seed: bench.seed,
  } as const;
  // Mail can be acknowledged much faster than it can be filed.
  const from = new Date();
  const { acknowledged, seconds: taken } = await sendLoad({ ...fixed, seconds: 10 });
  const perSecond = acknowledged / (taken + (await untilListed(server, from, acknowledged)));
  const seconds = bench.minutes * 60;
  bench.progress(`soak of ${bench.minutes} minutes at ${(perSecond / 2).toFixed(0)} mails a second`);
  const samples: [number, number][] = [];
  const timer = setInterval(() => samples.push([performance.now() / 3_600_000, server.memory().now]), 1_000);
  await sendLoad({ ...fixed, seconds, perSecondMax: perSecond / 2 });
  clearInterval(timer);
  // In the first third, caches fill and the heap reaches its size.
  const steady = samples.slice(samples.length / 3);
  const first = steady[0]?.[1] ?? Number.NaN;
  const growth = (100 * fitSlope(steady)) / first;
  const said = `${first.toFixed(0)} MB, ${growth.toFixed(1)} %/h over ${bench.minutes} minutes`;
  return bench.minutes < soakMinutesMin
    ? notMeasured(goals.growth, `${said}; it takes --minutes ${soakMinutesMin} to tell`)
    : judge(goals.growth, [{ value: growth }], said);
}
