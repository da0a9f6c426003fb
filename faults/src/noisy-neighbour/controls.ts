import { names } from './judge.ts';
import type { LimitValue } from './loosen-object.ts';

/** Limits that are switched off, the attacker that shows it, and the invariants that may break without them. */
export interface Control {
  /** The name of the limits in reports. */
  name: string;
  attacker: string;
  /** In the form that `preload-limits.ts` takes. */
  limits: Record<string, Record<string, LimitValue>>;
  env?: Record<string, string>;
  /** One of these has to break. */
  breaks: string[];
}

/** High enough to be no limit, and still a number that SQL accepts. A control that fails for another reason proves nothing. */
const none = 1_000_000_000;

function off(name: string, attacker: string, limits: Control['limits'], ...breaks: string[]): Control {
  return {
    name,
    attacker,
    limits,
    breaks,
  };
}

/**
 * All controls: one for each limit, or for the limits that protect from the same attack. A limit that the server does not have makes its
 * start fail, so no control can become stale. Limits that no attack here needs have tests instead: amounts that take days to fill, threads
 * for large JSON, the slow draining of refused bodies, and the numbers of waiting requests and of sockets.
 */
export const controls: Control[] = [
  {
    name: 'POSTRIDER_RATE_LIMITS and turns of sends',
    attacker: 'send-flood',
    limits: {
      'lib/admission/server-limits.ts largeSendSlots': { slots: none, ofOwner: none },
    },
    env: { POSTRIDER_RATE_LIMITS: 'off' },
    breaks: [names.probeP99, names.memory],
  },
  {
    name: 'POSTRIDER_RATE_LIMITS',
    attacker: 'empty-searches',
    limits: {},
    env: { POSTRIDER_RATE_LIMITS: 'off' },
    breaks: [names.probeP99],
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
    { 'mail/compose/compose-mail.ts composeLimits': { largeBytes: none } },
    names.probeLongest,
    names.probeP99,
  ),
  off(
    'places for large bodies and bytesPerRequest',
    'send-flood',
    {
      contract: { largeRequestsPerWorkspaceMax: none, bytesPerRequest: none },
      'lib/admission/server-limits.ts largeBodySlots': { slots: none, ofOwner: none, piecesOfOwner: none },
    },
    names.probeP99,
    names.memory,
  ),
  off('answerBytesMax', 'long-mails', { contract: { answerBytesMax: none } }, names.largest),
  off(
    'answerBytesMax, listedAddressesMax and listedReferencesMax',
    'many-addresses',
    { contract: { answerBytesMax: none, listedAddressesMax: none, listedReferencesMax: none } },
    names.largest,
  ),
  {
    name: 'turns of reads',
    attacker: 'long-mails',
    limits: {
      'lib/admission/server-limits.ts readSlots': { slots: none, ofOwner: none },
      'lib/admission/message-slots.ts readLimits': { workspaceLargeAtOnceMax: none },
    },
    breaks: [names.probeP99],
  },
  off(
    'unreadMs',
    'unread-answers',
    { 'http/connections/connection-room.ts connectionLimits': { unreadMs: none } },
    names.idle,
  ),
  off(
    'idleMs and restMs',
    'silent-connections',
    { 'http/connections/connection-room.ts connectionLimits': { idleMs: none, restMs: none } },
    names.idle,
  ),
  off(
    'turns of pipelined requests',
    'silent-connections',
    { 'http/connections/connection-room.ts connectionLimits': { pipelinedMax: none } },
    names.probeP99,
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
      'inbound/limits.ts batchLimits': { filesMax: none },
      'inbound/limits.ts mailPaceLimits': { beginningBytes: none },
    },
    names.probeP99,
  ),
  off(
    'pace of large mail and size of a batch',
    'storage-flood',
    {
      'inbound/limits.ts mailPaceLimits': { beginningBytes: none },
      'inbound/limits.ts batchLimits': { bytesMax: none },
    },
    names.probeP99,
  ),
  {
    name: 'drafts at once',
    attacker: 'due-drafts',
    limits: {
      'drafts/draft-scheduler.ts draftPlaces': { atOnceMax: none, workspaceShare: none },
    },
    breaks: [names.probeP99],
  },
  off(
    'pauses and turns of waiting requests and delay of refusals',
    'waiting-flood',
    {
      'events/wait-for-change.ts paceLimits': { leastMs: 0, mostMs: 0 },
      'lib/admission/server-limits.ts waitingLookSlots': { ofOwner: none },
      'lib/admission/server-limits.ts refusalRate': { burst: none },
    },
    names.probeP99,
  ),
  off(
    'shares of posts and bodies',
    'hanging-webhooks',
    {
      'webhooks/posting/post-slots.ts postLimits': { workspaceShare: 1 },
      'lib/admission/server-limits.ts postedBodySlots': { shareOfFree: 1 },
    },
    names.events,
  ),
];

/** Returns the name in a report of the result of a control. */
export function controlName({ name }: Control): string {
  return `invariants broken without ${name}`;
}
