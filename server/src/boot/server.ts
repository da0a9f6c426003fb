import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { limits } from '@postrider/contract';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { startAnalyzing } from '../db/analyze-young.ts';
import { releaseLeases, startDeliveryWorker } from '../delivery/delivery-worker.ts';
import type { Deps } from '../deps.ts';
import { startDraftScheduler } from '../drafts/draft-scheduler.ts';
import { startSequencer } from '../events/sequence-events.ts';
import { startHttp } from '../http/start-http.ts';
import { type Intake, openIntake } from '../inbound/intake.ts';
import { createSmtpCallbacks } from '../inbound/smtp-callbacks.ts';
import { purgeInbox } from '../inboxes/purge-inbox.ts';
import type { JobDefinition } from '../jobs/queue.ts';
import { removeExpired } from '../jobs/remove-expired.ts';
import { purgeLabel } from '../labels/purge-label.ts';
import { requireFreePort } from '../lib/start/listen.ts';
import { portProblem } from '../lib/start/port-problem.ts';
import { settingNames } from '../lib/start/setting-names.ts';
import { readCertificate } from '../mail/smtp/read-certificate.ts';
import { createSmtpServer, type SmtpServer } from '../mail/smtp/smtp-server.ts';
import type { TlsCertificate } from '../mail/smtp/tls-certificate.ts';
import { removeFiles } from '../messages/remove-files.ts';
import { purgeThread } from '../threads/purge-thread.ts';
import { releaseDeliveries, startWebhookSender } from '../webhooks/posting/webhook-sender.ts';
import { purgeWebhook } from '../webhooks/purge-webhook.ts';
import { bootstrapWorkspaces } from '../workspaces/bootstrap.ts';
import { rollUpUsage } from '../workspaces/roll-up-usage.ts';
import { type DepsOptions, openDeps } from './open-deps.ts';

/** What a process does. */
export type Role = 'api' | 'smtp' | 'worker';

/** How a server is started, beyond its configuration. */
export interface StartOptions extends DepsOptions {
  roles: Role[];
  /** In tests: answers are checked against the contract. */
  strict?: boolean;
}

/** A server that is up. */
export interface RunningServer {
  deps: Deps;
  /** Null without the role, as `smtpPort`. */
  httpUrl: string | null;
  smtpPort: number | null;
  /** The first API key, when this start made it. */
  firstKey: string | null;
  /** Ends everything within `graceMs`: nothing new is taken, and what was accepted is finished or safe. */
  stop(graceMs: number): Promise<void>;
}

const jobs = (deps: Deps): JobDefinition<never>[] =>
  [
    purgeInbox(deps),
    purgeThread(deps),
    removeFiles(deps),
    purgeLabel(deps),
    purgeWebhook(deps),
    rollUpUsage(deps),
    removeExpired(deps),
  ] as JobDefinition<never>[];

/** Starts a server with the given roles and resolves once it takes requests and mail. */
export const startServer = async (
  config: Config,
  log: Logger,
  options: StartOptions,
): Promise<RunningServer> => {
  if (isFirstStart(config, options)) await requirePorts(config, options.roles);
  const opened = await openDeps(config, log, options);
  const { deps } = opened;
  const stops: Stops = { requests: async () => {}, others: [] };
  const stop = async (graceMs: number) => {
    opened.stopping.abort();
    const others = stops.others.map((end) => end(graceMs));
    // Requests may still send; only mail that comes in may take as long as what goes out.
    await stops.requests(graceMs / 2);
    await Promise.all([...others, opened.settle(graceMs / 2)]);
    await opened.close();
  };
  try {
    if (deps.database.kind === 'embedded') await Promise.all([releaseLeases(deps), releaseDeliveries(deps)]);
    const http = options.roles.includes('api')
      ? await startHttp(deps, options.strict ?? false).catch(failHttp(deps))
      : null;
    if (http) stops.requests = http.stop;
    const smtpPort = await startIntake(deps, options.roles, stops);
    if (options.roles.includes('worker')) {
      const analyzing = startAnalyzing(deps.database.pool, (error) =>
        deps.log.warn({ err: error }, 'the tables of a young database were not analyzed'),
      );
      stops.others.push(
        startDeliveryWorker(deps),
        startDraftScheduler(deps),
        startSequencer(deps),
        startWebhookSender(deps),
        analyzing,
      );
      await deps.queue.work(jobs(deps));
    }
    // Last, because the key is told once: a start that fails on a port in use must not have made it.
    const firstKey = await bootstrapWorkspaces(deps);
    return { deps, httpUrl: http?.url ?? null, smtpPort, firstKey, stop };
  } catch (error) {
    await stop(0);
    throw error;
  }
};

