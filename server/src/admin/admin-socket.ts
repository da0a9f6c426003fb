import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { join, relative } from 'node:path';
import { json, text } from 'node:stream/consumers';
import type { Deps } from '../deps.ts';
import { runAdminCommand } from './commands.ts';

/**
 * Where the running server listens for its owner. Sockets have short names (108 bytes), so the path from the working folder
 * is taken where that is shorter.
 */
const socketPath = (dataDir: string): string => {
  const absolute = join(dataDir, 'admin.sock');
  const fromHere = relative(process.cwd(), absolute);
  return fromHere.length < absolute.length ? fromHere : absolute;
};

/** Opens the socket, which only the owner of the data folder can reach; answers what closes it. */
export const openAdminSocket = async (deps: Deps): Promise<() => Promise<void>> => {
  await mkdir(deps.config.dataDir, { recursive: true, mode: 0o700 });
  const path = socketPath(deps.config.dataDir);
  if (await isAnswering(path)) return async () => {};
  await rm(path, { force: true });
  const server = createServer(async (req, res) => {
    try {
      const { command, input } = (await json(req)) as { command: string; input: unknown };
      res.end(JSON.stringify({ result: (await runAdminCommand(deps, command, input)) ?? null }));
    } catch (error) {
      res.end(JSON.stringify({ problem: (error as Error).message }));
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(path, resolve);
  });
  await chmod(path, 0o600);
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
};

/** Whether another process of the same data folder has the socket already, as when roles are spread over several. */
const isAnswering = async (path: string): Promise<boolean> => {
  const answer = await post(path, { command: 'none' }).catch(() => null);
  return answer !== null;
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
  let answer: string;
  try {
    answer = await post(socketPath(dataDir), { command, input });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ECONNREFUSED') return null;
    throw error;
  }
  const { result, problem } = JSON.parse(answer) as { result: unknown; problem?: string };
  if (problem !== undefined) throw new Error(problem);
  return { result };
};

const post = (socket: string, body: object): Promise<string> =>
  new Promise((resolve, reject) => {
    const call = request({ socketPath: socket, method: 'POST', path: '/' }, (res) => resolve(text(res)));
    call.once('error', reject).end(JSON.stringify(body));
  });
