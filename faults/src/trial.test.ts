import { describe, expect, test } from 'vitest';
import { beginTrial } from './trial.ts';

const trial = (seed = 1) => beginTrial({ database: 'postgres', times: 1, seed, control: false }, () => {});

describe('a trial', () => {
  test('chooses the same moments again for the same seed, and others for another', () => {
    const chosen = (seed: number) => {
      const { random } = trial(seed);
      return Array.from({ length: 100 }, random);
    };
    expect(chosen(7)).toEqual(chosen(7));
    expect(chosen(7)).not.toEqual(chosen(8));
    expect(chosen(7).every((value) => value >= 0 && value < 1)).toBe(true);
  });

  test('tells an invariant once, with the worst that was seen of it', () => {
    const { invariant, findings } = trial();
    invariant('lost', 0, { exactly: 0 });
    invariant('lost', 2, { exactly: 0 }, ['a', 'b']);
    invariant('lost', 1, { exactly: 0 }, ['c']);
    invariant('slowest', 9, { most: 5 });
    invariant('slowest', 3, { most: 5 });
    invariant('ratio', 2, { least: 1 });
    expect(findings).toEqual([
      { invariant: 'lost', value: 3, bound: { exactly: 0 }, holds: false, examples: ['a', 'b', 'c'] },
      { invariant: 'slowest', value: 9, bound: { most: 5 }, holds: false, examples: [] },
      { invariant: 'ratio', value: 2, bound: { least: 1 }, holds: true, examples: [] },
    ]);
  });
});
