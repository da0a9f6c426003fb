import { ownCheckout } from '@postrider/testkit/servers/server-process.ts';
import type { Fault } from '../fault.ts';
import { attackers } from '../noisy-neighbour/attackers.ts';
import { type Control, controlName, controls } from '../noisy-neighbour/controls.ts';
import { holds, type Judgement, judge, names, type Seen, worseThan } from '../noisy-neighbour/judge.ts';
import { makeRow } from '../noisy-neighbour/row.ts';
import type { Scenario } from '../noisy-neighbour/run-attack.ts';
import { runScenario } from '../noisy-neighbour/scenario.ts';
import type { Trial, TrialOptions } from '../trial.ts';

const together = 'together';
const idle = 'nobody';
const seconds = 15;
const notRun = 'attacks that could not be run to their end';

function isChosen({ only }: TrialOptions, name: string): boolean {
  return only === undefined || only.includes(name);
}
function chosenControls(options: TrialOptions) {
  return controls.filter(({ name, attacker }) => isChosen(options, name) || isChosen(options, attacker));
}

export const noisyNeighbour: Fault = {
  name: 'noisy-neighbour',
  about: `${attackers.length} bad neighbours attack one at a time and all together, beside an honest tenant whose every request, mail, send and event is accounted for`,
  times: { postgres: seconds, own: seconds },
  unit: 'seconds each',
  control: {
    about: 'the same with one limit after another switched off',
    breaks: (options) => chosenControls(options).map(controlName),
    times: seconds,
  },
  run: async (trial) => {
    checkChosen(trial);
    if (trial.control) return runControls(trial);
    const scenario = (chosen: typeof attackers): Scenario => ({
      attackers: chosen,
      seconds: trial.minutes ? trial.minutes * 60 : trial.times,
      processes: trial.database === 'postgres' ? (trial.processes ?? 1) : 1,
      checkout: trial.checkout ?? ownCheckout,
      limits: {},
    });
    if (trial.minutes) return runOne(trial, together, scenario(chosenAttackers(trial)));
    if (isChosen(trial, idle)) await runOne(trial, idle, scenario([]));
    for (const attacker of attackers)
      if (isChosen(trial, attacker.name)) await runOne(trial, attacker.name, scenario([attacker]));
    if (isChosen(trial, together)) await runOne(trial, together, scenario(attackers));
  },
};

/** Throws if a name is unknown. Otherwise the run would pass without it. */
function checkChosen({ only = [] }: TrialOptions): void {
  const known = [idle, together, ...[...attackers, ...controls].map(({ name }) => name)];
  const unknown = only.filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw new Error(`There is no ${unknown.join(', ')}. There are ${known.join(', ')}.`);
}

/** Returns the attackers that a long run is limited to, or all. */
function chosenAttackers(trial: Trial) {
  return attackers.filter(({ name }) => isChosen(trial, name));
}

async function runOne(trial: Trial, name: string, scenario: Scenario): Promise<void> {
  const about = attackers.find((attacker) => attacker.name === name)?.about;
  trial.progress(`${name}${about ? ` ${about}` : ''}`);
  const seen = await runScenario(trial, scenario).catch((error: unknown) => String(error).slice(0, 300));
  const failed = typeof seen === 'string' ? [`${name}: ${seen}`] : [];
  trial.invariant(notRun, failed.length, { exactly: 0 }, failed);
  if (typeof seen === 'string') return trial.progress(`  ${seen}`);
  const isLong = trial.minutes !== undefined;
  const judgements = judge(seen, { isTogether: name === together, isLong });
  for (const judgement of judgements) {
    const { invariant, value, bound, examples } = judgement;
    const why = [name, ...examples.slice(0, 2)].join(': ');
    trial.invariant(invariant, value, bound, holds(judgement) ? [] : [why]);
  }
  const row = makeRow(name, seen, judgements, isLong);
  trial.row(row);
  trial.progress(
    `  ${Object.entries(row)
      .slice(1)
      .map(([what, value]) => `${what} ${value}`)
      .join(', ')}`,
  );
}

async function runControls(trial: Trial): Promise<void> {
  const usual = new Map<string, Judgement[][]>();
  for (const control of chosenControls(trial)) {
    const { attacker, name, breaks } = control;
    trial.progress(`${attacker} without ${name}`);
    const seen = await runControl(trial, control);
    const without = judgeControl(control, seen);
    trial.row(makeRow(`${attacker} without ${name}`, seen, without, false));
    const rounds = [without];
    const isBroken = brokenInvariants(without).some((invariant) => breaks.includes(invariant));
    const worse = isBroken ? [] : await compare(trial, control, rounds, usual);
    const broken = [...new Set(rounds.flatMap(brokenInvariants))];
    const found = [...brokenInvariants(without), ...worse];
    trial.progress(`  broken: ${found.join(', ') || 'nothing'}`);
    // A server that fails without a limit does not show what the limit is for.
    const isCaught = (isBroken || worse.length > 0) && !broken.includes(names.faults);
    trial.invariant(controlName(control), isCaught ? found.length : 0, { exactly: 0 }, found);
  }
}

/** How often an attack runs with and without a limit that no bound shows, in turn. Figures far below a bound vary. */
const roundsCompared = 3;

async function compare(
  trial: Trial,
  control: Control,
  without: Judgement[][],
  usualOf: Map<string, Judgement[][]>,
): Promise<string[]> {
  const usual = usualOf.get(control.attacker) ?? [];
  usualOf.set(control.attacker, usual);
  const judged = async (limits: Pick<Control, 'limits' | 'env'>): Promise<Judgement[]> =>
    judgeControl(control, await runControl(trial, { ...control, ...limits }));
  for (let round = 1; round <= roundsCompared; round++) {
    trial.progress(
      `  ${control.attacker} with all limits and without, to compare: ${round} of ${roundsCompared}`,
    );
    if (usual.length < round) usual.push(await judged({ limits: {}, env: {} }));
    if (without.length < round) without.push(await judged(control));
  }
  return worseThan(usual, without, control.breaks);
}

function brokenInvariants(judgements: Judgement[]): string[] {
  return judgements.filter((judgement) => !holds(judgement)).map(({ invariant }) => invariant);
}

function runControl(trial: Trial, { attacker, limits, env }: Control): Promise<Seen> {
  return runScenario(trial, {
    attackers: attacker === together ? attackers : attackers.filter(({ name }) => name === attacker),
    seconds: trial.times,
    processes: 1,
    checkout: trial.checkout ?? ownCheckout,
    limits,
    ...(env ? { env } : {}),
  });
}

function judgeControl({ attacker }: Control, seen: Seen): Judgement[] {
  return judge(seen, { isTogether: attacker === together, isLong: false });
}
