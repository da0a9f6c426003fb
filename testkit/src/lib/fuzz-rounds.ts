import { test } from 'vitest';

/** How long to continue, as `pnpm fuzz` sets it. In the test suite there is one round. */
const minutes = Number(process.env.POSTRIDER_FUZZ_MINUTES ?? '0');
/** The test suite tries the same cases every time, so that a failure comes from the change that is tested. */
const firstSeed = Number(process.env.POSTRIDER_FUZZ_SEED ?? '1');

/** No round takes so long that does not hang. */
const roundTimeMaxMs = 600_000;

/**
 * Defines a test that tries what a seed makes up. `round` throws if something is wrong, and returns how many cases it tried. A long run has
 * rounds with one seed after another until the time is over. A failure says how to repeat its round.
 */
export function fuzzTest(name: string, target: string, round: (seed: number) => Promise<number>): void {
  const timeout = minutes * 60_000 + roundTimeMaxMs;
  test(name, { timeout }, async () => {
    const until = Date.now() + minutes * 60_000;
    let seed = firstSeed;
    let tried = 0;
    do {
      tried += await round(seed).catch((error: unknown) => {
        throw new Error(`Repeat it with: pnpm fuzz ${target} --seed ${seed}`, { cause: error });
      });
      seed++;
    } while (Date.now() < until);
    console.log(`${target}: ${tried} cases with seeds ${firstSeed} to ${seed - 1}`);
  });
}
