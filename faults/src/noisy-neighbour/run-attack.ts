import { setTimeout as sleep } from 'node:timers/promises';
import type { Trial } from '../trial.ts';
import type { AttackPlan, AttackReport } from './attack.ts';
import type { Attacker } from './attacker.ts';
import { attackers as all } from './attackers.ts';
import type { Child } from './child.ts';
import { nowMs } from './figures.ts';
import type { HonestReport } from './honest-process.ts';
import type { Seen } from './judge.ts';
import type { Servers } from './open-servers.ts';
import type { ProbeReport } from './probe-process.ts';
import type { Target } from './target.ts';
import { watchServers } from './watch-server.ts';

/** One attack, or several at once, with its own servers. */
export interface Scenario {
  attackers: Attacker[];
  seconds: number;
  processes: number;
  checkout: string;
  /** In the form that `preload-limits.ts` takes. */
  limits: Record<string, Record<string, unknown>>;
  env?: Record<string, string>;
}

/** The servers, processes and keys for an attack. */
export interface Ground {
  openServers(): Promise<Servers>;
  openChild(file: string): Child;
  honestKey: string;
  /** The keys of the attackers, by their places. */
  keys: string[];
}

interface Span {
  from: number;
  to: number;
}

const warmUpMs = 3_000;
/** Longer than the 120 s that idle connections have from their acceptance, which comes late on a busy server. */
const holdingSeconds = 150;
const graceMs = 15_000;
const recoveryMsMax = 60_000;
const lastLookMs = 10_000;
const reportMsMax = 2_000;

/** Starts the honest tenant, then the attack. Returns the observations of all once everything is over. */
export async function runAttack(trial: Trial, scenario: Scenario, ground: Ground): Promise<Seen> {
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
  const lastWords = ended > 0 ? servers.lastWords() : '';
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
}

interface Attacking {
  name: string;
  child: Child;
}

function prepareAttacks(
  { attackers }: Scenario,
  { openChild, keys }: Ground,
  targets: Target[],
  seconds: number,
): Promise<Attacking[]> {
  return Promise.all(
    attackers.map(async ({ name }) => {
      const child = openChild('./attack-process.ts');
      const index = all.findIndex((one) => one.name === name);
      const plan: AttackPlan = { name, targets, key: keys[index] ?? '', place: index + 1, seconds };
      await child.ask('prepare', plan);
      return { name, child };
    }),
  );
}

/** Has all attackers attack until the time is over or all servers have ended. */
async function untilOver(attacking: Attacking[], servers: Servers, seconds: number): Promise<void> {
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
}

/** Ends all attackers and returns their reports. */
async function endAttacks(attacking: Attacking[]): Promise<Record<string, AttackReport>> {
  const silent: AttackReport = { counts: {}, largestBytes: 0, error: 'it did not tell' };
  const told = attacking.map(async ({ name, child }) => {
    const asked = child.ask<AttackReport>('report').catch(() => silent);
    const report = await Promise.race([asked, sleep(reportMsMax, silent)]);
    await child.end();
    return [name, report] as const;
  });
  return Object.fromEntries(await Promise.all(told));
}

/** Waits for the responses to the probes of the attack, at most a minute. Returns whether the servers respond. */
async function recover(servers: Servers, probe: Child, span: Span): Promise<boolean> {
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
}
