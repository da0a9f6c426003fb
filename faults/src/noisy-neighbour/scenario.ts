import { openSubject } from '../subject.ts';
import type { Trial } from '../trial.ts';
import { attackers as all } from './attackers.ts';
import { type Child, startChild } from './child.ts';
import type { Seen } from './judge.ts';
import { openServers } from './open-servers.ts';
import { type Ground, runAttack, type Scenario } from './run-attack.ts';

/** Limits with which clients on this machine count as strangers from elsewhere, for whom they stand. */
const strangers = {
  'mail/smtp/smtp-limits.ts smtpLimitDefaults': { loopbackExempt: false },
  'http/connections/connection-room.ts connectionLimits': { 'loopbackExempt?': false },
};

/** Runs a scenario to its end. Returns the observations. */
export async function runScenario(trial: Trial, scenario: Scenario): Promise<Seen> {
  const keys = all.map((_, index) => makeKey(`attacker${index}`));
  const honestKey = makeKey('honest');
  const bootstrap = [
    { name: 'honest', plan: 'business', key: honestKey },
    ...all.map(({ name }, index) => ({ name, plan: 'free', key: keys[index] })),
  ];
  const { home, close } = await openSubject(trial, {
    checkout: scenario.checkout,
    env: {
      POSTRIDER_RATE_LIMITS: 'on',
      POSTRIDER_WEBHOOK_ALLOW_PRIVATE: 'true',
      POSTRIDER_BOOTSTRAP: JSON.stringify(bootstrap),
      ...scenario.env,
    },
  });
  const children: Child[] = [];
  const ground: Ground = {
    honestKey,
    keys,
    openServers: () => {
      const { processes, checkout } = scenario;
      const limits = withLimits(strangers, scenario.limits);
      return openServers(home, { checkout, processes, limits });
    },
    openChild: (file) => {
      const child = startChild(file);
      children.push(child);
      return child;
    },
  };
  try {
    return await runAttack(trial, scenario, ground);
  } finally {
    await Promise.all(children.map((child) => child.end()));
    await close();
  }
}

/** Returns both. If both set a limit of the same object, `second` wins. */
function withLimits(first: Scenario['limits'], second: Scenario['limits']): Scenario['limits'] {
  const places = [...new Set([...Object.keys(first), ...Object.keys(second)])];
  return Object.fromEntries(places.map((place) => [place, { ...first[place], ...second[place] }]));
}

function makeKey(name: string): string {
  return `pr_live_${name.padEnd(43, '0')}`;
}
