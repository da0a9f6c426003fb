import { request } from 'node:http';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';

/** What the kernels of all systems take. */
const socketPathBytesMax = 103;

/**
 * Where the running server listens for its owner. Sockets have short names, so the path from the working folder is taken where
 * that is shorter; null when both are too long.
 */
export const socketPath = (dataDir: string): string | null => {
  const absolute = join(dataDir, 'admin.sock');
  const fromHere = relative(process.cwd(), absolute);
  const path = fromHere.length < absolute.length ? fromHere : absolute;
  return Buffer.byteLength(path) <= socketPathBytesMax ? path : null;
};

/**
 * Has the running server of this data folder run a command; null when none is running.
 *
 * @throws Error with what the server said against it.
 */
export const callRunningServer = async (
  dataDir: string,
  command: string,
  input: unknown,
): Promise<{ result: unknown } | null> => {
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
};

/** Sends a request to a socket and gives the text of the answer; rejects when nobody listens there. */
export const postTo = (socket: string, body: object): Promise<string> =>
  new Promise((resolve, reject) => {
    const options = { socketPath: socket, method: 'POST', path: '/', agent: false };
    const call = request(options, (res) => resolve(text(res)));
    call.once('error', reject).end(JSON.stringify(body));
  });
