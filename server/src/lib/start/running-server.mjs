// How a verb reaches the server that runs on a data folder. Plain JavaScript that needs nothing but Node 20, because it runs before
// the Node and the packages of the project are known, and loading more would cost a pause most of its time.
import { once } from 'node:events';
import { request } from 'node:http';
import { join, relative, resolve } from 'node:path';

/** The data folder of a server whose settings name none. */
export const defaultDataDir = './data';

/** The length that the kernels of all systems accept. */
const socketPathBytesMax = 103;

/** Verbs that this program does itself. They would wait for a server that hangs. */
const ownVerbs = ['start', 'migrate', 'doctor'];

/**
 * Returns the path of the socket on which the running server listens for its owner. Names of sockets are short, so the path from the
 * working folder is used if that is shorter. Returns null if both are too long.
 * @param {string} dataDir
 * @returns {string | null}
 */
export function socketPath(dataDir) {
  const absolute = join(resolve(dataDir), 'admin.sock');
  const fromHere = relative(process.cwd(), absolute);
  const path = fromHere.length < absolute.length ? fromHere : absolute;
  return Buffer.byteLength(path) <= socketPathBytesMax ? path : null;
}

/**
 * Sends a request to the server of a data folder. Returns null if none is running.
 * @param {string} dataDir
 * @param {object} body
 * @returns {Promise<import('node:http').IncomingMessage | null>}
 */
export async function askServer(dataDir, body) {
  const path = socketPath(dataDir);
  if (path === null) return null;
  const call = request({ socketPath: path, method: 'POST', path: '/', agent: false });
  try {
    const response = once(call, 'response');
    call.end(JSON.stringify(body));
    return (await response)[0];
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).syscall === 'connect') return null;
    throw error;
  }
}

/**
 * Runs a verb in the running server and prints what it prints. Returns its exit code, or null if this program has to do it: no
 * server runs, or the server does not know the verb.
 * @param {string[]} argv the verb and its arguments
 * @returns {Promise<number | null>}
 */
export async function runInServer(argv) {
  const [verb = '-'] = argv;
  if (verb.startsWith('-') || ownVerbs.includes(verb)) return null;
  const dataDir = readDataDir();
  const response = dataDir === null ? null : await askServer(dataDir, { argv });
  if (response === null) return null;
  process.stdout.once('error', endWithReader);
  let code = null;
  let rest = '';
  for await (const text of response.setEncoding('utf8')) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const part = JSON.parse(line);
      if (part.unknown) return null;
      if ('problem' in part) throw new Error(part.problem);
      if ('out' in part && !process.stdout.write(part.out)) await once(process.stdout, 'drain');
      if ('err' in part) process.stderr.write(part.err);
      if ('code' in part) code = part.code;
    }
  }
  if (code === null) throw new Error('The server has stopped in the meantime. Run the command again.');
  return code;
}

/**
 * Returns the arguments with which a verb is confirmed that removes what cannot be brought back. A person types the name again, in this
 * program, because the server has no terminal; a program gives it itself.
 * @param {string[]} argv the verb and its arguments
 * @returns {Promise<string[]>}
 */
export async function askAgain(argv) {
  const [noun, verb, name] = argv;
  if (noun !== 'workspaces' || verb !== 'delete' || name === undefined || name.startsWith('-')) return [];
  if (argv.some((each) => /^--(confirm(=|$)|help$)/.test(each))) return [];
  if (!process.stdin.isTTY || !process.stderr.isTTY) return [];
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const question = `This permanently deletes the workspace ${name} with all of its mail. To confirm, type its name: `;
    return ['--confirm', await terminal.question(question)];
  } finally {
    terminal.close();
  }
}

/**
 * Returns the data folder that the settings name, which an empty variable does not. Returns null where `.env` cannot be read.
 * @returns {string | null}
 */
function readDataDir() {
  try {
    process.loadEnvFile();
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'ENOENT') return null;
  }
  return process.env.POSTRIDER_DATA_DIR || defaultDataDir;
}

/**
 * Ends the process for an error of its output: a reader such as `head` may have enough before the end.
 * @param {NodeJS.ErrnoException} error
 */
export function endWithReader(error) {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
}
