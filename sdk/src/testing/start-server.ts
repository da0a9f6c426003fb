import type { ChildProcess } from 'node:child_process';
import { PostriderError } from '../errors.ts';
import { product, testing } from '../generated/brand.ts';

/** The options of `startServer`. */
export interface StartServerOptions {
  /**
   * The folder of a clone in which the server was started or installed before. Default: the package
   * `@postrider/server`.
   */
  folder?: string | undefined;
  /** Settings of the server, as environment variables such as `POSTRIDER_TIME_SCALE`. */
  env?: Record<string, string> | undefined;
}

/** A server that runs in its own process. */
export interface StartedServer {
  /** The API key of its only workspace. */
  apiKey: string;
  /** The base URL of its API, with the version. */
  baseURL: string;
  /** The port on 127.0.0.1 that accepts mail. */
  smtpPort: number;
  /** Stops the server and removes its data. Rejects with a `PostriderError` if it did not exit cleanly. */
  stop(): Promise<void>;
}

/**
 * Starts a real server on free ports with an empty data folder, and returns it once it is ready. Needs
 * Node.js 22.19 or newer. Rejects with a `PostriderError` with the output of the server if it does not start.
 *
 * @example
 * import { Postrider } from 'postrider';
 * import { startServer } from 'postrider/testing';
 *
 * const server = await startServer({ folder: '../postrider' });
 * const local = new Postrider({ apiKey: server.apiKey, baseURL: server.baseURL });
 * console.log(await local.account.get());
 * await server.stop();
 */
export async function startServer({ folder, env = {} }: StartServerOptions = {}): Promise<StartedServer> {
  const { spawn } = builtin('node:child_process');
  const { mkdtemp, rm } = builtin('node:fs/promises');
  const { join } = builtin('node:path');
  const program = programIn(folder);
  const dataDir = await mkdtemp(join(builtin('node:os').tmpdir(), `${product.toLowerCase()}-test-`));
  const apiKey = `${testing.liveKeyPrefix}${builtin('node:crypto').randomBytes(22).toString('hex').slice(0, 43)}`;
  const child = spawn(process.execPath, [program, 'start'], {
    // With its own folder and environment, the server reads neither a `.env` of the project nor settings of
    // the caller's shell.
    cwd: dataDir,
    env: {
      POSTRIDER_DATA_DIR: dataDir,
      POSTRIDER_HTTP_PORT: '0',
      POSTRIDER_SMTP_PORT: '0',
      POSTRIDER_BOOTSTRAP: JSON.stringify([{ name: 'test', key: apiKey }]),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    await end(child);
    // The database of a server that was killed ends a moment later.
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
    if (child.exitCode !== 0) {
      throw new PostriderError(`The server ended with ${child.exitCode ?? child.signalCode}.`);
    }
  };
  try {
    return { apiKey, ...(await untilReady(child)), stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

interface Builtins {
  'node:child_process': typeof import('node:child_process');
  'node:crypto': typeof import('node:crypto');
  'node:fs': typeof import('node:fs');
  'node:fs/promises': typeof import('node:fs/promises');
  'node:module': typeof import('node:module');
  'node:os': typeof import('node:os');
  'node:path': typeof import('node:path');
}

/** Returns a module of Node.js without an import, on which bundlers for browsers would fail. */
function builtin<Name extends keyof Builtins>(name: Name): Builtins[Name] {
  const found = globalThis.process?.getBuiltinModule?.(name);
  if (found === undefined) throw new PostriderError('startServer needs Node.js.');
  return found as Builtins[Name];
}

function programIn(folder: string | undefined): string {
  const { join, resolve } = builtin('node:path');
  if (folder === undefined) {
    try {
      return builtin('node:module')
        .createRequire(join(process.cwd(), 'x'))
        .resolve(`${testing.serverPackage}/dist/main.js`);
    } catch (cause) {
      const message = `The package ${testing.serverPackage} is not installed here. Install it, or pass the folder of a clone.`;
      throw new PostriderError(message, { cause });
    }
  }
  const program = resolve(folder, 'server', 'src', 'main.ts');
  if (builtin('node:fs').existsSync(program)) return program;
  throw new PostriderError(
    `There is no server in ${resolve(folder)}: folder must be a clone of the repository.`,
  );
}

/** Reads the log up to the line with the addresses of the server, and returns these. */
function untilReady({ stdout, stderr }: ChildProcess): Promise<{ baseURL: string; smtpPort: number }> {
  let said = '';
  return new Promise((resolve, reject) => {
    const take = (chunk: unknown) => {
      said += String(chunk);
      const ready = said.split('\n').find((line) => line.includes('"baseUrl"') && line.endsWith('}'));
      if (ready === undefined) return;
      const { baseUrl, smtpPort } = JSON.parse(ready);
      // The rest is discarded, because a full pipe would block the server.
      stdout?.off('data', take).resume();
      resolve({ baseURL: baseUrl, smtpPort });
    };
    stdout?.setEncoding('utf8').on('data', take);
    stdout?.once('end', () => reject(new PostriderError(`The server did not start:\n${said}`)));
    stderr?.setEncoding('utf8').on('data', (chunk) => {
      said += `${chunk}\n`;
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await exited;
}
