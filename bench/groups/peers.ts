import { type Figure, type Goal, judge, notMeasured, type Outcome, ratio } from '../measure/goal.ts';
import { startHaraka, startMaildev } from '../peers/npm-peers.ts';
import type { Peer } from '../peers/peer.ts';
import { startPostfix } from '../peers/postfix.ts';
import { type Bench, type Group, inRounds } from '../run/group.ts';
import { sendLoad } from '../run/send-load.ts';
import { startServer } from '../run/start-server.ts';
import { untilListed } from '../run/until-listed.ts';

const limits = { unit: '×', better: 'higher', floor: 0.8, target: 1.2 } as const;
const shapes = {
  reuse: { sessions: 50, reuse: true },
  each: { sessions: 50, reuse: false },
};

/** A peer, the goals about it, and the shape of the load for each. */
interface Comparison {
  name: string;
  start(bench: Bench): Promise<Peer>;
  goals: (Goal & { shape: keyof typeof shapes })[];
}

const comparisons: Comparison[] = [
  {
    name: 'Postfix',
    start: startPostfix,
    goals: [
      {
        id: 'P3a',
        what: 'readable mail, 50 sessions, against Postfix with its queue on the disk',
        shape: 'reuse',
        ...limits,
      },
      {
        id: 'P4c',
        what: 'a connection for each mail, 50 at once, against Postfix',
        shape: 'each',
        ...limits,
        floor: null,
        target: 1,
      },
    ],
  },
  {
    name: 'Haraka',
    start: startHaraka,
    goals: [
      {
        id: 'P3b',
        what: 'readable mail, 50 sessions, against Haraka with its queue on the disk',
        shape: 'reuse',
        ...limits,
      },
    ],
  },
  {
    name: 'maildev',
    start: startMaildev,
    goals: [
      {
        id: 'P3c',
        what: 'readable mail, 50 sessions, against maildev, which keeps mail in memory',
        shape: 'reuse',
        ...limits,
      },
    ],
  },
];

/** P3 and P4: how fast mail is accepted, against mail servers that others wrote. */
export const peers: Group = async (bench) => {
  const server = await startServer(bench, await bench.postgres.createDatabase());
  const seconds = bench.seconds / 6;
  const fixed = { to: server.inbox.address, size: 'small', seed: bench.seed, seconds } as const;
  const started = await Promise.all(comparisons.map((one) => startPeer(bench, one)));
  const measured = started.flatMap(({ peer, goals }) =>
    peer ? goals.map((goal) => ({ goal, port: peer.port })) : [],
  );
  bench.progress('warming up');
  for (const port of [server.smtpPort, ...measured.map((one) => one.port)])
    await sendLoad({ ...fixed, ...shapes.reuse, port, seconds: seconds / 2 });
  const figures = new Map<string, Figure[]>();
  await inRounds(bench, async () => {
    for (const [name, shape] of Object.entries(shapes)) {
      const from = new Date();
      const subject = await sendLoad({ ...fixed, ...shape, port: server.smtpPort });
      const late = await untilListed(server, from, subject.acknowledged);
      // With a connection for each mail, only the time until 250 counts.
      const seconds = subject.seconds + (name === 'each' ? 0 : late);
      const rate = subject.acknowledged / seconds;
      for (const { goal, port } of measured.filter((one) => one.goal.shape === name)) {
        const peer = await sendLoad({ ...fixed, ...shape, port });
        bench.progress(`${goal.id}: ${rate.toFixed(0)}/s, peer ${peer.perSecond.toFixed(0)}/s`);
        figures.set(goal.id, [...(figures.get(goal.id) ?? []), ratio(rate, peer.perSecond)]);
      }
    }
  });
  return started.flatMap(({ goals, note }) =>
    goals.map(({ shape: _, ...goal }): Outcome => {
      const values = figures.get(goal.id);
      return values ? judge(goal, values, note) : notMeasured(goal, note);
    }),
  );
};

async function startPeer(bench: Bench, { name, start, goals }: Comparison) {
  try {
    const peer = await start(bench);
    bench.progress(`${name} ${peer.version} listens`);
    return { peer, goals, note: `${name} ${peer.version}` };
  } catch (error) {
    return { peer: null, goals, note: `${name} cannot be had here: ${(error as Error).message}` };
  }
}
