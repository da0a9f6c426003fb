import { expect, test } from 'vitest';
import { Circuit, type CircuitRules } from './circuit.ts';

const createTimed = (rules: Partial<CircuitRules> = {}) => {
  const time = { now: 0 };
  const circuit = new Circuit({ firstMs: 1_000, mostMs: 3_000, nowMs: () => time.now, ...rules });
  return { time, circuit };
};

test('the first failure opens it, each further one for twice as long, up to the longest wait', () => {
  const { time, circuit } = createTimed();
  const waits = [1, 2, 3].map(() => {
    expect(circuit.begin()).toBe(true);
    const waitMs = circuit.failed();
    expect([circuit.begin(), circuit.isResting, circuit.openMs]).toEqual([false, true, waitMs]);
    time.now += waitMs;
    return waitMs;
  });
  expect(waits).toEqual([1_000, 2_000, 3_000]);
  circuit.begin();
  circuit.succeeded();
  expect([circuit.failed(), circuit.openMs]).toEqual([1_000, 1_000]);
});

test('failures of several callers at once count as one', () => {
  const { circuit } = createTimed();
  expect([circuit.begin(), circuit.begin()]).toEqual([true, true]);
  expect([circuit.failed(), circuit.failed()]).toEqual([1_000, 1_000]);
});

test('after its wait one caller at a time probes, and a try that is abandoned leaves the next one to somebody else', () => {
  const { time, circuit } = createTimed();
  circuit.failed();
  time.now = 999;
  expect(circuit.begin()).toBe(false);
  time.now = 1_000;
  expect([circuit.begin(), circuit.begin(), circuit.isResting]).toEqual([true, false, true]);
  circuit.abandoned();
  expect([circuit.begin(), circuit.begin()]).toEqual([true, false]);
  circuit.succeeded();
  expect([circuit.begin(), circuit.begin()]).toEqual([true, true]);
});

test('with several failures allowed, only so many in a row open it', () => {
  const { time, circuit } = createTimed({ failuresMax: 5, mostMs: 1_000 });
  for (let count = 0; count < 4; count += 1) circuit.failed();
  circuit.succeeded();
  for (let count = 0; count < 4; count += 1) circuit.failed();
  expect(circuit.begin()).toBe(true);
  circuit.failed();
  expect(circuit.begin()).toBe(false);
  time.now = 1_000;
  expect(circuit.begin()).toBe(true);
  expect(circuit.failed()).toBe(1_000);
});

test('a failure that does not pass by itself opens it for the longest time', () => {
  const { circuit } = createTimed();
  expect(circuit.failed(false)).toBe(3_000);
});
