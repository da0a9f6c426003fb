import { expect, test } from 'vitest';
import type { Fault } from './fault.ts';
import { runFault } from './run-fault.ts';
import type { Trial } from './trial.ts';

const run = (control: boolean, work: (trial: Trial) => void) => {
  const fault: Fault = {
    name: 'made-up',
    about: '',
    times: { postgres: 1 },
    control: { about: '', breaks: ['lost'], times: 1 },
    run: async (trial) => work(trial),
  };
  return runFault(fault, { database: 'postgres', times: 1, seed: 1, control }, () => {});
};
const sees = (lost: number) => (trial: Trial) => trial.invariant('lost', lost, { exactly: 0 });

test('a trial passes when every invariant holds, and a control when what it has to break is broken', async () => {
  expect((await run(false, sees(0))).passed).toBe(true);
  expect((await run(false, sees(1))).passed).toBe(false);
  expect((await run(true, sees(0))).passed).toBe(false);
  expect((await run(true, sees(1))).passed).toBe(true);
});

test('neither passes when something else is broken, nothing is looked at, or the run ends early', async () => {
  const other = (trial: Trial) => trial.invariant('other', 1, { exactly: 0 });
  const early = (trial: Trial) => {
    sees(1)(trial);
    throw new Error('The port is taken.');
  };
  expect((await run(true, other)).passed).toBe(false);
  expect((await run(false, () => {})).passed).toBe(false);
  const { passed, error } = await run(true, early);
  expect([passed, error?.split('\n')[0]]).toEqual([false, 'Error: The port is taken.']);
});
