import { setTimeout as sleep } from 'node:timers/promises';
import type { Trial } from '../trial.ts';
import type { AttackPlan, AttackReport } from './attacker.ts';
import { attackers as all } from './attackers.ts';
import type { Child } from './child.ts';
import { nowMs } from './figures.ts';
import type { HonestReport } from './honest-process.ts';
import type { Seen } from './judge.ts';
import type { Servers } from './open-servers.ts';
import type { ProbeReport } from './probe-process.ts';
import type { Scenario } from './scenario.ts';
import type { Target } from './target.ts';
import { watchServers } from './watch-server.ts';

/** What an attack takes place on. */
export interface Ground {
  openServers(): Promise<Servers>;
  openChild(file: string): Child;
  honestKey: string;
  /** Those of the attackers, by their places. */
  keys: string[];
}

interface Span {
  from: number;
  to: number;
}

const warmUpMs = 3_000;
/** Connections that do nothing have 120 s from when they are accepted, which a busy server does late. */
const holdingSeconds = 150;
const graceMs = 15_000;
const recoveryMsMax = 60_000;
const lastLookMs = 10_000;
const reportMsMax = 2_000;

/** Starts the honest tenant, then the attack, and lets everybody tell what it saw once all of it is over. */
export const runAttack = async (trial: Trial, scenario: Scenario, ground: Ground): Promise<Seen> => {
  const servers = await ground.openServers();
  const { targets } = servers;
  const [probe, honest] = ['./probe-process.ts', './honest-process.ts'].map(ground.openChild) as [
    Child,
    Child,
  ];
  await honest.ask('start', { targets, key: ground.honestKey });
  await probe.ask('start', { targets, key: ground.honestKey });
  const holds = scenario.attackers.some(({ holdsConnections }) => holdsConnections);
  const seconds = Math.max(scenario.seconds, holds ? holdingSeconds : 0);
  const attacking = await prepareAttacks(scenario, ground, targets, seconds);
  await sleep(warmUpMs);
  const ports = targets.flatMap(({ url, smtpPort }) => [Number(new URL(url).port), smtpPort]);
  const watch = watchServers(servers.pids, () => ports);
  const from = nowMs();
  await untilOver(attacking, servers, seconds);
  const to = nowMs();
  const attacks = await endAttacks(attacking);
  const answersAfterwards = await recover(servers, probe, { from, to });
  const probeReport = await probe.ask<ProbeReport>('report', { from, to });
  const watched = await watch.stop();
  const ended = servers.ended();
  const lastWords = ended > 0 ? await servers.lastWords() : '';
  if (ended > 0 || !answersAfterwards) {
    trial.progress(
      `  started again after ${ended > 0 ? 'a process ended' : 'a minute of silence'}: ${lastWords}`,
    );
    await servers.crash();
    await honest.ask('retarget', (await ground.openServers()).targets);
  }
  await honest.ask('stop');
  const honestReport = await honest.ask<HonestReport>('report', { from, to });
  return { probe: probeReport, honest: honestReport, watched, ended, lastWords, answersAfterwards, attacks };
};

interface Attacking {
  name: string;
  child: Child;
}

const prepareAttacks = (
  { attackers }: Scenario,
  { openChild, keys }: Ground,
  targets: Target[],
  seconds: number,
): Promise<Attacking[]> =>
  Promise.all(
    attackers.map(async ({ name }) => {
      const child = openChild('./attack-process.ts');
      const index = all.findIndex((one) => one.name === name);
      const plan: AttackPlan = { name, targets, key: keys[index] ?? '', place: index + 1, seconds };
      await child.ask('prepare', plan);
      return { name, child };
    }),
  );

/** Has everybody attack until the time is over, or nobody is left to be attacked. */
const untilOver = async (attacking: Attacking[], servers: Servers, seconds: number): Promise<void> => {
  let isOver = false;
  const allEnded = async () => {
    while (!isOver && servers.ended() < servers.targets.length) await sleep(200);
  };
  const attacks = attacking.map(({ child }) => child.ask('attack').catch(() => undefined));
  await Promise.race([
    Promise.all([...attacks, sleep(seconds * 1_000)]),
    sleep(seconds * 1_000 + graceMs, undefined, { ref: false }),
    allEnded(),
  ]);
  isOver = true;
};

/** Ends all attackers, with what they have to tell. */
const endAttacks = async (attacking: Attacking[]): Promise<Record<string, AttackReport>> => {
  const silent: AttackReport = { counts: {}, largestBytes: 0, error: 'it did not tell' };
  const told = attacking.map(async ({ name, child }) => {
    const asked = child.ask<AttackReport>('report').catch(() => silent);
    const report = await Promise.race([asked, sleep(reportMsMax, silent)]);
    await child.end();
    return [name, report] as const;
  });
  return Object.fromEntries(await Promise.all(told));
};

/** Waits until the probes of the attack are answered, a minute at most; whether the servers answer. */
const recover = async (servers: Servers, probe: Child, span: Span): Promise<boolean> => {
  const until = performance.now() + recoveryMsMax;
  const isAnswered = async () => (await probe.ask<number>('open', span)) === 0;
  while (servers.ended() === 0 && !(await isAnswered()) && performance.now() < until) await sleep(200);
  const leftMs = Math.ceil(Math.max(lastLookMs, until - performance.now()));
  const answers = servers.targets.map(({ url }) =>
    fetch(`${url}/livez`, { signal: AbortSignal.timeout(leftMs) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return (await Promise.all(answers)).every(Boolean);
};
