import type { DatabaseKind, Trial, TrialOptions } from './trial.ts';

/** A scripted fault with the invariants that have to hold over it. */
export interface Fault {
  /** What the command line calls it. */
  name: string;
  about: string;
  /** How often it is done unless the command line says otherwise; a kind of database that is not here is not run. */
  times: Partial<Record<DatabaseKind, number>>;
  /** What that number counts; `times` by default. */
  unit?: string;
  control: {
    /** What is deliberately wrong in it. */
    about: string;
    /** The invariants that it has to break, each of them. */
    breaks: string[] | ((options: TrialOptions) => string[]);
    times: number;
  };
  run(trial: Trial): Promise<void>;
}
