import type { DatabaseKind, Trial, TrialOptions } from './trial.ts';

/** A scripted fault with the invariants that have to hold during and after it. */
export interface Fault {
  /** Its name on the command line. */
  name: string;
  about: string;
  /** How often it is done unless the command line says otherwise. It does not run on a kind of database that is not here. */
  times: Partial<Record<DatabaseKind, number>>;
  /** The unit of that number; `times` by default. */
  unit?: string;
  control: {
    /** The deliberate mistake in it. */
    about: string;
    /** The invariants that it has to break, all of them. */
    breaks: string[] | ((options: TrialOptions) => string[]);
    times: number;
  };
  run(trial: Trial): Promise<void>;
}
