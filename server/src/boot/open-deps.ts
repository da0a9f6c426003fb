import { Agent } from 'node:https';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { outsideTransactions } from '../db/connections.ts';
import { prepareDataFolder } from '../db/data-folder.ts';
import { type Database, type DatabaseSettings, databaseSettings, openDatabase } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { createSharedWakeups, type Wakeups } from '../db/wakeups.ts';
import type { Deps } from '../deps.ts';
import { openDns } from '../dns/ask-resolver.ts';
import { openZoneClient } from '../dns/ask-zone.ts';
import { createPublisher } from '../dns/publish/create-publisher.ts';
import { openSharedSigner } from '../domains/open-shared-signer.ts';
import { isThisMachine, type Reach } from '../egress/check-target.ts';
import { type Egress, openEgress } from '../egress/egress.ts';
import { openProvider } from '../embedding/open-provider.ts';
import { createFiles, readDiskFolder } from '../files/create-files.ts';
import { type DiskSpace, watchDiskSpace } from '../files/disk-space.ts';
import { jobNames } from '../jobs/job-names.ts';
import { openQueue } from '../jobs/queue.ts';
import { createReadLimiter, createSendLimiter } from '../lib/admission/message-slots.ts';
import { type Clock, createTimeScale, systemClock } from '../lib/clock.ts';
import { createBackground } from '../lib/concurrency/wait.ts';
import { ServerAddress } from '../lib/server-address.ts';
import { type Tracing, untraced } from '../lib/tracing.ts';
import type { DnsResolve } from '../mail/authenticate/ask-dns.ts';
import { createMailAuthenticator } from '../mail/authenticate/authenticate-mail.ts';
import { createSesIdentities } from '../mail/aws/ses-identities.ts';
import { MailComposer } from '../mail/compose/compose-mail.ts';
import { createMailParser, type MailParser } from '../mail/parse/parse-pool.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import { openSecret } from '../workspaces/open-secret.ts';
import { createTransports } from './transports.ts';

/** Parts that a caller provides instead of having them opened from the configuration. */
export interface DepsOptions {
  database?: DatabaseSettings;
  clock?: Clock;
  /** Instead of what `Deps` has. */
  lookAgainMs?: number;
  httpsAgent?: Agent;
  /** Opened before the server, and closed after it. None by default. */
  tracing?: Tracing;
  /** Whether the server continues with a root secret other than the one that its database was created with. */
  newSecret?: boolean;
  /** Told of each step that may take long. */
  onStep?(step: string): void;
}

