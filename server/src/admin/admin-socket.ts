import { randomBytes } from 'node:crypto';
import { chmod, rename, rm, stat } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Deps } from '../deps.ts';
import { makeOwnFolder } from '../lib/start/make-own-folder.ts';
import { postTo, socketPath } from './call-server.ts';
import { runAdminCommand } from './commands.ts';
import { examineServer } from './doctor/examine-server.ts';

/** Opens the socket, which only the owner of the data folder can reach; answers what closes it. */
export const openAdminSocket = async (deps: Deps): Promise<() => Promise<void>> => {
  makeOwnFolder(deps.config.dataDir);
  const path = socketPath(deps.config.dataDir);
  if (path === null) {
    deps.log.warn(
      'the path of the data folder is too long for a socket: other verbs cannot reach this server',
    );
    return async () => {};
  }
  const server = createServer(async (req, res) => {
    try {
      const { command, input } = (await json(req)) as { command: string; input: unknown };
      res.end(JSON.stringify({ result: (await runCommand(deps, command, input)) ?? null }));
    } catch (error) {
      res.end(JSON.stringify({ problem: (error as Error).message }));
    }
  });
  if (await isAnswering(path)) return async () => {};
  const own = await listenAt(server, path);
  return async () => {
    if ((await fileNumber(path)) === own) await rm(path, { force: true });
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  };
};

/** Only a server that runs can look at itself; the rest needs no more than its database. */
const runCommand = (deps: Deps, command: string, input: unknown): Promise<unknown> =>
  command === 'doctor' ? examineServer(deps) : runAdminCommand(deps, command, input);

/**
 * The socket is made aside and moved into place, since several processes may start at the same moment, and one that was killed
 * leaves its own behind. The draft has a name as short as the real one: paths of sockets are limited.
 */
const listenAt = async (server: Server, path: string): Promise<number | null> => {
  const draft = join(dirname(path), `.s${randomBytes(4).toString('hex')}`);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ path: draft }, resolve);
  });
  await chmod(draft, 0o600);
  const number = await fileNumber(draft);
  await rename(draft, path);
  return number;
};

const fileNumber = async (path: string): Promise<number | null> =>
  (await stat(path).catch(() => null))?.ino ?? null;

/** Whether another process of the same data folder has the socket already, as when roles are spread over several. */
const isAnswering = async (path: string): Promise<boolean> =>
  (await postTo(path, { command: 'none' }).catch(() => null)) !== null;
