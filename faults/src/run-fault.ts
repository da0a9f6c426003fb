import { cpus, totalmem } from 'node:os';
import type { Fault } from './fault.ts';
import { beginTrial, type Finding, type TrialOptions } from './trial.ts';

/** What a run showed, as it is kept. */
export interface Result extends TrialOptions {
  fault: string;
  about: string;
  /** Whether the invariants held or, for a control, whether what it had to break was broken. */
  passed: boolean;
  figures: Record<string, number>;
  findings: Finding[];
  /** Why it could not be run to its end; null when it was. */
  error: string | null;
  tookSeconds: number;
  machine: string;
}

/** Runs a fault and judges it; never rejects. */
export const runFault = async (
  fault: Fault,
  options: TrialOptions,
  say: (text: string) => void,
): Promise<Result> => {
  const trial = beginTrial(options, say);
  const from = performance.now();
  let error: string | null = null;
  try {
    await fault.run(trial);
  } catch (thrown) {
    error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  }
  const { figures, findings } = trial;
  const isBroken = (name: string) => findings.some(({ invariant, holds }) => invariant === name && !holds);
  const judged = options.control
    ? fault.control.breaks.every(isBroken)
    : findings.length > 0 && findings.every(({ holds }) => holds);
  return {
    fault: fault.name,
    about: options.control ? fault.control.about : fault.about,
    ...options,
    passed: error === null && judged,
    figures,
    findings,
    error,
    tookSeconds: Math.round((performance.now() - from) / 1_000),
    machine: describeMachine(),
  };
};

const describeMachine = (): string => {
  const [cpu] = cpus();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpu?.model.trim() || 'CPU'}, ${memoryGb} GB, ${process.platform}, Node ${process.versions.node}`;
};
