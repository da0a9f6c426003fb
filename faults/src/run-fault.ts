import { cpus, totalmem } from 'node:os';
import type { Fault } from './fault.ts';
import { beginTrial, type Finding, type Row, type TrialOptions } from './trial.ts';

/** The result of a run, as it is kept. */
export interface Result extends Omit<TrialOptions, 'checkout'> {
  fault: string;
  about: string;
  /** The time when it began. */
  at: string;
  /** Whether the invariants held or, for a control, whether all those broke that it had to break. */
  passed: boolean;
  figures: Record<string, number>;
  findings: Finding[];
  /** The table of a fault that has one. */
  rows?: Row[];
  /** The unit of `times`, if it is another than times. */
  unit?: string;
  /** The error that ended it early; null if there was none. */
  error: string | null;
  tookSeconds: number;
  machine: string;
}

/** Runs a fault and judges it. It never rejects. */
export async function runFault(
  fault: Fault,
  options: TrialOptions,
  say: (text: string) => void,
): Promise<Result> {
  const trial = beginTrial(options, say);
  const from = performance.now();
  const at = new Date().toISOString();
  let error: string | null = null;
  try {
    await fault.run(trial);
  } catch (thrown) {
    error = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  }
  const { figures, findings, rows } = trial;
  // The path of a folder on this machine is of no use to a reader of the results.
  const { checkout: _, ...kept } = options;
  const { breaks } = fault.control;
  const mustBreak = typeof breaks === 'function' ? breaks(options) : breaks;
  const isBroken = (name: string) => findings.some(({ invariant, holds }) => invariant === name && !holds);
  const judged = options.control
    ? mustBreak.length > 0 && mustBreak.every(isBroken)
    : findings.length > 0 && findings.every(({ holds }) => holds);
  return {
    fault: fault.name,
    about: options.control ? fault.control.about : fault.about,
    at,
    ...kept,
    passed: error === null && judged,
    figures,
    findings,
    ...(rows.length > 0 ? { rows } : {}),
    ...(fault.unit ? { unit: fault.unit } : {}),
    error,
    tookSeconds: Math.round((performance.now() - from) / 1_000),
    machine: describeMachine(),
  };
}

function describeMachine(): string {
  const [cpu] = cpus();
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return `${cpus().length} × ${cpu?.model.trim() || 'CPU'}, ${memoryGb} GB, ${process.platform}, Node ${process.versions.node}`;
}
