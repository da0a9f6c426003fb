import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plan } from '@postrider/contract';
import { pino } from 'pino';
import { type Inbox, Postrider } from 'postrider';
import { inject } from 'vitest';
import { peerWaits } from '../../../server/src/boot/outward-transport.ts';
import type { Role } from '../../../server/src/boot/parts.ts';
import { type RunningServer, type StartOptions, startServer } from '../../../server/src/boot/server.ts';
import { readConfig } from '../../../server/src/config/config.ts';
import { databaseLimits } from '../../../server/src/db/connections.ts';
import { createKey } from '../../../server/src/keys/manage-keys.ts';
import { strangerSlots } from '../../../server/src/lib/admission/server-limits.ts';
import { sendWaits } from '../../../server/src/outbound/send.ts';
import { searchLimits, searchWaits } from '../../../server/src/search/query/match-slice.ts';
import { createWorkspace } from '../../../server/src/workspaces/manage-workspaces.ts';
import { freshDatabase } from '../database/fresh-database.ts';
import { checkingFetch } from '../http/answer-validator.ts';
import { type PlainAnswer, type PlainRequest, requestPlainly } from '../http/plain-request.ts';
import { eventually } from '../lib/eventually.ts';
import type { MovingClock } from '../lib/moving-clock.ts';
import { closeConnections } from '../smtp/smtp-client.ts';

/** A workspace of a test, with a client for it. */
export interface TestWorkspace {
  id: string;
  name: string;
  key: string;
  keyId: string;
  client: Postrider;
}

/** A complete server on its own ports, with a database that no other test uses. */
export interface TestServer extends TestWorkspace {
  server: RunningServer;
  /** `http://127.0.0.1:<port>`, without `/v1`. */
  url: string;
  smtpPort: number;
  dataDir: string;
  /** Creates another workspace, for tests of isolation. */
  workspace(options?: { plan?: Plan; isTest?: boolean }): Promise<TestWorkspace>;
  /** Returns a local part that has not been used yet. */
  freshName(prefix?: string): string;
  /** Creates an inbox. */
  inbox(owner?: TestWorkspace): Promise<Inbox>;
  /** Sends a request as it is to a path such as `/v1/inboxes`. */
  request(path: string, request?: PlainRequest): Promise<PlainAnswer>;
  /** Runs a query of a test on the server's database. */
  rows<Row = Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Resolves once every acknowledged mail is a message. */
  filed(): Promise<void>;
  /** Resolves once the search index has every acknowledged mail. */
  indexed(): Promise<void>;
  /** Throws if a response since the last call did not match `openapi.json`. */
  requireFittingAnswers(): void;
  /** Stops the server, and throws as `requireFittingAnswers` does. */
  stop(): Promise<void>;
}

/** As long as tests wait for what must come. */
const patientMs = 300_000;
/** Waits are divided by the time scale. */
const endlessMs = 86_400_000;

const usualSearch = { ...searchWaits };
const usualPeerMs = peerWaits.leastMs;

/** Waits of a server that a test needs to be other than usual. */
export interface Waits {
  /** How long a send waits for its outcome before it answers without; by default as long as it takes. */
  settleMs?: number;
  /** How long a relay or mail server is waited for at least, however fast time runs. */
  peerMs?: number;
}

/**
 * Gives a server so much time for waits that it would otherwise give up that a busy machine changes no answer. Tests of these limits set
 * them again. A server without the role `worker` would wait in vain for its search index.
 */
export function bePatient({ settleMs = endlessMs, peerMs = usualPeerMs }: Waits = {}, roles?: Role[]): void {
  databaseLimits.connectionWaitMs = patientMs;
  strangerSlots.waitMs = patientMs;
  searchLimits.msMax = patientMs;
  sendWaits.settleMs = settleMs;
  peerWaits.leastMs = peerMs;
  const hasWorker = roles?.includes('worker') ?? true;
  const patient = { indexMs: patientMs, vectorsMs: patientMs, firstVectorsMs: patientMs };
  Object.assign(searchWaits, hasWorker ? patient : usualSearch);
}

/** Settings of the server by their variables, and its start options. */
export interface TestServerOptions extends Partial<StartOptions> {
  env?: Record<string, string>;
  /** The parent folder of its data; by default the one that is removed after all tests. */
  folder?: string;
  waits?: Waits;
}

// Each file of a process may load its own copy of this module.
const shared = globalThis as { postriderTestServer?: Promise<TestServer> };

/**
 * Ends the server that the test files of one process share. A file calls it before it fakes the timers or the time of the process: timers
 * that the server sets meanwhile would never end, and its leases would not be renewed. The next file that needs it starts another one.
 */
export async function endSharedServer(): Promise<void> {
  const server = await shared.postriderTestServer;
  delete shared.postriderTestServer;
  await server?.stop();
}

/**
 * Creates a workspace on a server that the test files of one process share. It is for files that need no settings and look only at their
 * workspace, because the start of a server takes longer than most of them. `stop` leaves the server running for the next file.
 */
