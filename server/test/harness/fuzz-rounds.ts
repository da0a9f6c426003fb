import { test } from 'vitest';

/** How long to go on, as `pnpm fuzz` asks for it; in the test suite there is one round. */
const minutes = Number(process.env.POSTRIDER_FUZZ_MINUTES ?? '0');
/** The suite tries the same cases every time, so that a failure is never somebody else's. */
const firstSeed = Number(process.env.POSTRIDER_FUZZ_SEED ?? '1');

const roundTimeMaxMs = 90_000;

/**
 * A test that tries what a seed makes up. `round` throws for what must not be, and gives how many cases it tried. In a long run
 * there are rounds with one seed after another until the time is over; a failure says how to repeat its round.
 */
export const fuzzTest = (name: string, target: string, round: (seed: number) => Promise<number>): void => {
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
};
