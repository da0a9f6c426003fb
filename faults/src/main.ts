import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Fault } from './fault.ts';
import { answerLoop } from './faults/answer-loop.ts';
import { databaseGone } from './faults/database-gone.ts';
import { directHold } from './faults/direct-hold.ts';
import { diskFull } from './faults/disk-full.ts';
import { eventSoak } from './faults/event-soak.ts';
import { killApproving } from './faults/kill-approving.ts';
import { killDatabase } from './faults/kill-database.ts';
import { killIntake } from './faults/kill-intake.ts';
import { killMcp } from './faults/kill-mcp.ts';
import { killMigration } from './faults/kill-migration.ts';
import { killSending } from './faults/kill-sending.ts';
import { lostAnswer } from './faults/lost-answer.ts';
import { noisyNeighbour } from './faults/noisy-neighbour.ts';
import { ownDomain } from './faults/own-domain.ts';
import { powerLoss } from './faults/power-loss.ts';
import { realMail } from './faults/real-mail.ts';
import { ruleRace } from './faults/rule-race.ts';
import { runaway } from './faults/runaway.ts';
import { sameClientId } from './faults/same-client-id.ts';
import { smtpTorture } from './faults/smtp-torture.ts';
import { starved } from './faults/starved.ts';
import { stopSending } from './faults/stop-sending.ts';
import { stopUnderLoad } from './faults/stop-under-load.ts';
import { twoProcesses } from './faults/two-processes.ts';
import { webhooks } from './faults/webhooks.ts';
import { printComparison } from './noisy-neighbour/compare-results.ts';
import { printResult } from './print-result.ts';
import { type Result, runFault } from './run-fault.ts';
import type { DatabaseKind, TrialOptions } from './trial.ts';
import { writeResults } from './write-results.ts';

/** Every fault, in the order of `all`. */
const faults: Fault[] = [
  killIntake,
  powerLoss,
  killDatabase,
  databaseGone,
  diskFull,
  sameClientId,
  killSending,
  killApproving,
  killMcp,
  lostAnswer,
  smtpTorture,
  stopUnderLoad,
  starved,
  killMigration,
  ruleRace,
  stopSending,
  twoProcesses,
  eventSoak,
  webhooks,
  ownDomain,
  answerLoop,
  runaway,
  noisyNeighbour,
  directHold,
  realMail,
];

const usage = `pnpm faults <name>… | all | results
  --database own|postgres   only on this kind; by default on each that the fault is for
  --times N                      how often the fault is done
  --seed N                       for the random moments; by default a new one
  --control                      against the bad variant, which must be caught
  --json FILE                    writes what was seen
  --only A,B                     noisy-neighbour: these attackers or controls, or \`together\`
  --minutes N                    noisy-neighbour: all attackers together for so long; direct-hold: the load
  --processes N                  noisy-neighbour: so many servers, on Postgres
  --checkout DIR                 noisy-neighbour: the server of another checkout
pnpm faults compare BEFORE.json AFTER.json
                                 a table of what two runs of noisy-neighbour showed
`;

const options = {
  database: { type: 'string' },
  times: { type: 'string' },
  seed: { type: 'string' },
  control: { type: 'boolean', default: false },
  json: { type: 'string' },
  only: { type: 'string' },
  minutes: { type: 'string' },
  processes: { type: 'string' },
  checkout: { type: 'string' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function readArguments() {
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

async function main(): Promise<boolean> {
  const given = readArguments();
  if (given === undefined || given.values.help) return explain();
  const { values, positionals } = given;
  if (positionals[0] === 'results') return writeResults();
  if (positionals[0] === 'compare') return printComparison(positionals.slice(1));
  const chosen = positionals[0] === 'all' ? faults : faults.filter(({ name }) => positionals.includes(name));
  if (chosen.length === 0) return explain();
  const results: Result[] = [];
  for (const fault of chosen)
    for (const plan of plansFor(fault, values)) {
      const kind = plan.control ? 'control' : 'trial';
      console.log(`${fault.name}, ${kind} on ${plan.database}: ${fault.about}`);
      const result = await runFault(fault, plan, (text) => console.log(`  ${text}`));
      printResult(result);
      results.push(result);
      if (values.json) await writeFile(values.json, `${JSON.stringify(results, null, 2)}\n`);
    }
  printTotals(results);
  return results.length > 0 && results.every(({ passed }) => passed);
}

function plansFor(
  fault: Fault,
  values: { [option in keyof typeof options]?: string | boolean },
): TrialOptions[] {
  const kinds = Object.keys(fault.times) as DatabaseKind[];
  return kinds
    .filter((kind) => values.database === undefined || values.database === kind)
    .map((database) => ({
      database,
      times: Number(values.times ?? (values.control ? fault.control.times : fault.times[database])),
      seed: Number(values.seed ?? Math.floor(Math.random() * 2 ** 32)),
      control: values.control === true,
      ...(values.only ? { only: String(values.only).split(',') } : {}),
      ...(values.minutes ? { minutes: Number(values.minutes) } : {}),
      ...(values.processes ? { processes: Number(values.processes) } : {}),
      ...(values.checkout ? { checkout: resolve(String(values.checkout)) } : {}),
    }));
}

function explain(): boolean {
  console.log(usage);
  for (const { name, about } of faults) console.log(`  ${name.padEnd(18)} ${about}`);
  return false;
}

function printTotals(results: Result[]): void {
  console.log('\nfault               database  run      times  seconds  verdict');
  for (const { fault, database, control, times, tookSeconds, passed } of results)
    console.log(
      [
        fault.padEnd(19),
        database.padEnd(9),
        (control ? 'control' : 'trial').padEnd(8),
        String(times).padStart(5),
        String(tookSeconds).padStart(8),
        passed ? ' ok' : ' FAILED',
      ].join(' '),
    );
}

// An exit ends the child processes and the mounts, and a signal would end this process without one.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

process.exitCode = (await main()) ? 0 : 1;
