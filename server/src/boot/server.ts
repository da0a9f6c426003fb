import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { startDeletedWatch } from '../accounts/watch-deleted.ts';
import { startApprovalWatch } from '../approvals/watch-approvals.ts';
import type { Config } from '../config/config.ts';
import { startDeliveryWorker } from '../delivery/delivery-worker.ts';
import type { Deps } from '../deps.ts';
import { publishSubdomain, removeDomain } from '../domains/subdomain.ts';
import { startDomainWatch } from '../domains/watch-domains.ts';
import { startDraftScheduler } from '../drafts/draft-scheduler.ts';
import { startSequencer } from '../events/write-log.ts';
import { requireHttpPorts } from '../http/http-ports.ts';
import { startHttp } from '../http/start-http.ts';
import { claimInbox } from '../inboxes/create-inbox.ts';
import { purgeInbox } from '../inboxes/purge-inbox.ts';
import type { JobDefinition } from '../jobs/queue.ts';
import { removeExpired } from '../jobs/remove-expired.ts';
import { bootstrapWorkspaces } from '../keys/bootstrap.ts';
import { purgeLabel } from '../labels/purge-label.ts';
import { requireFreePort } from '../lib/start/listen.ts';
import { removeFiles } from '../messages/delete-message.ts';
import { startParsingAgain } from '../parsing/parse-again.ts';
import { adoptWorkspaces, createFirstOwner, type FirstSignIn } from '../people/first-owner.ts';
import { sendPeopleMail } from '../people-mail/send-people-mail.ts';
import { addUpSendCounts } from '../policies/caps.ts';
import { startSearch } from '../search/index.ts';
import { purgeThread } from '../threads/delete-thread.ts';
import { startCertificateWatch } from '../tls/acme/watch-certificates.ts';
import { openCertificates } from '../tls/open-certificates.ts';
import { purgeWebhook } from '../webhooks/end-deliveries.ts';
import { startWebhookSender } from '../webhooks/posting/webhook-sender.ts';
import { rollUpUsage } from '../workspaces/usage-days.ts';
import { failSmtp, openMailIntake, openSesIntake, startSmtp } from './mail-intake.ts';
import { type DepsOptions, openDeps } from './open-deps.ts';
import { openParts, type Role } from './parts.ts';

/** The options for starting a server, in addition to its configuration. */
export interface StartOptions extends DepsOptions {
  roles: Role[];
  /** For tests: responses are checked against the contract. */
  strict?: boolean;
}

/** A server that is up. */
export interface RunningServer {
  deps: Deps;
  /** Null without the role, like `smtpPort`. */
  httpUrl: string | null;
  /** Null also if HTTPS is off. */
  httpsPort: number | null;
  smtpPort: number | null;
  /** The first API key, if this start created it. */
  firstKey: string | null;
  /** The email address and password of the first owner, if this start created one. */
  firstSignIn: FirstSignIn | null;
  /** Stops everything within `graceMs`: no new work is accepted, and accepted work is finished or safe. */
  stop(graceMs: number): Promise<void>;
}

function jobs(deps: Deps): JobDefinition<never>[] {
  return [
    purgeInbox(deps),
    purgeThread(deps),
    removeFiles(deps),
    purgeLabel(deps),
    purgeWebhook(deps),
    rollUpUsage(deps),
    addUpSendCounts(deps),
    removeExpired(deps),
    publishSubdomain(deps),
    removeDomain(deps),
    sendPeopleMail(deps),
  ] as JobDefinition<never>[];
}

