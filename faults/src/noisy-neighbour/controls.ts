import type { DatabaseKind } from '../trial.ts';
import { names, nameWhileAllAttack } from './judge.ts';
import type { LimitValue } from './loosen-object.ts';

/** Limits switched off, the attacker that shows it, and what has to break without them. */
export interface Control {
  /** What is switched off, as reports say it. */
  name: string;
  attacker: string;
  /** As `preload-limits.ts` takes them. */
  limits: Record<string, Record<string, LimitValue>>;
  env?: Record<string, string>;
  /** One of these has to break: which of them does may depend on the kind of database. */
  breaks: string[];
  /** The only kind of database that has the limit; both have it unless this is given. */
  only?: DatabaseKind;
}

/** As good as none, and still a number that a statement of SQL takes; what fails for another reason proves nothing. */
const none = 1_000_000_000;

const both = (value: number): Record<string, number> => ({ postgres: value, embedded: value });

const off = (name: string, attacker: string, limits: Control['limits'], ...breaks: string[]): Control => ({
  name,
  attacker,
  limits,
  breaks,
});

/**
 * Every control: a line for each limit, or for those that protect from the same attack. One that the server does not have fails the
 * start of the server, so that no line can rot. Limits that no attack here needs have tests instead: amounts that take days to fill,
 * threads for large JSON, the slow draining of refused bodies, and the numbers of waiting requests and of sockets.
 */
export const controls: Control[] = [
  {
    name: 'POSTRIDER_RATE_LIMITS and turns of sends',
    attacker: 'send-flood',
    limits: {
      'lib/concurrency/send-turns.ts sendTurnLimits': {
        atOnceMax: both(none),
        workspaceAtOnceMax: both(none),
      },
    },
    env: { POSTRIDER_RATE_LIMITS: 'off' },
    breaks: [names.probeP99, names.memory],
    // Postgres has connections enough for others, and there the places for large bodies bound the memory.
    only: 'embedded',
  },
  {
    name: 'POSTRIDER_RATE_LIMITS',
    attacker: 'empty-searches',
    limits: {},
    env: { POSTRIDER_RATE_LIMITS: 'off' },
    breaks: [names.probeP99],
    // On the embedded database the turns of its connection protect from the same.
    only: 'postgres',
  },
  off(
    'counting of JSON',
    'json-bodies',
    { contract: { jsonValuesMax: none, jsonDepthMax: none, jsonOutsideStringsBytesMax: none } },
    names.probeLongest,
  ),
  off(
    'threads for composing',
    'send-flood',
    { 'mail/compose/compose-large.ts composeLimits': { largeBytes: none } },
    names.probeLongest,
    names.probeP99,
  ),
  off(
    'places for large bodies and bytesPerRequest',
    'send-flood',
    {
      contract: { largeRequestsPerWorkspaceMax: none, bytesPerRequest: none },
      'http/bodies/body-places.ts bodyPlaceLimits': { bytesMax: none, bytesPerWorkspaceMax: none },
    },
    names.probeP99,
  ),
  off('answerBytesMax', 'long-mails', { contract: { answerBytesMax: none } }, names.largest),
  off(
    'answerBytesMax, listedAddressesMax and listedReferencesMax',
    'many-addresses',
    { contract: { answerBytesMax: none, listedAddressesMax: none, listedReferencesMax: none } },
    names.largest,
  ),
  off(
    'turns of reads',
    'long-mails',
    {
      'lib/concurrency/read-turns.ts readLimits': {
        atOnceMax: both(none),
        workspaceAtOnceMax: both(none),
        workspaceLargeAtOnceMax: none,
      },
    },
    names.probeP99,
  ),
  off(
    'unreadMs',
    'unread-answers',
    { 'http/connections/connection-limits.ts connectionLimits': { unreadMs: none } },
    names.idle,
  ),
  off(
    'idleMs, restMs and unreadMs',
    'silent-connections',
    {
      'http/connections/connection-limits.ts connectionLimits': {
        idleMs: none,
        restMs: none,
        unreadMs: none,
      },
    },
    names.idle,
  ),
  off(
    'turns of pipelined requests',
    'silent-connections',
    { 'http/connections/connection-limits.ts connectionLimits': { pipelinedMax: none } },
    names.probeLongest,
  ),
  off(
    'room for SMTP clients',
    'smtp-connections',
    {
      'mail/smtp/smtp-limits.ts smtpLimitDefaults': {
        crowdedIdleTimeoutMs: none,
        firstCommandTimeoutMs: none,
      },
    },
    names.idle,
  ),
  off(
    'inboundAttachmentsMax, files of a batch and pace of parts',
    'many-parts',
    {
      contract: { inboundAttachmentsMax: none },
      'inbound/spool/next-batch.ts batchLimits': { filesMax: none },
      'inbound/mail-pace.ts mailPaceLimits': { beginningBytes: none },
    },
    names.probeP99,
  ),
  off(
    'pace of large mail and size of a batch',
    'storage-flood',
    {
      'inbound/mail-pace.ts mailPaceLimits': { beginningBytes: none },
      'inbound/spool/next-batch.ts batchLimits': { bytesMax: both(none) },
    },
    names.probeP99,
  ),
  {
    name: 'drafts at once',
    attacker: 'due-drafts',
    limits: {
      'drafts/draft-scheduler.ts draftPlaces': { atOnceMax: both(none), workspaceShare: none },
    },
    breaks: [names.probeP99],
    only: 'postgres',
  },
  off(
    'turns of waiting requests and delay of refusals',
    'waiting-flood',
    {
      'workspaces/wait-for-change.ts lookLimits': { atOnceMax: none, restShare: 0 },
      'http/rate-limit.ts refusalLimits': { atOnce: none },
    },
    names.probeP99,
  ),
  {
    name: 'turns of the one connection',
    attacker: 'together',
    limits: { 'db/fair-connections.ts connectionTurns': { byOwner: false } },
    breaks: [nameWhileAllAttack(names.readable)],
    only: 'embedded',
  },
  off(
    'shares of posts and bodies',
    'hanging-webhooks',
    {
      'webhooks/posting/places.ts postLimits': { workspaceShare: 1 },
      'webhooks/posting/held-bodies.ts bodyLimits': { workspaceShare: 1 },
    },
    names.events,
  ),
];

/** How a report names what a control showed. */
export const controlName = ({ name }: Control): string => `invariants broken without ${name}`;
