import type * as serverLimits from '../../server/src/lib/admission/server-limits.ts';

type ServerLimits = typeof serverLimits;

/** The meaning of a limit of `server-limits.ts`. */
export interface LimitMeaning<Limit> {
  /** The work that is limited. */
  work: string;
  /** The owner whose work is counted together; `one` if it is all work. */
  owner: string;
  /** The outcome of work over the limit. */
  beyond: string;
  reason: string;
  /** By default the figures count pieces of work. */
  unit?: 'bytes';
  /** Returns how much there may be, for a limit of a shape of its own. */
  amount?(limit: Limit): string;
}

/** The meaning of each limit, in the order of the page. Without one for each limit, this does not compile. */
export const serverLimitMeanings: { [Name in keyof ServerLimits]: LimitMeaning<ServerLimits[Name]> } = {
  readSlots: {
    work: 'reads of messages at once',
    owner: 'workspace',
    amount: ({ ofOwner, waitMs }) =>
      `1 for each workspace, plus one for every 20 recent responses under 0.5 MB, up to ${ofOwner}. For 30 s after a response of 0.5 MB or more, the workspace has only 1, and each of its reads counts for twice its duration longer, at most 0.3 s. A read counts until the client has read the response, at most 2 s. Others wait for up to ${waitMs / 1_000} s`,
    beyond: '429 `rate_limited`',
    reason: 'workspaces take turns',
  },
  largeSendSlots: {
    work: 'messages composed and stored at once that have over 10 recipients, over 64 KB of text, or a file',
    owner: 'workspace',
    amount: ({ ofOwner }) => `${ofOwner} for each workspace`,
    beyond: 'wait for their turn',
    reason: 'a burst of sends to many recipients must not delay other workspaces',
  },
  largeBodySlots: {
    work: 'large request bodies (over 256 KB)',
    owner: 'workspace',
    unit: 'bytes',
    beyond: '429 `rate_limited`',
    reason: 'memory; each is parsed in a thread with its own heap',
  },
  waitingRequestSlots: {
    work: 'requests that wait for a change',
    owner: 'workspace',
    beyond: '`limit_reached`',
    reason: 'memory',
  },
  waitingLookSlots: {
    work: 'waiting requests that read the database at once',
    owner: 'workspace',
    beyond: 'read later',
    reason: 'one email can wake a hundred waiting requests',
  },
  strangerSlots: {
    work: 'requests to the console without a session, such as sign-ins and links, at once',
    owner: 'client',
    beyond: '429 `rate_limited`',
    reason: 'a flood of them must leave the database free for callers with a key',
  },
  refusalRate: {
    work: 'refusals of requests beyond the rate of the plan',
    owner: 'workspace',
    beyond: 'sent up to a second later',
    reason: 'refusing a request takes almost as much time as serving it',
  },
  unknownKeyRate: {
    work: 'requests with an unknown key',
    owner: 'client',
    beyond: '429 `rate_limited`',
    reason: 'each costs a database query',
  },
  consoleRates: {
    work: 'requests to the console',
    owner: 'session, or client without one',
    beyond: '429 `rate_limited`',
    reason: 'open pages must not use up the rate of the plan',
  },
  strangerBytes: {
    work: 'bytes sent to clients without a key or session',
    owner: 'client, and all clients together',
    unit: 'bytes',
    beyond: '429 `rate_limited`, except for signed-in people',
    reason: 'the operating system buffers what a client does not read, up to megabytes for each connection',
  },
  hashSlots: {
    work: 'password hashes computed at once',
    owner: 'client or person',
    amount: ({ waitMs = 0, waitingOfOwner }) =>
      `half of the cores, at most 2; ${waitingOfOwner} of each client or person wait for up to ${waitMs / 1_000} s`,
    beyond: '503 `unavailable`',
    reason: 'each takes 50 ms of a core and up to 128 MB',
  },
  guessRates: {
    work: 'guesses of passwords and codes',
    owner: 'account, client, device and person',
    beyond: '429 `rate_limited`',
    reason: 'passwords and codes must not be found by guessing',
  },
  resetMailRate: {
    work: 'password reset emails',
    owner: 'person',
    beyond: 'not sent; the response does not say so',
    reason: 'strangers must not fill a mailbox',
  },
  lockOutEntryRate: {
    work: 'audit log entries about wrong guesses',
    owner: 'person',
    beyond: 'left out',
    reason: 'a stranger can cause any number of them',
  },
  invitationMailRates: {
    work: 'invitation emails',
    owner: 'address, and workspace',
    beyond: '429 `rate_limited`',
    reason: 'the server must not be used to flood anyone with mail',
  },
  requestRowRates: {
    work: 'rows in the request log, which are kept for 7 days',
    owner: 'key, and workspace',
    beyond: 'not logged; the next row says how many',
    reason: 'disk; a key that makes 500 requests a second would add 43 million rows a day',
  },
  inboxSlots: {
    work: 'inboxes created or deleted at once',
    owner: 'workspace',
    beyond: 'wait for their turn',
    reason: 'waiting work must not hold database connections that others need',
  },
  domainCheckSlots: {
    work: 'domain checks at once',
    owner: 'workspace',
    beyond: '503 `unavailable` if a caller waits for the check',
    reason: 'one check sends up to a hundred DNS queries',
  },
  domainKeySlots: {
    work: 'domain keys generated at once',
    owner: 'workspace',
    beyond: '503 `unavailable`',
    reason: 'each takes up to a second of a thread that also signs mail',
  },
  sesDomainSlots: {
    work: 'domains registered at Amazon SES at once',
    owner: 'workspace',
    beyond: 'the check says that SES was too busy',
    reason: 'SES allows about one call a second',
  },
  mcpListenerSlots: {
    work: 'MCP clients subscribed to changes of resources',
    owner: 'workspace',
    beyond: '`limit_reached`',
    reason: 'each is an open stream; clients with the same key share one reader of the event log',
  },
  feedSlots: {
    work: 'parts of the event log read at once for live feeds',
    owner: 'workspace',
    beyond: 'wait for their turn',
    reason: 'a part is about half a megabyte',
  },
  catchUpSlots: {
    work: 'parts of the event log read at once for sockets with a long backlog',
    owner: 'workspace',
    beyond: 'wait for their turn',
    reason: 'workspaces take turns',
  },
  relayConnections: {
    work: 'connections to the relay',
    owner: 'domain of the recipient',
    amount: ({ connectionsMax, connectionsKept }) =>
      `${connectionsMax + connectionsKept}, of which recipients at one domain take at most ${connectionsMax}; after a deferral at most 2, until the relay accepts a message for that domain`,
    beyond: 'wait for their turn',
    reason: 'a domain for which the relay responds slowly or not at all must not delay mail to others',
  },
  directSockets: {
    work: 'connections of direct mail',
    owner: 'provider, and workspace',
    amount: ({ connectionsMax, socketsMax, unprovenSocketsMax, unprovenSocketsOfOwnerMax }) =>
      `${socketsMax}, of which at most ${unprovenSocketsMax} to servers that have not accepted mail yet, and ${unprovenSocketsOfOwnerMax} of those for one workspace; ${connectionsMax} to one provider`,
    beyond: 'wait for their turn',
    reason: 'slow or dead servers must not delay mail to others',
  },
  sesCalls: {
    work: 'messages that wait for Amazon SES',
    owner: 'workspace',
    amount: ({ atOnceMax, waitingMax, waitingOfOwnerMax }) =>
      `${count(waitingMax)}, ${waitingOfOwnerMax} of one workspace; ${atOnceMax} are sent at once`,
    beyond: 'deferred for about as long as those take to send',
    reason: 'memory',
  },
  retryLanes: {
    work: 'retries at once through a relay or Amazon SES',
    owner: 'domain of the recipient',
    amount: ({ placesMax, keptForOthers, failingMax }) =>
      `${placesMax}, of which one domain takes at most ${placesMax - keptForOthers}, and at most ${failingMax} after a deferral`,
    beyond: 'wait for their turn',
    reason: 'a domain whose server is slow or down must not delay mail to others',
  },
  directRetryLanes: {
    work: 'retries at once of direct mail',
    owner: 'domain of the recipient',
    amount: ({ placesMax, keptForOthers, failingMax, failingInAllMax }) =>
      `${placesMax}, of which one domain takes at most ${placesMax - keptForOthers}, and at most ${failingMax} after a deferral; those after a deferral take at most ${failingInAllMax} in all`,
    beyond: 'wait for their turn',
    reason: 'the same',
  },
  beginningPostSlots: {
    work: 'webhook posts that begin in one turn of the event loop',
    owner: 'one',
    beyond: 'begin in the next turn',
    reason: 'each takes processor time at once',
  },
  postedBodySlots: {
    work: 'bodies that are being posted to webhooks',
    owner: 'workspace',
    unit: 'bytes',
    beyond: 'the delivery is retried later',
    reason: 'memory',
  },
  deliveryByHandSlots: {
    work: 'webhook tests and redeliveries at once',
    owner: 'workspace',
    beyond: '`limit_reached`',
    reason: 'each holds a request open',
  },
  collectedMailSlots: {
    work: 'incoming mail in memory',
    owner: 'client',
    unit: 'bytes',
    beyond: '452 4.3.1. Clients on this machine can use all of it',
    reason: 'memory; room for ten emails of the largest size serves many senders at once',
  },
  readAheadSlots: {
    work: 'acknowledged mail that is parsed before the database can take it',
    owner: 'inbox',
    unit: 'bytes',
    beyond: 'parsed later',
    reason: 'memory',
  },
  sesMailSlots: {
    work: 'emails from Amazon SES received at once',
    owner: 'one',
    beyond: '503 `unavailable`; SNS delivers the email again',
    reason: 'memory; SNS waits 15 s in total',
  },
  unstoredMailRate: {
    work: 'log rows about mail that was not stored',
    owner: 'client',
    beyond: 'not logged; `/metrics` counts all',
    reason: 'a stranger can cause any number of refusals',
  },
};

/** Returns a number as people write it. */
export function count(number: number): string {
  return number.toLocaleString('en');
}
