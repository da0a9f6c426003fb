import { seededRandom } from '@postrider/testkit/lib/seeded-random.ts';

/** The kinds of database that a server runs on. */
export type DatabaseKind = 'own' | 'postgres';

/** The options of a trial. */
export interface TrialOptions {
  database: DatabaseKind;
  /** How often the fault is done. */
  times: number;
  seed: number;
  /** Whether it runs against the deliberately bad variant. */
  control: boolean;
  /** The parts of a fault to run, if it has parts with names; all of them by default. */
  only?: string[];
  /** The duration of a long run in minutes, if the fault has one. */
  minutes?: number;
  /** The number of server processes, if the fault leaves it open. */
  processes?: number;
  /** The folder of another checkout whose server is tried, if the fault can do that. */
  checkout?: string;
}

/** One row of a table of a report, by the heads of its columns. */
export type Row = Record<string, string | number>;

/** The values that an invariant allows. */
export type Bound = { exactly: number } | { most: number } | { least: number };

/** One invariant with its value, and whether it held. */
export interface Finding {
  invariant: string;
  value: number;
  bound: Bound;
  holds: boolean;
  /** A few of the things that broke it. */
  examples: string[];
}

/** One run of a fault, which has its random numbers and records what is seen. */
export interface Trial extends TrialOptions {
  /** Returns a number from 0 to below 1. The sequence is the same for the same seed. */
  random(): number;
  progress(text: string): void;
  /** Adds to a figure of the report. */
  count(figure: string, by?: number): void;
  /** Sets a figure of the report. */
  figure(name: string, value: number): void;
  /** Records the value of an invariant. If it is recorded several times, it is one finding with the worst value. */
  invariant(name: string, value: number, bound: Bound, examples?: Iterable<string>): void;
  /** Adds a row to the table of the report. */
  row(row: Row): void;
  readonly figures: Record<string, number>;
  readonly findings: Finding[];
  readonly rows: Row[];
}

const examplesMax = 5;

/** Begins a trial. `say` is called with its progress. */
export function beginTrial(options: TrialOptions, say: (text: string) => void): Trial {
  const figures: Record<string, number> = {};
  const findings: Finding[] = [];
  const rows: Row[] = [];
  return {
    ...options,
    figures,
    findings,
    rows,
    row: (row) => {
      rows.push(row);
    },
    random: seededRandom(options.seed),
    progress: say,
    count: (name, by = 1) => {
      figures[name] = (figures[name] ?? 0) + by;
    },
    figure: (name, value) => {
      figures[name] = value;
    },
    invariant: (invariant, value, bound, examples = []) => {
      const some = [...examples].slice(0, examplesMax);
      const before = findings.find((finding) => finding.invariant === invariant);
      if (!before) findings.push({ invariant, value, bound, holds: isWithin(value, bound), examples: some });
      else {
        before.value = worse(before.value, value, bound);
        before.holds &&= isWithin(value, bound);
        before.examples = [...before.examples, ...some].slice(0, examplesMax);
      }
    },
  };
}

/** Returns the value of an invariant that is recorded again. */
function worse(before: number, now: number, bound: Bound): number {
  if ('most' in bound) return Math.max(before, now);
  if ('least' in bound) return Math.min(before, now);
  return bound.exactly === 0 ? before + now : before === bound.exactly ? now : before;
}

function isWithin(value: number, bound: Bound): boolean {
  if ('exactly' in bound) return value === bound.exactly;
  return 'most' in bound ? value <= bound.most : value >= bound.least;
}
