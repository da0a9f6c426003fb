/* One attacker in its own process, which ends a few seconds after its time at the latest. */
import { constants, getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, AttackPlan, AttackReport } from './attacker.ts';
import { attackers } from './attackers.ts';
import { answerParent } from './child.ts';

const prepareMsMax = 120_000;
const graceMs = 3_000;
/** The lower priority of attackers. Real ones have processors of their own; here they give way to the server. */
const politeness = 5;

let attack: Attack;
let endsAt = Number.POSITIVE_INFINITY;

function attackerOf(name: string) {
  const found = attackers.find((attacker) => attacker.name === name);
  if (!found) throw new Error(`There is no attacker ${name}.`);
  return found;
}

function begin(plan: AttackPlan): Attack {
  const report: AttackReport = { counts: {}, largestBytes: 0, error: null };
  let turn = 0;
  return {
    ...plan,
    report,
    isOver: () => performance.now() >= endsAt,
    count: (what, by = 1) => {
      report.counts[what] = (report.counts[what] ?? 0) + by;
    },
    sized: (bytes) => {
      report.largestBytes = Math.max(report.largestBytes, bytes);
    },
    target: () => plan.targets[turn++ % plan.targets.length] as AttackPlan['targets'][number],
    address: (last) => `127.0.${plan.place}.${last}`,
  };
}

setPriority(Math.min(constants.priority.PRIORITY_LOW, getPriority() + politeness));
// Broken connections are part of an attack.
process.on('uncaughtException', (error) => attack?.count(`broke: ${error.message.slice(0, 60)}`));

answerParent({
  prepare: async (plan: AttackPlan) => {
    attack = begin(plan);
    endsAt = performance.now() + prepareMsMax;
    await attackerOf(plan.name).prepare?.(attack);
    attack.report.counts = {};
  },
  attack: async (): Promise<AttackReport> => {
    endsAt = performance.now() + attack.seconds * 1_000;
    const attacking = attackerOf(attack.name)
      .attack(attack)
      .catch((error: unknown) => {
        attack.report.error = String(error).slice(0, 200);
      });
    await Promise.race([attacking, sleep(attack.seconds * 1_000 + graceMs)]);
    return attack.report;
  },
  report: () => attack.report,
});
