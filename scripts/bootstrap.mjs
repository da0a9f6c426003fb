// Runs on Node 20 with nothing but npm: it gets the Node and pnpm that the project needs, installs what the verb needs, and
// hands over to the real program. Plain JavaScript, because the Node that starts it may not run TypeScript.
import { join } from 'node:path';
import { buildConsole } from './bootstrap/build-console.mjs';
import { rootFolder } from './bootstrap/folders.mjs';
import { installFor } from './bootstrap/install.mjs';
import { StoppedError } from './bootstrap/run-command.mjs';
import { runProgram } from './bootstrap/run-program.mjs';
import { environmentOf, findRuntime } from './bootstrap/runtime.mjs';
import { allocatorEnv, nodeOptions } from './bootstrap/server-env.mjs';

// The server asks for the same folder by itself, but only this early does it start without the compiler of TypeScript, which
// takes 15 MB and stays.
const serverEnv = {
  NODE_COMPILE_CACHE: join(rootFolder, 'server', 'node_modules', '.cache', 'compile'),
  ...allocatorEnv,
};

/** What each verb runs, how much has to be installed for it, the options of Node, and its environment. */
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
async function main([name = '', ...rest]) {
  const verb = Object.hasOwn(verbs, name) ? verbs[/** @type {keyof typeof verbs} */ (name)] : null;
  if (verb === null) {
    console.error(`usage: node scripts/bootstrap.mjs ${Object.keys(verbs).join('|')} [arguments]`);
    return 2;
  }
  const runtime = await findRuntime();
  await installFor(verb.level, runtime);
  if (verb.needsConsole) await buildOrWarn(runtime);
  const command = [...verb.options, verb.program, ...verb.leading, ...rest];
  return runProgram(runtime, command, rootFolder, verb.env);
}

/**
 * Builds the console. A server without its pages still takes mail, so a failure is told and does not keep it from starting.
 * @param {import('./bootstrap/runtime.mjs').Runtime} runtime
 */
async function buildOrWarn(runtime) {
  try {
    await buildConsole({ node: runtime.node, env: environmentOf(runtime) });
  } catch (error) {
    if (error instanceof StoppedError) throw error;
    console.error(`${error instanceof Error ? error.message : String(error)}\nThe server starts without it.`);
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (/** @type {unknown} */ error) => {
    console.error(`\n${error instanceof Error ? error.message : String(error)}`);
    process.exit(1);
  },
);