/** Opened dependencies, and the functions that end them in the right order. */
export interface OpenedDeps {
  deps: Deps;
  stopping: AbortController;
  /** Lets deliveries, background work and jobs finish within `graceMs`, and cuts off the rest. */
  settle(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Senders wait for their 250 at least five minutes (RFC 5321, section 4.5.3.2.6). Programs wait for their mail, too. */
const arrivalPatienceMs = 30_000;
/** Wake-ups are lost when a process dies within milliseconds of a commit. An idle server costs what these looks cost. */
const lookAgainEveryMs = 10_000;
const lookAgainLeastMs = 250;
/** The time limit for recording the outcomes of interrupted deliveries. */
const outcomeGraceMs = 1_000;

/** Opens all parts of the server and brings the schema up to date. */
export async function openDeps(config: Config, log: Logger, options: DepsOptions = {}): Promise<OpenedDeps> {
  const onError = (error: unknown) => log.error({ err: error }, 'a background task failed');
  const settings = options.database ?? databaseSettings(config);
  const onNotice = (message: string) => log.warn(message);
  if ('url' in settings) prepareDataFolder(config.dataDir, onNotice);
  options.onStep?.('opening the database');
  const database = await openDatabase(settings, onError, onNotice);
  try {
    options.onStep?.('bringing the schema up to date');
    const migrated = await migrate(database);
    if (migrated.length > 0) log.info({ migrations: migrated.length }, 'the schema was brought up to date');
    log.debug({ migrated }, 'migrations that ran');
    options.onStep?.('opening ports and queues');
    return await openOn(database, settings, config, log, options);
  } catch (error) {
    await database.close();
    throw database.explain(error);
  }
}

async function openOn(
  database: Database,
  settings: DatabaseSettings,
  config: Config,
  log: Logger,
  options: DepsOptions,
): Promise<OpenedDeps> {
  const { clock = systemClock, lookAgainMs, httpsAgent = new Agent(), newSecret = false } = options;
  const onError = (error: unknown) => log.error({ err: error }, 'a background task failed');
  // Steps that can fail come first: a thread or a listening connection would keep a failed start alive.
  const keys = await openSecret(database, config, { newSecret });
  const sharedSigner = await openSharedSigner({ config, db: database.db, keys, clock, log });
  const resolve = await openDns(config.dnsServer);
  const askZone = await openZoneClient({ server: config.dnsServer, allowPrivate: false });
  const metrics = createMetrics();
  const disk = await openDisk(config, settings, metrics);
  const embedding = await openEmbedding(config, log);
  const queue = await openQueue(database, Object.values(jobNames), log);
  const stopping = new AbortController();
  const parser = warmParser();
  const wakeups = openWakeups(database, onError);
  const timeScale = createTimeScale(config.timeScale);
  const parts = {
    config,
    log,
    clock,
    timeScale,
    database,
    db: database.db,
    wakeups,
    lookAgainMs: lookAgainMs ?? Math.max(lookAgainLeastMs, timeScale.scaleMs(lookAgainEveryMs)),
    memory: new Map(),
    readLimiter: createReadLimiter(),
    sendLimiter: createSendLimiter(),
    files: openFiles(config),
    disk,
    keys,
    parser,
    parsePatienceMs: arrivalPatienceMs,
    composer: new MailComposer(),
    askZone: outsideTransactions('DNS', { askZone }).askZone,
    sesIdentities:
      config.transport === 'ses' && config.ses
        ? outsideTransactions('Amazon SES', createSesIdentities(config.ses))
        : null,
    sharedSigner,
    dnsPublisher: config.dnsUpdate && outsideTransactions('DNS', createPublisher(config.dnsUpdate)),
    authenticator: outsideTransactions(
      'DNS',
      createMailAuthenticator({
        parser,
        resolve,
        hostname: config.smtp.hostname,
        trustedForwarders: config.trustedForwarders,
      }),
    ),
    httpsAgent,
    egress: openOutward(config, resolve),
    embedding,
    queue,
    metrics,
    background: createBackground(onError),
    address: new ServerAddress(config),
    stopping: stopping.signal,
  };
  const { connect, ...transports } = createTransports(config, resolve);
  const deps: Deps = { ...parts, ...transports, tracing: options.tracing ?? untraced };
  connect(deps);
  return { deps, stopping, ...closing(deps) };
}

/** Returns the functions that end the opened parts: first the work in progress, then the parts that it needs. */
function closing(deps: Deps): Pick<OpenedDeps, 'settle' | 'close'> {
  return {
    settle: async (graceMs) => {
      const outcomes = Promise.all([deps.transport.close(graceMs), deps.testTransport.close(graceMs)]);
      const written = outcomes.then(() => deps.background.settle(outcomeGraceMs));
      await Promise.all([written, deps.queue.stop(graceMs)]);
    },
    close: async () => {
      await deps.wakeups.close();
      await deps.egress.close();
      await deps.embedding?.close();
      await deps.parser.close();
      await deps.composer.close();
      await deps.files.close();
      deps.disk.close();
      await deps.database.close();
    },
  };
}

async function openEmbedding(config: Config, log: Logger): Promise<Deps['embedding']> {
  const provider = await openProvider(config, log);
  return provider && outsideTransactions('Embedding', provider);
}

function openFiles(config: Config): Deps['files'] {
  return outsideTransactions('Files', createFiles({ location: config.files, s3Endpoint: config.s3Endpoint }));
}

/** Watches the disks of this machine that the server writes to. */
function openDisk(
  { files, diskReserveBytes }: Config,
  database: DatabaseSettings,
  { diskFree }: Metrics,
): Promise<DiskSpace> {
  const filesFolder = readDiskFolder(files);
  const folders = {
    ...(filesFolder !== null && { files: filesFolder }),
    ...('dataDir' in database && { database: database.dataDir }),
  };
  return watchDiskSpace({ folders, reserveBytes: diskReserveBytes }, (free) => {
    for (const [part, bytes] of free) diskFree.set({ part }, bytes);
  });
}

function openOutward(config: Config, resolve: DnsResolve): Egress {
  return outsideTransactions('Posting', openEgress({ reach: chooseReach(config), resolve }));
}

/**
 * Returns how far requests to webhooks may reach. A server that only its own machine can reach and that sends no mail out is a trial, and
 * may reach this machine.
 */
function chooseReach({ webhookAllowPrivate, transport, http, publicUrl }: Config): Reach {
  if (webhookAllowPrivate) return 'private';
  const hosts = [http.host, ...(publicUrl === null ? [] : [new URL(publicUrl).hostname])];
  return transport === 'sandbox' && hosts.every(isThisMachine) ? 'loopback' : 'public';
}

function openWakeups(database: Database, onError: (error: unknown) => void): Wakeups {
  const connect = async () => {
    const client = new pg.Client({ ...database.connection, keepAlive: true });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  return createSharedWakeups(database.pool, connect, onError);
}

/** Creates a parser whose thread loads now, so that the first mail need not wait for it. */
function warmParser(): MailParser {
  const parser = createMailParser();
  parser.warm();
  return outsideTransactions('Reading mail', parser);
}
