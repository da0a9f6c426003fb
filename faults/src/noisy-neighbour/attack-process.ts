/* One attacker in its own process, which ends a few seconds after its time at the latest. */
import { constants, getPriority, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attack, type AttackPlan, type AttackReport, flood } from './attack.ts';
import { holdConnections, holdSockets, pipeline } from './attack-connections.ts';
import { ask, obtain } from './attack-http.ts';
import { sendMail } from './attack-mail.ts';
import type { Attacker, MakeMail, Means } from './attacker.ts';
import { attackers } from './attackers.ts';
import { answerParent } from './child.ts';

const prepareMsMax = 120_000;
const graceMs = 3_000;
/** The lower priority of attackers. Real ones have processors of their own; here they give way to the server. */
const politeness = 5;

let attack: Attack;
let begin: () => Promise<unknown>;
let endsAt = Number.POSITIVE_INFINITY;

/** Creates what an attacker needs, and returns a function that begins all that it does. */
async function prepareAttack(attacker: Attacker): Promise<() => Promise<unknown>> {
  const means = await fillInbox(attacker);
  await attacker.prepare?.(attack, means);
  const { requests, sockets, mail, pipelines } = attacker;
  const next = requests?.from(means);
  const held = (await attacker.connections?.(attack, means)) ?? [];
  const run = `${attack.name}-${Date.now()}`;
  return () =>
    Promise.all([
      ...(requests && next ? [flood(attack, requests.atOnce, (number) => ask(attack, next(number)))] : []),
      ...(sockets ? [holdSockets(attack, sockets, means.eventId)] : []),
      ...(mail
        ? [sendMail(attack, { ...mail, to: means.inbox.address, make: makeMails(mail.make, run) })]
        : []),
      ...held.map((plan) => holdConnections(attack, plan)),
      ...(pipelines ? [pipeline(attack, pipelines)] : []),
    ]);
}

async function fillInbox({ has }: Attacker): Promise<Means> {
  const inbox = await obtain<Means['inbox']>(attack, {
    method: 'POST',
    path: '/v1/inboxes',
    body: { local_part: `${attack.name}-box` },
  });
  const means = { inbox, threadId: '', eventId: '', origin: attack.target().url };
  if (!has) return means;
  const make = makeMails(has.make, attack.name);
  await sendMail(attack, { to: inbox.address, sessions: 1, count: 1, make });
  const more = { sessions: has.sessions, count: has.mails - 1, make: (number: number) => make(number + 1) };
  await sendMail(attack, { to: inbox.address, ...more });
  return { ...means, threadId: await firstId('threads'), eventId: await firstId('events') };
}

/** Returns the id of the first thread or event, once there is one. */
async function firstId(plural: string): Promise<string> {
  for (;;) {
    const page = await obtain<Record<string, { id: string }[]>>(attack, { path: `/v1/${plural}?limit=1` });
    const id = page[plural]?.[0]?.id;
    if (id !== undefined) return id;
    if (attack.isOver()) throw new Error(`There are no ${plural}.`);
    await sleep(100);
  }
}

function makeMails(make: MakeMail, run: string): (number: number) => string {
  return (number) => make(`${run}-${number}`, `${attack.name}-0`);
}

function findAttacker(name: string) {
  const found = attackers.find((attacker) => attacker.name === name);
  if (!found) throw new Error(`There is no attacker ${name}.`);
  return found;
}

function open(plan: AttackPlan): Attack {
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
    attack = open(plan);
    endsAt = performance.now() + prepareMsMax;
    begin = await prepareAttack(findAttacker(plan.name));
    attack.report.counts = {};
  },
  attack: async (): Promise<AttackReport> => {
    endsAt = performance.now() + attack.seconds * 1_000;
    const attacking = begin().catch((error: unknown) => {
      attack.report.error = String(error).slice(0, 200);
    });
    await Promise.race([attacking, sleep(attack.seconds * 1_000 + graceMs)]);
    return attack.report;
  },
  report: () => attack.report,
});
