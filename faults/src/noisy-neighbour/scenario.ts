import { setTimeout as sleep } from 'node:timers/promises';
import { openSubject } from '../subject.ts';
import type { Trial } from '../trial.ts';
import type { Attacker, AttackPlan, AttackReport } from './attacker.ts';
import { attackers as all } from './attackers.ts';
import { type Child, startChild } from './child.ts';
import { nowMs } from './figures.ts';
import type { HonestReport } from './honest-process.ts';
import type { Seen } from './judge.ts';
import { openServers, type Servers, type ServersPlan } from './open-servers.ts';
import type { ProbeReport } from './probe-process.ts';
import { watchServers } from './watch-server.ts';

/** One attack, or several at once, on servers of its own. */
export interface Scenario {
  attackers: Attacker[];
  seconds: number;
  processes: number;
  checkout: string;
  /** As `loosen-limits.ts` takes them. */
  limits: Record<string, Record<string, unknown>>;
  env?: Record<string, string>;
}

/** Clients of this machine count as what they stand for: strangers from elsewhere. */
const strangers = { 'mail/smtp-limits.ts smtpLimitDefaults': { loopbackExempt: false } };
const warmUpMs = 3_000;
/** Connections that do nothing have 120 s, and are looked for a little later. */
const holdingSeconds = 132;
const graceMs = 15_000;
const recoveryMsMax = 60_000;

/** Runs it to its end and gives what everybody saw. */
export const runScenario = async (trial: Trial, scenario: Scenario): Promise<Seen> => {
  const keys = all.map((_, index) => keyOf(`attacker${index}`));
  const honestKey = keyOf('honest');
  const bootstrap = [
    { name: 'honest', plan: 'business', key: honestKey },
    ...all.map(({ name }, index) => ({ name, plan: 'free', key: keys[index] })),
  ];
  const subject = await openSubject(trial, {
    env: {
      POSTRIDER_RATE_LIMITS: 'on',
      POSTRIDER_WEBHOOK_ALLOW_PRIVATE: 'true',
      POSTRIDER_BOOTSTRAP: JSON.stringify(bootstrap),
      ...scenario.env,
    },
  });
  const { processes, checkout } = scenario;
  const plan: ServersPlan = {
    checkout,
    processes,
    env: subject.home.env,
    dataDir: subject.home.dataDir,
    limits: { ...strangers, ...scenario.limits },
  };
  const children: Child[] = [];
  const open: Servers[] = [];
  const start = async () => {
    const servers = await openServers(plan);
    open.push(servers);
    return servers;
  };
  try {
    return await attack(trial, scenario, { start, children, honestKey, keys });
  } finally {
    await Promise.all(children.map((child) => child.end()));
    await Promise.all(open.map((servers) => servers.close()));
    await subject.close();
  }
};

const keyOf = (name: string): string => `pr_live_${name.padEnd(43, '0')}`;

interface Ground {
  start(): Promise<Servers>;
  children: Child[];
  honestKey: string;
  keys: string[];
}

const attack = async (trial: Trial, scenario: Scenario, ground: Ground): Promise<Seen> => {
  const servers = await ground.start();
  const begin = (file: string) => {
    const child = startChild(file);
    ground.children.push(child);
    return child;
  };
  const { targets } = servers;
  const probe = begin('./probe-process.ts');
  const honest = begin('./honest-process.ts');
  await honest.ask('start', { targets, key: ground.honestKey });
  await probe.ask('start', { targets, key: ground.honestKey });
  const seconds = Math.max(
    scenario.seconds,
    scenario.attackers.some(({ holdsConnections }) => holdsConnections) ? holdingSeconds : 0,
  );
  const at = scenario.attackers.map((attacker) => ({ attacker, child: begin('./attack-process.ts') }));
  await Promise.all(
    at.map(({ attacker: { name }, child }) => {
      const index = all.findIndex((one) => one.name === name);
      const plan: AttackPlan = { name, targets, key: ground.keys[index] ?? '', place: index + 1, seconds };
      return child.ask('prepare', plan);
    }),
  );
  await sleep(warmUpMs);
  const ports = targets.flatMap(({ url, smtpPort }) => [Number(new URL(url).port), smtpPort]);
  const watch = watchServers(servers.pids, () => ports);
  const from = nowMs();
  const attacks: Record<string, AttackReport> = {};
  const attacking = at.map(async ({ attacker: { name }, child }) => {
    attacks[name] = await child.ask<AttackReport>('attack');
  });
  let isOver = false;
  const allDead = async () => {
    while (!isOver && servers.ended() < scenario.processes) await sleep(200);
  };
  await Promise.race([
    Promise.all([...attacking, sleep(seconds * 1_000)]),
    sleep(seconds * 1_000 + graceMs),
    allDead(),
  ]);
  isOver = true;
  const to = nowMs();
  await Promise.all(at.map(({ child }) => child.end()));
  // What an ended child did not tell is rejected, and not of interest.
  await Promise.allSettled(attacking);
  const answersAfterwards = await recover(servers, probe, { from, to });
  const probeReport = await probe.ask<ProbeReport>('report', { from, to });
  const watched = await watch.stop();
  const ended = servers.ended();
  const lastWords = ended > 0 ? await servers.lastWords() : '';
  if (ended > 0 || !answersAfterwards) {
    trial.progress(
      `started again after ${ended > 0 ? 'a process ended' : 'a minute of silence'}: ${lastWords}`,
    );
    await servers.crash();
    await honest.ask('retarget', (await ground.start()).targets);
  }
  await honest.ask('stop');
  const honestReport = await honest.ask<HonestReport>('report', { from, to });
  return { probe: probeReport, honest: honestReport, watched, ended, lastWords, answersAfterwards, attacks };
};

/** Waits until the probes of the attack are answered, a minute at most; whether the servers answer. */
const recover = async (
  servers: Servers,
  probe: Child,
  span: { from: number; to: number },
): Promise<boolean> => {
  const until = performance.now() + recoveryMsMax;
  const isAnswered = async () => (await probe.ask<number>('open', span)) === 0;
  while (servers.ended() === 0 && !(await isAnswered()) && performance.now() < until) await sleep(200);
  const answers = servers.targets.map(({ url }) =>
    fetch(`${url}/livez`, { signal: AbortSignal.timeout(5_000) }).then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  return (await Promise.all(answers)).every(Boolean);
};
