import type { Agent } from 'node:https';
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import type { Database } from './db/database.ts';
import type { Db } from './db/tables.ts';
import type { Wakeups } from './db/wakeups.ts';
import type { AskZone } from './dns/ask-zone.ts';
import type { DnsPublisher } from './dns/publish/publish-records.ts';
import type { Egress } from './egress/egress.ts';
import type { EmbeddingProvider } from './embedding/provider.ts';
import type { DiskSpace } from './files/disk-space.ts';
import type { Files } from './files/files.ts';
import type { Queue } from './jobs/queue.ts';
import type { ReadLimiter, SendLimiter } from './lib/admission/message-slots.ts';
import type { Clock, TimeScale } from './lib/clock.ts';
import type { Background } from './lib/concurrency/wait.ts';
import type { DerivedKeys } from './lib/crypto/primitives.ts';
import type { Memory } from './lib/memory.ts';
import type { ServerAddress } from './lib/server-address.ts';
import type { Tracing } from './lib/tracing.ts';
import type { MailAuthenticator } from './mail/authenticate/authenticate-mail.ts';
import type { SesIdentities } from './mail/aws/ses-identities.ts';
import type { MailComposer } from './mail/compose/compose-mail.ts';
import type { DkimSigner } from './mail/compose/sign-mail.ts';
import type { MailParser } from './mail/parse/parse-pool.ts';
import type { Transport } from './mail/transports/transport.ts';
import type { Metrics } from './metrics.ts';

/** The parts of the server, opened once at start and handed to every domain function through its context. */
export interface Deps {
  config: Config;
  log: Logger;
  clock: Clock;
  timeScale: TimeScale;
  database: Database;
  /** Runs queries: the pool, or the transaction that a function runs in. */
  db: Db;
  wakeups: Wakeups;
  /** The time in ms after which every waiter checks without a wake-up, because a process may die before it sends one. */
  lookAgainMs: number;
  /** Caches and counts of this process, by `perServer`. */
  memory: Memory;
  /** Reads of messages, in which workspaces take turns. */
  readLimiter: ReadLimiter;
  /** Composing and storing of large messages that are sent, in which workspaces take turns. */
  sendLimiter: SendLimiter;
  files: Files;
  disk: DiskSpace;
  keys: DerivedKeys;
  parser: MailParser;
  /** How long mail that arrives waits for the parser before it is stored with its header alone, and parsed later. */
  parsePatienceMs: number;
  composer: MailComposer;
  /** Asks the name servers of a zone themselves. */
  askZone: AskZone;
  /** Signs the mail of the shared domain. Null if this server signs nothing. */
  sharedSigner: DkimSigner | null;
  /** Publishes the records of dedicated subdomains; null if the operator does. */
  dnsPublisher: DnsPublisher | null;
  /** The domains that Amazon SES can send for; null if mail is not sent through it. */
  sesIdentities: SesIdentities | null;
  authenticator: MailAuthenticator;
  transport: Transport;
  /** The way out for test workspaces: always the sandbox, and only to other test workspaces. */
  testTransport: Transport;
  /** Connects to services that this server asks by HTTPS. */
  httpsAgent: Agent;
  egress: Egress;
  /** The source of vectors for search by meaning. Null if it is off. */
  embedding: EmbeddingProvider | null;
  background: Background;
  queue: Queue;
  metrics: Metrics;
  tracing: Tracing;
  address: ServerAddress;
  /** Aborted when the server stops: long waits end then. */
  stopping: AbortSignal;
}
