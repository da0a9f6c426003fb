import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startProgram, stopAll } from './run.ts';

test('the caller that waits for a program hears that it cannot be started', async () => {
  const program = startProgram(['/nowhere/program']);
  await expect(program.until(/ready/)).rejects.toThrow('ENOENT');
  // A rejection that nobody handles would end the run of the tests here.
  await setImmediate();
  await expect(program.ended).rejects.toThrow('ENOENT');
});

test('a program that is killed has ended', async () => {
  const program = startProgram(['node', '-e', 'console.log("ready"); setInterval(() => {}, 1_000)']);
  await program.until(/ready/);
  expect(await program.stop()).toBeNull();
  await expect(program.until(/more/)).rejects.toThrow('ended');
  expect(await program.stop()).toBeNull();
});

test('everything is stopped, also if something cannot be', async () => {
  const stopped: string[] = [];
  const stop = (name: string) => async () => void stopped.push(name);
  await stopAll([stop('first'), () => Promise.reject(new Error('busy')), stop('last')]);
  expect(stopped).toEqual(['last', 'first']);
});
