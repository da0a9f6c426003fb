import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runTier, stopRunning } from './run-tier.ts';
import type { Command, Limits, Tier } from './tiers.ts';

const rootFolder = fileURLToPath(new URL('../../', import.meta.url));

const makeTier = (commands: (limits?: Limits) => Command[]): Tier => ({
  name: 'made',
  about: 'made for this test',
  budget: 1,
  workersBeside: 1,
  commands: (_rootFolder, limits) => commands(limits),
});

const run = (tier: Tier, isBeside = false) =>
  runTier(tier, { rootFolder, live: false, isBeside, withPlace: (work) => work() });

it('runs all commands, and adds up their processor seconds', async () => {
  const work = 'const end = process.cpuUsage().user + 100_000; while (process.cpuUsage().user < end);';
  const result = await run(
    makeTier(() => [
      ['-e', `console.log('first'); process.exit(3)`],
      ['-e', work],
      ['-e', work],
    ]),
  );
  expect(result).toMatchObject({ ok: false, counts: null, output: 'first\n' });
  expect(result.processorSeconds).toBeGreaterThan(0.2);
});

it('limits the workers of a tier only while another lane runs', async () => {
  const tier = makeTier((limits) => [['-p', `'${limits?.workers}'`]]);
  expect((await run(tier)).output).toBe('undefined\n');
  expect((await run(tier, true)).output).toBe('1\n');
});

it('ends everything that a command has started', async () => {
  const below = `require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit' })`;
  const running = run(
    makeTier(() => [['-e', `${below}.once('spawn', () => process.stdout.write('started'))`]]),
  );
  const timer = setInterval(() => stopRunning('SIGTERM'), 500);
  const result = await running;
  clearInterval(timer);
  // The output ends when the last process that holds it is gone.
  expect(result).toMatchObject({ ok: false, processorSeconds: null });
});
