import { seededRandom } from '../../server/test/harness/seeded-random.ts';

/** The kinds of database that a server runs on. */
export type DatabaseKind = 'embedded' | 'postgres';

/** What a trial is asked to do. */
export interface TrialOptions {
  database: DatabaseKind;
  /** How often the fault is done. */
  times: number;
  seed: number;
  /** Runs against the deliberately bad variant. */
  control: boolean;
  /** The parts of a fault that are done, for a fault that has parts with names; all of them by default. */
  only?: string[];
  /** How long a long run takes, for a fault that has one. */
  minutes?: number;
  /** How many processes serve, for a fault that leaves it open. */
  processes?: number;
  /** The folder of another checkout whose server is tried, for a fault that can. */
  checkout?: string;
}

/** One line of a table of a report, by the heads of its columns. */
export type Row = Record<string, string | number>;

/** What an invariant allows. */
export type Bound = { exactly: number } | { most: number } | { least: number };

/** One invariant, what was seen, and whether it held. */
export interface Finding {
  invariant: string;
  value: number;
  bound: Bound;
  holds: boolean;
  /** A few of what broke it. */
  examples: string[];
}

/** One run of a fault: its randomness, and where it notes what it sees. */
export interface Trial extends TrialOptions {
  /** From 0 to below 1, the same again for the same seed. */
  random(): number;
  progress(text: string): void;
  /** Adds to a figure of the report. */
  count(figure: string, by?: number): void;
  /** Sets a figure of the report. */
  figure(name: string, value: number): void;
  /** Notes what was seen of an invariant; seen several times, it is one finding with the worst of them. */
  invariant(name: string, value: number, bound: Bound, examples?: Iterable<string>): void;
  /** Adds a line to the table of the report. */
  row(row: Row): void;
  readonly figures: Record<string, number>;
  readonly findings: Finding[];
  readonly rows: Row[];
}

const examplesMax = 5;

/** Begins a trial; `say` hears of its progress. */
export const beginTrial = (options: TrialOptions, say: (text: string) => void): Trial => {
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
};

/** What to tell of an invariant that is looked at twice. */
const worse = (before: number, now: number, bound: Bound): number => {
  if ('most' in bound) return Math.max(before, now);
  if ('least' in bound) return Math.min(before, now);
  return bound.exactly === 0 ? before + now : before === bound.exactly ? now : before;
};

const isWithin = (value: number, bound: Bound): boolean => {
  if ('exactly' in bound) return value === bound.exactly;
  return 'most' in bound ? value <= bound.most : value >= bound.least;
};