/** Starts a server with the given roles and resolves once all of them work. */
export async function startServer(
  config: Config,
  log: Logger,
  options: StartOptions,
): Promise<RunningServer> {
  if (isFirstStart(config, options)) await requirePorts(config, options.roles);
  const opened = await openDeps(config, log, options);
  const { deps } = opened;
  const stops: Stops = { requests: async () => {}, others: [] };
  const stop = async (graceMs: number) => {
    opened.stopping.abort();
    // Requests may still send mail, so they end in the first half of the time and deliveries in the second. Other parts, such as intake,
    // have all of it.
    const requests = stops.requests(graceMs / 2);
    const others = stops.others.map((end) => end(graceMs, requests));
    await requests;
    await Promise.all([...others, opened.settle(graceMs / 2)]);
    await opened.close();
  };
  try {
    await requirePorts(config, options.roles);
    const first = await applyConfigured(deps);
    const parts = openParts(deps, options.roles);
    const intake = openMailIntake(deps, options.roles);
    if (intake) stops.others.push(intake.close);
    const tls = speaksTls(config, options.roles) ? await openCertificates(deps) : null;
    if (tls) stops.others.push(tls.close);
    const certificates = tls?.certificates ?? null;
    const appOptions = {
      strict: options.strict ?? false,
      takeSesMail: openSesIntake(deps, intake),
      probes: parts.probes,
    };
    const http = options.roles.includes('api')
      ? await startHttp(deps, { ...appOptions, certificates })
      : null;
    if (http) stops.requests = http.stop;
    parts.started('requests');
    const isMail = options.roles.includes('smtp');
    const smtpPort = (intake && isMail && (await startSmtp(deps, intake, certificates))) || null;
    parts.started('mail');
    if (options.roles.includes('smtp') || options.roles.includes('worker'))
      stops.others.push(startParsingAgain(deps));
    if (options.roles.includes('worker')) {
      stops.others.push(...startWork(deps));
      await deps.queue.work(deps, jobs(deps));
    }
    parts.started('deliveries');
    const { url: httpUrl = null, httpsPort = null } = http ?? {};
    return { deps, httpUrl, httpsPort, smtpPort, ...first, stop };
  } catch (error) {
    await stop(0);
    throw error;
  }
}

/** Returns whether a port of a process with these roles speaks TLS. */
function speaksTls({ smtp, tls }: Config, roles: Role[]): boolean {
  return (roles.includes('smtp') && smtp.port !== null) || (roles.includes('api') && tls.httpsPort !== null);
}

/** Starts the work of a worker apart from jobs, and returns the functions that stop it. */
function startWork(deps: Deps): Stops['others'] {
  const { acme } = deps.config.tls;
  return [
    startDeliveryWorker(deps),
    startDraftScheduler(deps),
    startApprovalWatch(deps),
    startSequencer(deps),
    startSearch(deps),
    startDomainWatch(deps),
    startWebhookSender(deps),
    startDeletedWatch(deps),
    ...(acme ? [startCertificateWatch(deps, acme)] : []),
  ];
}

/**
 * Applies the configuration of workspaces, keys and people before anything listens or sends: a new policy applies to the first request and
 * to due drafts. The ports were checked before, because the first key is shown only once.
 */
async function applyConfigured(deps: Deps): Promise<Pick<RunningServer, 'firstKey' | 'firstSignIn'>> {
  const firstKey = await bootstrapWorkspaces(deps, (workspace, named) => claimInbox(deps, workspace, named));
  const firstSignIn = await createFirstOwner(deps);
  await adoptWorkspaces(deps);
  return { firstKey, firstSignIn };
}

/** Returns whether the start creates a database. That takes seconds, so the ports are checked before. */
function isFirstStart({ databaseUrl, dataDir }: Config, { database }: StartOptions): boolean {
  return !database && databaseUrl === null && !existsSync(join(dataDir, 'postgres', 'data', 'PG_VERSION'));
}

async function requirePorts(config: Config, roles: Role[]): Promise<void> {
  const { smtp } = config;
  if (roles.includes('api')) await requireHttpPorts(config);
  if (roles.includes('smtp') && smtp.port)
    await requireFreePort({ ...smtp, port: smtp.port }).catch(failSmtp(config));
}

/** The functions that stop the parts that were started, each within its time. */
interface Stops {
  requests(graceMs: number): Promise<unknown>;
  /** Each is also given the end of the open requests. */
  others: ((graceMs: number, requests: Promise<unknown>) => Promise<unknown>)[];
}
