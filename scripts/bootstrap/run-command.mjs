import { spawn } from 'node:child_process';

/** A signal asked this process to end while it waited for a command. */
export class StoppedError extends Error {}

const outputCharsMax = 200_000;

/**
 * Runs a command without input and gives its exit code and output; `onLine` sees each line of output as it comes.
 * @param {string} command
 * @param {string[]} args
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, onLine?: (line: string) => void }} options
 * @returns {Promise<{ code: number, stdout: string, output: string }>}
 */
export function runCommand(command, args, { cwd, env, onLine }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let output = '';
    const take = (/** @type {string} */ text) => {
      output = (output + text).slice(-outputCharsMax);
      for (const line of text.split('\n')) if (line.trim() !== '') onLine?.(line);
    };
    child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
      stdout += text;
      take(text);
    });
    child.stderr.setEncoding('utf8').on('data', take);
    let stopped = false;
    const stop = (/** @type {NodeJS.Signals} */ signal) => {
      stopped = true;
      child.kill(signal);
    };
    process.once('SIGINT', stop).once('SIGTERM', stop);
    const settle = () => process.off('SIGINT', stop).off('SIGTERM', stop);
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('close', (code) => {
      settle();
      if (stopped) reject(new StoppedError('Stopped before it was ready.'));
      else resolve({ code: code ?? 1, stdout, output });
    });
  });
}
