import { chmod, mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { Deps } from '../deps.ts';
import { postTo, socketPath } from './call-server.ts';
import { runAdminCommand } from './commands.ts';

/** Opens the socket, which only the owner of the data folder can reach; answers what closes it. */
export const openAdminSocket = async (deps: Deps): Promise<() => Promise<void>> => {
  await mkdir(deps.config.dataDir, { recursive: true, mode: 0o700 });
  const path = socketPath(deps.config.dataDir);
  if (path === null) {
    deps.log.warn(
      'the path of the data folder is too long for a socket: other verbs cannot reach this server',
    );
    return async () => {};
  }
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
  const answer = await postTo(path, { command: 'none' }).catch(() => null);
  return answer !== null;
};