export async function joinTestServer(): Promise<TestServer> {
  shared.postriderTestServer ??= startTestServer({ env: { POSTRIDER_EMBEDDINGS: 'words' } });
  const server = await shared.postriderTestServer;
  // A file before this one may have started a server with other waits.
  bePatient();
  const own = await server.workspace();
  return {
    ...server,
    ...own,
    inbox: (owner = own) => server.inbox(owner),
    request: (path, request = {}) => server.request(path, { key: own.key, ...request }),
    stop: async () => {
      closeConnections(server.smtpPort);
      server.requireFittingAnswers();
    },
  };
}

const usualSettings = {
  // The receivers of tests are on this machine.
  POSTRIDER_WEBHOOK_ALLOW_PRIVATE: 'true',
  POSTRIDER_HTTP_PORT: '0',
  POSTRIDER_SMTP_PORT: '0',
  POSTRIDER_SMTP_HOSTNAME: 'mx.postrider.test',
  POSTRIDER_RATE_LIMITS: 'off',
  // Every message would be embedded, which few tests need.
  POSTRIDER_EMBEDDINGS: 'off',
};

/** Starts a server as `postrider-server start` does, and checks its responses against the contract. */
export async function startTestServer({
  env = {},
  folder = inject('testFolder'),
  waits,
  ...options
}: TestServerOptions = {}): Promise<TestServer> {
  bePatient(waits, options.roles);
  const dataDir = await mkdtemp(join(folder, 'server-'));
  const database = options.database ? null : await freshDatabase();
  const settings = options.database ?? database?.settings;
  const config = readConfig({ ...usualSettings, POSTRIDER_DATA_DIR: dataDir, ...env });
  const server = await startServer(
    config,
    pino({ level: process.env.POSTRIDER_TEST_LOG ?? env.POSTRIDER_LOG ?? 'silent' }),
    {
      roles: ['api', 'smtp', 'worker'],
      strict: true,
      ...(settings && { database: settings }),
      ...options,
    },
  );
  // Loops that wait have set their timers by the clock as it was.
  if (options.clock && 'onMoved' in options.clock)
    (options.clock as MovingClock).onMoved(server.deps.wakeups.wakeAll);
  const url = server.httpUrl ?? '';
  const problems: string[] = [];
  const checkedFetch = checkingFetch(problems);
  const workspace = (more: { plan?: Plan; isTest?: boolean } = {}) =>
    makeWorkspace(server, { url, fetch: checkedFetch, ...more });
  const freshName = (prefix = 'box') => `${prefix}-${randomBytes(5).toString('hex')}`;
  const own = await workspace();
  const rows = async <Row>(text: string, values: unknown[] = []) =>
    (await server.deps.database.pool.query(text, values)).rows as Row[];
  const requireFittingAnswers = () => {
    const found = problems.splice(0);
    if (found.length > 0) throw new Error(`Answers do not fit openapi.json:\n${found.join('\n')}`);
  };
  return {
    ...own,
    server,
    url,
    smtpPort: server.smtpPort ?? 0,
    dataDir,
    workspace,
    freshName,
    inbox: (owner = own) => owner.client.inboxes.create({ local_part: freshName() }),
    request: (path, request = {}) => requestPlainly(checkedFetch, url + path, { key: own.key, ...request }),
    rows,
    filed: async () => {
      const isEmpty = async () => (await rows('select from spooled_mail limit 1')).length === 0;
      await eventually('the spool to be empty', isEmpty, { pauseMs: 5 });
    },
    indexed: async () => {
      const left = `(select 'spool' as "in", id from spooled_mail limit 3)
        union all (select 'search_pending', message_id from search_pending limit 3)`;
      let waiting: unknown[] = [];
      const isDone = async () => {
        waiting = await rows(left);
        return waiting.length === 0;
      };
      await eventually('the search index to be complete', isDone, { pauseMs: 5 }).catch((cause: Error) => {
        throw new Error(`${cause.message} Left: ${JSON.stringify(waiting)}`, { cause });
      });
    },
    requireFittingAnswers,
    stop: async () => {
      closeConnections(server.smtpPort ?? 0);
      await server.stop(5_000);
      await database?.drop();
      await rm(dataDir, { recursive: true, force: true });
      requireFittingAnswers();
    },
  };
}

async function makeWorkspace(
  { deps }: RunningServer,
  options: { url: string; fetch: typeof fetch; plan?: Plan; isTest?: boolean },
): Promise<TestWorkspace> {
  const name = `test-${randomBytes(6).toString('hex')}`;
  const made = await createWorkspace(deps, {
    name,
    plan: options.plan ?? 'business',
    isTest: options.isTest ?? false,
  });
  if (!made) throw new Error('The name of a test workspace was taken.');
  const { id: keyId, key } = await createKey(deps, name, 'test');
  const client = new Postrider({
    apiKey: key,
    baseURL: `${options.url}/v1`,
    maxRetries: 0,
    timeout: 300_000,
    fetch: options.fetch,
  });
  return { id: made.id, name, key, keyId, client };
}
