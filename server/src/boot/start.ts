import { brand } from '@postrider/contract';
import { consolePath } from '@postrider/contract/console';
import type { Logger } from 'pino';
import { openAdminSocket } from '../admin/admin-socket.ts';
import { type Config, readConfig } from '../config/config.ts';
import { docsPath } from '../docs/docs-path.ts';
import { reachableAt } from '../lib/server-address.ts';
import { endLoadingOnceIdle } from '../lib/start/end-loading.ts';
import { untraced } from '../lib/tracing.ts';
import { createLogger } from '../logger.ts';
import { openTracing } from './open-tracing.ts';
import type { Role } from './parts.ts';
import { type RunningServer, startServer } from './server.ts';

const graceMs = 7_000;
/** Anything that hangs by then is safe to cut off: nothing is acknowledged before it is durable. */
const forceExitMs = 9_000;
/** The heap is collected this long after the start, when nobody is waiting for the start any more. */
const loadingOverMs = 10_000;
const roleNames: Role[] = ['api', 'smtp', 'worker'];

/** Runs the server until SIGINT or SIGTERM, and stops it within ten seconds. */
export async function runStart(roleList: string, newSecret: boolean): Promise<void> {
  // From here on, the server itself reports what takes long.
  process.send?.({ loaded: true });
  const roles = readRoles(roleList);
  const config = readConfig();
  let tracing = untraced;
  const log = await createLogger(config.logLevel, config.tracing ? () => tracing.logFields() : undefined);
  for (const name of config.unknownVariables) log.warn({ name }, 'this setting is unknown and has no effect');
  tracing = await openTracing(config.tracing, log);
  const steps = watchSteps((line) => log.info(line));
  const onStep = (step: string) => steps.begin(step);
  const options = { roles, newSecret, onStep, tracing };
  const server = await startServer(config, log, options).finally(() => steps.end());
  const closeSocket = await openAdminSocket(server.deps).catch(async (error: unknown) => {
    await server.stop(0);
    throw error;
  });
  // Before the announcement, since a program that reads it may stop the server at once.
  const signal = untilSignal(log);
  announce(config, log, server);
  endLoadingOnceIdle(loadingOverMs);
  await signal;
  const force = setTimeout(() => process.exit(1), forceExitMs);
  force.unref();
  await closeSocket();
  await server.stop(graceMs);
  await tracing.close();
  log.info('stopped');
  process.exit(0);
}

function readRoles(list: string): Role[] {
  const roles = list.split(',').map((role) => role.trim());
  const unknown = roles.filter((role) => !(roleNames as string[]).includes(role));
  if (unknown.length > 0)
    throw new Error(`There is no role ${unknown.join(', ')}. The roles are ${roleNames.join(', ')}.`);
  return roles as Role[];
}

/** Prints the box for people, and logs a line "is ready" with the same facts for programs. Secrets are only in the box. */
function announce(config: Config, log: Logger, server: RunningServer): void {
  process.stdout.write(startBox(config, server));
  log.info(
    {
      url: server.httpUrl,
      baseUrl: server.httpUrl && `${server.httpUrl}/v1`,
      ...(server.httpsPort !== null && { httpsPort: server.httpsPort }),
      smtpPort: server.smtpPort,
    },
    `${brand.product} is ready`,
  );
}

function untilSignal(log: Logger): Promise<void> {
  return new Promise((resolve) => {
    const stop = (signal: NodeJS.Signals) => {
      log.info({ signal }, 'stopping');
      resolve();
    };
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
  });
}

const everyMs = 10_000;

/** The steps of a start, which are reported to a waiting person. */
export interface Steps {
  begin(step: string): void;
  end(): void;
}

/** Reports every ten seconds which step is running, and since when. A quicker step is not named. */
export function watchSteps(say: (line: string) => void): Steps {
  const startedAt = performance.now();
  let current = 'starting';
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    say(`still ${current}, after ${seconds} s`);
  }, everyMs);
  return {
    begin: (step) => {
      current = step;
    },
    end: () => clearInterval(timer),
  };
}

/**
 * Returns the text that a person sees when the server is up: where it listens, the first key (once), and a request that works as printed.
 */
export function startBox(config: Config, server: RunningServer): string {
  const { httpUrl, smtpPort, firstKey, firstSignIn, deps } = server;
  const lines = [
    `${brand.product} is ready.`,
    '',
    ...(httpUrl === null
      ? []
      : [
          `API    ${deps.address.publicUrl}/v1`,
          `Web    ${deps.address.publicUrl}${consolePath}`,
          `Docs   ${deps.address.publicUrl}${docsPath}`,
        ]),
    ...(smtpPort === null
      ? []
      : [`SMTP   ${reachableAt(`${config.smtp.host}:${smtpPort}`)}, for addresses @${config.mailDomain}`]),
    `Data   ${config.databaseUrl ? 'Postgres at DATABASE_URL' : 'its own Postgres'}, ${config.dataDir}`,
    `Mail   ${describeTransport(deps.transport.name)}`,
    ...(firstKey === null || httpUrl === null
      ? []
      : ['', 'Your API key, shown only this once:', `  ${firstKey}`]),
    ...(firstSignIn === null || httpUrl === null
      ? []
      : [
          '',
          'Your sign-in to the console, shown only this once:',
          `  ${firstSignIn.email}   ${firstSignIn.password}`,
        ]),
  ];
  if (httpUrl === null) return frame(lines);
  const baseUrl = `${deps.address.publicUrl}/v1`;
  return frame(lines) + exports(baseUrl, firstKey) + curl(baseUrl, firstKey);
}

function describeTransport(name: string): string {
  return name === 'sandbox'
    ? 'sandbox: mail between inboxes of this server is delivered, all other mail stays here'
    : `sent by the transport ${name}`;
}

function frame(lines: string[]): string {
  const width = Math.max(...lines.map((line) => line.length));
  const body = lines.map((line) => `│ ${line.padEnd(width)} │`);
  return ['', `┌${'─'.repeat(width + 2)}┐`, ...body, `└${'─'.repeat(width + 2)}┘`, ''].join('\n');
}

/** Returns shell commands that set the variables that programs with the SDK read. */
function exports(baseUrl: string, key: string | null): string {
  return [
    '',
    'For programs with the SDK:',
    '',
    ...(key === null ? [] : [`export ${brand.env.apiKey}=${key}`]),
    `export ${brand.env.baseUrl}=${baseUrl}`,
    '',
  ].join('\n');
}

/** Returns the request. It is outside the box so that it can be copied. */
function curl(baseUrl: string, key: string | null): string {
  return [
    '',
    'Create an inbox:',
    '',
    `curl -X POST ${baseUrl}/inboxes \\`,
    `  -H 'Authorization: Bearer ${key ?? '<API key>'}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d '{"local_part": "agent", "display_name": "My Agent"}'`,
    '',
    '',
  ].join('\n');
}
