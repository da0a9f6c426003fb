import type { Bound } from '../trial.ts';
import type { AttackReport } from './attacker.ts';
import { slopeOf } from './figures.ts';
import type { HonestReport } from './honest-process.ts';
import type { ProbeReport } from './probe-process.ts';
import type { Watched } from './watch-server.ts';

/** What was seen of one attack, by everybody. */
export interface Seen {
  probe: ProbeReport;
  honest: HonestReport;
  watched: Watched;
  /** Processes that ended by themselves. */
  ended: number;
  /** What an ended process said last. */
  lastWords: string;
  /** Whether the servers answered within a minute after the attack. */
  answersAfterwards: boolean;
  attacks: Record<string, AttackReport>;
}

/** An invariant, what was seen of it, and a word on why it is broken. */
export interface Judgement {
  invariant: string;
  value: number;
  bound: Bound;
  examples: string[];
}

const mib = 1_048_576;
/** The first part of a long run fills caches and pools. */
const warmUpShare = 0.33;

/** The names of the invariants. */
export const names = {
  probeP99: "p99 of the honest tenant's GET /v1/inboxes in ms",
  probeLongest: 'longest of them in ms',
  probeFailed: 'of them not answered with 200',
  failures: 'other honest requests that failed',
  faults: 'answers of 500, to whomever',
  taken: 'longest wait of an honest mail for its 250 in ms',
  readable: 'longest wait from its 250 until it is listed in ms',
  events: 'p99 of the wait of an honest webhook, socket or poll for its event in ms',
  neverDone: 'honest mails and sends that were never taken, a minute later neither',
  lost: 'lost mails, sends and events',
  twice: 'mails, sends and events that came twice',
  memory: 'memory (RSS) in MB',
  ended: 'processes that ended',
  silent: 'servers that did not answer a minute later',
  idle: 'connections that did nothing for 120 s and are still open',
  largest: 'largest answer with more than one message in bytes',
  growth: 'growth of memory in MB a minute',
} as const;

/** What was tried: one attacker or nobody, or all at once, and whether for many minutes. */
export interface Attempt {
  isTogether: boolean;
  isLong: boolean;
}

/** Bounds of times in ms, of memory in MB, and of requests that fail. */
interface Bounds {
  probeP99: number;
  probeLongest: number;
  taken: number;
  readable: number;
  events: number;
  memory: number;
  failures: number;
}

/** Whatever one workspace or one stranger does, others do not notice. */
const boundsOfOne: Bounds = {
  probeP99: 100,
  probeLongest: 500,
  taken: 2_000,
  readable: 2_000,
  events: 5_000,
  memory: 899,
  failures: 0,
};

/** All of them at once, who run on the same two cores, make others wait for seconds. */
const boundsOfAll: Bounds = {
  probeP99: 2_000,
  probeLongest: 5_000,
  taken: 10_000,
  readable: 30_000,
  events: 10_000,
  memory: 1_535,
  failures: 0,
};

type Line = [invariant: string, value: number, bound: Bound, examples?: string[]];

/** Each value has its own line in a report, so a bound of its own needs a name of its own. */
export const nameWhileAllAttack = (name: string): string => `${name}, while all attack`;

/** Judges one attempt. That memory stays flat takes many minutes to see. */
export const judge = (seen: Seen, { isTogether, isLong }: Attempt): Judgement[] => {
  const bounds = isTogether ? boundsOfAll : boundsOfOne;
  const bounded = (key: keyof Bounds, value: number, examples: string[] = []): Line => {
    const name = isTogether ? nameWhileAllAttack(names[key]) : names[key];
    return [name, value, { most: bounds[key] }, examples];
  };
  const { probe, honest, watched } = seen;
  const { mailAccounts, sendAccounts, eventAccounts } = honest;
  const accounts = [mailAccounts, sendAccounts, eventAccounts];
  const lost = accounts.flatMap((account) => account.lost);
  const twice = accounts.flatMap((account) => account.twice);
  const neverDone = honest.mailsNeverTaken + honest.sendsNeverAnswered;
  const failures = Object.entries(honest.failures);
  const told = [failures, ...Object.values(seen.attacks).map(({ counts }) => Object.entries(counts))];
  const faults = told.flat().filter(([name]) => name.endsWith(': 500'));
  const largest = Math.max(0, ...Object.values(seen.attacks).map(({ largestBytes }) => largestBytes));
  const made: Line[] = [
    bounded('probeP99', probe.p99),
    bounded('probeLongest', probe.longest),
    [names.probeFailed, probe.failed, { exactly: 0 }, Object.keys(probe.failures)],
    bounded(
      'failures',
      sum(failures),
      failures.map(([name]) => name),
    ),
    [names.faults, sum(faults), { exactly: 0 }, faults.map(([name]) => name)],
    bounded('taken', honest.taken.longest, Object.keys(honest.refusals)),
    bounded('readable', honest.readable.longest),
    bounded('events', eventsP99Of(honest)),
    [names.neverDone, neverDone, { exactly: 0 }],
    [names.lost, lost.length, { exactly: 0 }, lost],
    [names.twice, twice.length, { exactly: 0 }, twice],
    bounded('memory', watched.rssMb),
    [names.ended, seen.ended, { exactly: 0 }, seen.lastWords ? [seen.lastWords.slice(0, 100)] : []],
    [names.silent, seen.answersAfterwards || seen.ended > 0 ? 0 : 1, { exactly: 0 }],
    [names.idle, watched.idleConnections, { exactly: 0 }],
    [names.largest, largest, { most: 6 * mib }],
  ];
  if (isLong) made.push([names.growth, growthOf(watched), { most: 3 }]);
  return made.map(([invariant, value, bound, examples = []]) => ({ invariant, value, bound, examples }));
};

/** Of those who follow the events of the honest tenant, the one that waits longest. */
export const eventsP99Of = ({ events }: Pick<HonestReport, 'events'>): number =>
  Math.max(0, ...Object.values(events).map(({ p99 }) => p99));

/** How memory grows once it has warmed up, in MB a minute. */
export const growthOf = ({ samples }: Pick<Watched, 'samples'>): number => {
  const warm = samples.slice(Math.floor(samples.length * warmUpShare));
  const slope = slopeOf(warm.map(({ at, rssMb }) => ({ x: at / 60_000, y: rssMb })));
  return Math.round(slope * 100) / 100;
};

/** Whether a value is within its bound. */
export const holds = ({ value, bound }: Pick<Judgement, 'value' | 'bound'>): boolean => {
  if ('exactly' in bound) return value === bound.exactly;
  return 'most' in bound ? value <= bound.most : value >= bound.least;
};

const sum = (counts: [name: string, count: number][]): number =>
  counts.reduce((total, [, count]) => total + count, 0);

/** A quick machine stays within a bound without a limit that a slow one needs; what the limit is for shows all the same. */
const timesWorse = 3;
/** A smaller share of a bound may be chance. */
const shareOfBoundMin = 0.25;

/** Which of the invariants are so many times worse without a limit than with all of them, on the same machine. */
export const worseThan = (usual: Judgement[], without: Judgement[], among: string[]): string[] =>
  among.flatMap((name) => {
    // A comparison that breaks the bound itself says nothing.
    const before = usual.find((judgement) => judgement.invariant === name && holds(judgement))?.value;
    const after = without.find(({ invariant }) => invariant === name);
    if (!before || !after || !('most' in after.bound) || after.value < after.bound.most * shareOfBoundMin)
      return [];
    return after.value > before * timesWorse
      ? [`${name}: ${before} with the limit, ${after.value} without`]
      : [];
  });
