import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { environmentOf } from './runtime.mjs';

const preload = new URL('./stay-with-parent.mjs', import.meta.url).href;
// A terminal sends the signal to every process of the group, so the program may have it already. It gets this long to see it.
const forwardDelayMs = 100;
const parentCheckMs = 500;
const loadingLineMs = 10_000;

/**
 * Runs a program of the project with this process's input and output, passes signals on once, and gives its exit code. The
 * program is asked to stop when this process or the npm that started it ends in any way.
 * @param {import('./runtime.mjs').Runtime} runtime
 * @param {string[]} args options of Node, the TypeScript file and its arguments
 * @param {string} cwd
 * @param {NodeJS.ProcessEnv} [env] variables of the program beside those of this process
 * @param {boolean} [saysLoaded] whether the program tells when it is loaded
 * @returns {Promise<number>}
 */
export function runProgram(runtime, args, cwd, env = {}, saysLoaded = false) {
  return new Promise((resolve, reject) => {
    const child = spawn(
      runtime.node,
      ['--disable-warning=ExperimentalWarning', '--import', preload, ...args],
      {
        cwd,
        env: { ...env, ...environmentOf(runtime) },
        stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      },
    );
    if (saysLoaded) sayLoading(child);
    const forward = (/** @type {NodeJS.Signals} */ signal) => {
      setTimeout(() => {
        if (child.connected) child.send({ signal }, () => {});
      }, forwardDelayMs);
    };
    process.on('SIGINT', forward).on('SIGTERM', forward);
    const parent = process.ppid;
    const startedByNpm = process.env.npm_lifecycle_event !== undefined;
    const watch = setInterval(() => {
      if (!startedByNpm || process.ppid === parent) return;
      clearInterval(watch);
      forward('SIGTERM');
    }, parentCheckMs);
    watch.unref();
    child.once('error', (error) => reject(new Error(`Could not run ${runtime.node}: ${error.message}`)));
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}

/**
 * Says every ten seconds that a program is being loaded, which takes long only for the first time, until the program says that it is.
 * @param {import('node:child_process').ChildProcess} child
 */
function sayLoading(child) {
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += loadingLineMs / 1000;
    process.stderr.write(`  … Loading the server, ${seconds} s\n`);
  }, loadingLineMs);
  timer.unref();
  child.once('message', () => clearInterval(timer));
}
