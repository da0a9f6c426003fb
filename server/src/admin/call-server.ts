import { request } from 'node:http';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';

/** The length that the kernels of all systems accept. */
const socketPathBytesMax = 103;

/**
 * Returns the path of the socket on which the running server listens for its owner. Names of sockets are short, so the path from the
 * working folder is used if that is shorter. Returns null if both are too long.
 */
export function socketPath(dataDir: string): string | null {
  const absolute = join(dataDir, 'admin.sock');
  const fromHere = relative(process.cwd(), absolute);
  const path = fromHere.length < absolute.length ? fromHere : absolute;
  return Buffer.byteLength(path) <= socketPathBytesMax ? path : null;
}

/**
 * Runs a command in the running server of this data folder. Returns null if none is running.
 *
 * @throws Error with the problem that the server reported.
 */
export async function callRunningServer(
  dataDir: string,
  command: string,
  input: unknown,
): Promise<{ result: unknown } | null> {
  const path = socketPath(dataDir);
  if (path === null) return null;
  let answer: string;
  try {
    answer = await postTo(path, { command, input });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ECONNREFUSED') return null;
    throw error;
  }
  const { result, problem } = JSON.parse(answer) as { result: unknown; problem?: string };
  if (problem !== undefined) throw new Error(problem);
  return { result };
}

/** Returns whether a server of this data folder is running. */
export async function isServerRunning(dataDir: string): Promise<boolean> {
  const path = socketPath(dataDir);
  return path !== null && (await isAnswering(path));
}

/** Returns whether a process listens at a socket. */
export async function isAnswering(path: string): Promise<boolean> {
  return (await postTo(path, { command: 'none' }).catch(() => null)) !== null;
}

/** Sends a request to a socket and returns the text of the response. Rejects if no process listens there. */
export function postTo(socket: string, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { socketPath: socket, method: 'POST', path: '/', agent: false };
    const call = request(options, (res) => resolve(text(res)));
    call.once('error', reject).end(JSON.stringify(body));
  });
}
