import { join } from 'node:path';
import { buildConsole } from './build-console.mjs';
import { rootFolder } from './folders.mjs';
import { installFor } from './install.mjs';
import { StoppedError } from './run-command.mjs';
import { runProgram } from './run-program.mjs';
import { environmentOf, findRuntime } from './runtime.mjs';
import { allocatorEnv, nodeOptions } from './server-env.mjs';

// The server asks for the same folder by itself, but only this early does it start without the compiler of TypeScript, which
// takes 15 MB and stays.
const serverEnv = {
  NODE_COMPILE_CACHE: join(rootFolder, 'server', 'node_modules', '.cache', 'compile'),
  ...allocatorEnv,
};

/** The program of each verb, how much has to be installed for it, the options of Node, and its environment. */
const verbs = {
  start: {
    level: /** @type {const} */ ('server'),
    program: 'server/src/main.ts',
    leading: ['start'],
    options: nodeOptions,
    env: serverEnv,
    needsConsole: true,
  },
  postrider: {
    level: /** @type {const} */ ('server'),
    program: 'server/src/main.ts',
    leading: [],
    options: nodeOptions,
    env: serverEnv,
    needsConsole: false,
  },
  docs: {
    level: /** @type {const} */ ('everything'),
    program: 'scripts/build-docs.ts',
    leading: [],
    options: [],
    env: {},
    needsConsole: false,
  },
  test: {
    level: /** @type {const} */ ('everything'),
    program: 'scripts/check.ts',
    leading: [],
    options: [],
    env: {},
    // The tests build it when they come to it.
    needsConsole: false,
  },
};

/**
 * Runs one verb and gives the exit code of its program.
 * @param {string[]} argv
 * @returns {Promise<number>}
 */
export async function runVerb([name = '', ...rest]) {
  const verb = Object.hasOwn(verbs, name) ? verbs[/** @type {keyof typeof verbs} */ (name)] : null;
  if (verb === null) {
    console.error(`usage: node scripts/bootstrap.mjs ${Object.keys(verbs).join('|')} [arguments]`);
    return 2;
  }
  const runtime = await findRuntime();
  await installFor(verb.level, runtime);
  if (verb.needsConsole) await buildOrWarn(runtime);
  const command = [...verb.options, verb.program, ...verb.leading, ...rest];
  return runProgram(runtime, command, rootFolder, verb.env, name === 'start');
}

/**
 * Builds the console. A server without its pages still takes mail, so a failure is told and does not keep it from starting.
 * @param {import('./runtime.mjs').Runtime} runtime
 */
async function buildOrWarn(runtime) {
  try {
    await buildConsole({ node: runtime.node, env: environmentOf(runtime) });
  } catch (error) {
    if (error instanceof StoppedError) throw error;
    console.error(`${error instanceof Error ? error.message : String(error)}\nThe server starts without it.`);
  }
}
