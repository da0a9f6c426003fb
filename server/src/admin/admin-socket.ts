import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmod, rename, rm, stat } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { json } from 'node:stream/consumers';
import { CommanderError } from 'commander';
import type { Deps } from '../deps.ts';
import { makeOwnFolder } from '../lib/start/make-own-folder.ts';
import { socketPath } from '../lib/start/running-server.mjs';
import { sayError } from '../lib/start/start-error.ts';
import { isServerRunning } from './call-server.ts';
import { type AdminDeps, pickAdminDeps, type Terminal } from './command.ts';
import { examineServer } from './doctor/examine-server.ts';
import { createProgram, registerAdminVerbs, runAdminCommand } from './program.ts';

/** Opens the socket, which only the owner of the data folder can reach. Returns a function that closes it. */
export async function openAdminSocket(deps: Deps): Promise<() => Promise<void>> {
  makeOwnFolder(deps.config.dataDir);
  const path = socketPath(deps.config.dataDir);
  if (path === null) {
    deps.log.warn(
      'the path of the data folder is too long for a socket, so other commands cannot reach this server',
    );
    return async () => {};
  }
  const server = createServer(async (req, res) => {
    try {
      const { argv, command, input } = (await json(req)) as {
        argv?: string[];
        command: string;
        input: unknown;
      };
      if (argv) await serveVerb(pickAdminDeps(deps), argv, res);
      else res.write(JSON.stringify({ result: (await runCommand(deps, command, input)) ?? null }));
    } catch (error) {
      res.write(`${JSON.stringify({ problem: (error as Error).message })}\n`);
    }
    res.end();
  });
  // Another process of the same data folder has it already, as when roles are split over several processes.
  if (await isServerRunning(deps.config.dataDir)) return async () => {};
  const own = await listenAt(server, path);
  return async () => {
    if ((await fileNumber(path)) === own) await rm(path, { force: true });
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  };
}

/** Runs a command. `doctor` examines the running server itself; the others need only its database. */
function runCommand(deps: Deps, command: string, input: unknown): Promise<unknown> {
  return command === 'doctor' ? examineServer(deps) : runAdminCommand(pickAdminDeps(deps), command, input);
}

/**
 * Listens at a draft path and renames it into place, since several processes may start at the same time, and a process that was killed
 * leaves its socket there. The draft has a name as short as the real one, because paths of sockets are limited.
 */
async function listenAt(server: Server, path: string): Promise<number | null> {
  const draft = join(dirname(path), `.s${randomBytes(4).toString('hex')}`);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ path: draft }, resolve);
  });
  await chmod(draft, 0o600);
  const number = await fileNumber(draft);
  await rename(draft, path);
  return number;
}

async function fileNumber(path: string): Promise<number | null> {
  return (await stat(path).catch(() => null))?.ino ?? null;
}

/**
 * Carries out a verb for the program that asks over the socket. The response has one JSON object per line: `out` and `err` are texts to
 * print, and `code`, the exit code, comes last; `unknown` alone means that the program must do it itself.
 */
async function serveVerb(deps: AdminDeps, argv: string[], response: ServerResponse): Promise<void> {
  const send = async (part: object) => {
    if (response.destroyed) throw new Error('The command that asked has ended.');
    if (!response.write(`${JSON.stringify(part)}\n`))
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
  };
  const program = createProgram()
    .exitOverride()
    .configureOutput({
      writeOut: (out) => send({ out }),
      writeErr: (err) => send({ err }),
      // The server does not know how wide the caller's terminal is.
      getOutHelpWidth: () => 80,
      getErrHelpWidth: () => 80,
    });
  let code = 0;
  const terminal: Terminal = {
    withDeps: (work) => work(deps),
    write: (text, stream = 'out') => send({ [stream]: text }),
    fail: () => {
      code = 1;
    },
  };
  registerAdminVerbs(program, terminal);
  if (!program.commands.some((verb) => verb.name() === argv[0])) return void (await send({ unknown: true }));
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    code = error instanceof CommanderError ? error.exitCode : 1;
    if (!(error instanceof CommanderError)) await send({ err: `Error: ${sayError(error)}\n` });
  }
  await send({ code });
}