/** To make a database takes seconds: what would end this start anyway is looked at before. */
const isFirstStart = ({ databaseUrl, dataDir }: Config, { database }: StartOptions): boolean =>
  !database && databaseUrl === null && !existsSync(join(dataDir, 'database'));

const requirePorts = async (config: Config, roles: Role[]): Promise<void> => {
  const { http, smtp } = config;
  if (roles.includes('api') && http.port !== 0) await requireFreePort(http).catch(failHttp({ config }));
  if (roles.includes('smtp') && smtp.port)
    await requireFreePort({ ...smtp, port: smtp.port }).catch(failSmtp(config));
};

const failSmtp =
  ({ smtp: { host, port } }: Config) =>
  (error: unknown): never => {
    const variables = { hostVariable: settingNames.smtpHost, portVariable: settingNames.smtpPort };
    throw portProblem({ host, port: port ?? 0, ...variables }, error);
  };

const failHttp =
  ({ config }: Pick<Deps, 'config'>) =>
  (error: unknown): never => {
    const variables = { hostVariable: settingNames.httpHost, portVariable: settingNames.httpPort };
    throw portProblem({ ...config.http, ...variables }, error);
  };

/** What ends the parts that were started, each within the time that it is given. */
interface Stops {
  requests(graceMs: number): Promise<unknown>;
  others: ((graceMs: number) => Promise<unknown>)[];
}

/** What was answered just before the end can mostly be finished in this time. */
const intakeGraceMsMin = 500;

/** Mail that was acknowledged is taken up by workers too, as the process that did so may be gone. */
const startIntake = async (deps: Deps, roles: Role[], stops: Stops): Promise<number | null> => {
  if (!roles.includes('smtp') && !roles.includes('worker')) return null;
  const intake = openIntake(deps);
  let smtp: Awaited<ReturnType<typeof startSmtp>> = null;
  stops.others.push(async (graceMs) => {
    const until = performance.now() + graceMs;
    await smtp?.close(graceMs);
    await intake.close(Math.max(intakeGraceMsMin, until - performance.now()));
  });
  if (roles.includes('smtp')) smtp = await startSmtp(deps, intake);
  return smtp?.port ?? null;
};

const startSmtp = async (
  deps: Deps,
  intake: Intake,
): Promise<{ port: number; close: SmtpServer['close'] } | null> => {
  const { host, port, hostname } = deps.config.smtp;
  if (port === null) return null;
  const smtp: SmtpServer = createSmtpServer(
    { host, port, hostname, tls: await certificateOf(deps), messageBytesMax: limits.inboundBytesMax },
    createSmtpCallbacks(deps, intake),
    deps.log,
  );
  const bound = await smtp.listen().catch(failSmtp(deps.config));
  return { port: bound.port, close: (graceMs) => smtp.close(graceMs) };
};

const certificateOf = async (deps: Deps): Promise<TlsCertificate> => {
  const { certFile, keyFile, hostname } = deps.config.smtp;
  if (!certFile || !keyFile) {
    // What makes certificates is large, and of no use to a server that has one.
    const { makeSelfSignedCertificate } = await import('../mail/smtp/tls-certificate.ts');
    return makeSelfSignedCertificate(hostname, deps.clock.now());
  }
  return readCertificate(certFile, keyFile);
};
