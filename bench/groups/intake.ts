import type { SmtpLoad, SmtpLoadResult } from '../load/smtp-load.ts';
import { type Figure, judge, ratio } from '../measure/goal.ts';
import { startFollowedServer } from '../run/follow-server.ts';
import { type Bench, type Group, inRounds } from '../run/group.ts';
import { describeLoad } from '../run/http-load.ts';
import { sendLoad } from '../run/send-load.ts';
import { startInsert } from '../run/start-insert.ts';
import type { Server } from '../run/start-server.ts';
import { untilListed } from '../run/until-listed.ts';

const limits = { unit: '×', better: 'higher' } as const;
const baseline = 'bare smtp-server and one INSERT';
const goals = {
  tenSessions: {
    id: 'P1a',
    what: `250 after commit, 10 sessions, against ${baseline}`,
    floor: 0.5,
    target: 0.8,
  },
  fiftySessions: { id: 'P1b', what: 'the same with 50 sessions', floor: 0.5, target: 0.8 },
  listed: {
    id: 'P2',
    what: `readable mail, sustained, 50 sessions, against ${baseline}`,
    floor: 0.25,
    target: 0.4,
  },
  oneEach: {
    id: 'P4a',
    what: `a connection for each mail, 50 at once, against ${baseline}`,
    floor: 0.9,
    target: null,
  },
  twoHundred: { id: 'P4b', what: 'the same with 200 at once, against 50 at once', floor: 2.5, target: null },
};

/** P1, P2 and P4: how fast small mail is accepted, against the least that a durable server has to do. */
export const intake: Group = async (bench) => {
  const server = await startFollowedServer(bench);
  const insert = await startInsert(bench);
  const send = sender(bench, server, insert.ready.port);
  bench.progress('warming up');
  const warm = { sessions: 50, seconds: bench.seconds / 2, reuse: true };
  await send.toServer(warm);
  await send.toBaseline(warm);
  const rounds = await inRounds(bench, async () => ({
    ten: await acknowledged(bench, send, 10),
    fifty: await acknowledged(bench, send, 50),
    listed: await sustained(bench, send),
    ...(await oneConnectionEach(bench, send)),
  }));
  const figures = (name: keyof (typeof rounds)[number]) => rounds.map((round) => round[name]);
  return [
    judge({ ...limits, ...goals.tenSessions }, figures('ten')),
    judge({ ...limits, ...goals.fiftySessions }, figures('fifty')),
    judge({ ...limits, ...goals.listed }, figures('listed')),
    judge({ ...limits, ...goals.oneEach }, figures('oneEach')),
    judge({ ...limits, ...goals.twoHundred }, figures('twoHundred')),
  ];
};

type Shape = Pick<SmtpLoad, 'sessions' | 'seconds' | 'reuse'>;
interface Sender {
  /** Resolves once all of it can be read, so that the rest of the server's work does not slow down the baseline after it. */
  toServer(shape: Shape): Promise<SmtpLoadResult & { lateSeconds: number }>;
  toBaseline(shape: Shape): Promise<SmtpLoadResult>;
}

function sender(bench: Bench, server: Server, baselinePort: number): Sender {
  const fixed = { to: server.inbox.address, size: 'small', seed: bench.seed } as const;
  return {
    toServer: async (shape) => {
      const from = new Date();
      const load = await sendLoad({ ...fixed, ...shape, port: server.smtpPort });
      return { ...load, lateSeconds: await untilListed(server, from, load.acknowledged) };
    },
    toBaseline: (shape) => sendLoad({ ...fixed, ...shape, port: baselinePort }),
  };
}

/** Measures how fast mail is acknowledged in a load so short that mail does not yet have to wait for the spool. */
async function acknowledged(bench: Bench, send: Sender, sessions: number): Promise<Figure> {
  const shape = { sessions, seconds: bench.seconds / 5, reuse: true };
  const { subject, least } = await besideBaseline(send, shape, shape.seconds);
  bench.progress(`${sessions} sessions: ${sayRates(subject, least)}`);
  return ratio(subject.perSecond, least);
}

/** Measures how fast mail of a sustained load can be read: until all of it is listed. */
async function sustained(bench: Bench, send: Sender): Promise<Figure> {
  const shape = { sessions: 50, seconds: bench.seconds, reuse: true };
  const { subject, least } = await besideBaseline(send, shape, bench.seconds / 2);
  const listedPerSecond = subject.acknowledged / (subject.seconds + subject.lateSeconds);
  bench.progress(
    `sustained: ${sayRates(subject, least)}; all listed after ${subject.lateSeconds.toFixed(1)} s, ${listedPerSecond.toFixed(0)}/s`,
  );
  return ratio(listedPerSecond, least);
}

/**
 * Measures the server between two runs of the baseline, of which the mean counts, because the machine may be faster or slower half a minute
 * later.
 */
async function besideBaseline(send: Sender, shape: Shape, baselineSeconds: number) {
  const toBaseline = () => send.toBaseline({ ...shape, seconds: baselineSeconds });
  const before = await toBaseline();
  const subject = await send.toServer(shape);
  const after = await toBaseline();
  return { subject, least: (before.perSecond + after.perSecond) / 2 };
}

async function oneConnectionEach(
  bench: Bench,
  send: Sender,
): Promise<{ oneEach: Figure; twoHundred: Figure }> {
  const shape = { sessions: 50, seconds: bench.seconds / 5, reuse: false };
  const fifty = await send.toServer(shape);
  const least = await send.toBaseline(shape);
  const twoHundred = await send.toServer({ ...shape, sessions: 200 });
  bench.progress(
    `a connection each: ${sayRates(fifty, least.perSecond)}; 200 at once ${twoHundred.perSecond.toFixed(0)}/s`,
  );
  return {
    oneEach: ratio(fifty.perSecond, least.perSecond),
    twoHundred: { value: twoHundred.perSecond / fifty.perSecond },
  };
}

function sayRates(subject: SmtpLoadResult, least: number): string {
  return `${describeLoad(subject)}, baseline ${least.toFixed(0)}/s`;
}
