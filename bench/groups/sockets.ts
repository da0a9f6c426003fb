import { setTimeout as sleep } from 'node:timers/promises';
import { makeKey } from '@postrider/testkit/servers/server-process.ts';
import type { FanOut, FanOutResult } from '../load/fan-out.ts';
import type { IdleSockets } from '../load/idle-sockets.ts';
import { judge } from '../measure/goal.ts';
import { type Group, inRounds } from '../run/group.ts';
import { runScript, startScript } from '../run/program.ts';
import { startServer } from '../run/start-server.ts';

const workspaces = 100;
const socketsEach = 100;
const eventsPerRound = 40;
const settleSeconds = 15;
const idle = workspaces * socketsEach;
const latency = { unit: 'ms', better: 'lower' } as const;
const goals = {
  memory: {
    id: 'S1',
    what: `memory of an idle socket, ${idle} of them in ${workspaces} workspaces`,
    unit: 'KB',
    better: 'lower',
    floor: 40,
    target: 20,
  },
  half: {
    id: 'S2a',
    what: `answer to frame, one event to ${socketsEach} sockets, p50`,
    floor: 100,
    target: 25,
    ...latency,
  },
  most: { id: 'S2b', what: 'the same, p95', floor: 300, target: 50, ...latency },
  last: {
    id: 'S2c',
    what: 'the same, until the last socket has it, median',
    floor: 300,
    target: 50,
    ...latency,
  },
} as const;

/** S1 and S2: the memory of idle sockets, and how soon many sockets have an event while there are idle ones. */
export const sockets: Group = async (bench) => {
  const keys = Array.from({ length: workspaces }, makeKey);
  const server = await startServer(bench, await bench.postgres.createDatabase(), {}, keys);
  const { origin, key, inbox } = server;
  const fanOut: FanOut = { origin, key, inboxId: inbox.id, sockets: socketsEach, events: eventsPerRound };
  const measure = () => runScript<FanOutResult>(new URL('../load/fan-out.ts', import.meta.url), fanOut);
  bench.progress('warming up');
  await measure();
  await sleep(settleSeconds * 1_000);
  const before = server.memory().now;
  bench.progress(`opening ${idle} sockets at ${before.toFixed(0)} MB`);
  const order: IdleSockets = { origin, keys, each: socketsEach };
  const clients = await startScript<{ seconds: number }>(
    new URL('../load/idle-sockets.ts', import.meta.url),
    order,
  );
  bench.atEnd(clients.stop);
  await sleep(settleSeconds * 1_000);
  const after = server.memory().now;
  bench.progress(
    `opened in ${clients.ready.seconds.toFixed(1)} s; ${after.toFixed(0)} MB with ${idle} sockets`,
  );
  const rounds = await inRounds(bench, async () => {
    const result = await measure();
    bench.progress(
      `p50 ${result.p50Ms.toFixed(1)}, p95 ${result.p95Ms.toFixed(1)}, last ${result.lastMs.toFixed(1)} ms`,
    );
    return result;
  });
  const each = ((after - before) * 1_024) / idle;
  const said = `${before.toFixed(0)} MB before, ${after.toFixed(0)} MB with ${idle} sockets, opened in ${clients.ready.seconds.toFixed(1)} s`;
  const figures = (name: 'p50Ms' | 'p95Ms' | 'lastMs') => rounds.map((round) => ({ value: round[name] }));
  return [
    judge(goals.memory, [{ value: each }], said),
    judge(goals.half, figures('p50Ms')),
    judge(goals.most, figures('p95Ms')),
    judge(goals.last, figures('lastMs')),
  ];
};
