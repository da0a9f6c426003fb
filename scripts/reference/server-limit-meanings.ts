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
      `1 of a workspace, and one more for each 20 recent responses under 0.5 MB, up to ${ofOwner}. For 30 s after a response of 0.5 MB or more, the workspace has 1, and each of its reads counts for twice its duration longer, 0.3 s at most. A read counts until the client has read the response, 2 s at most. Others wait for ${waitMs / 1_000} s`,
    beyond: '429 `rate_limited`',
    reason: 'workspaces take turns',
  },
  largeSendSlots: {
    work: 'messages with over 10 recipients, over 64 KB of text or a file that are composed and stored at once',
    owner: 'workspace',
    amount: ({ ofOwner }) => `${ofOwner} of a workspace`,
    beyond: 'wait for their turn',
    reason: 'a burst of sends to many recipients must not delay everybody',
  },
  largeBodySlots: {
    work: 'large bodies of requests (over 256 KB)',
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
    work: 'looks of waiting requests at once',
    owner: 'workspace',
    beyond: 'look later',
    reason: 'one mail can wake a hundred of them',
  },
  strangerSlots: {
    work: 'requests to the console without a session, such as sign-ins and links, at once',
    owner: 'client',
    beyond: '429 `rate_limited`',
    reason: 'a flood of them must leave the database to callers with a key',
  },
  refusalRate: {
    work: 'refusals of requests beyond the plan',
    owner: 'workspace',
    beyond: 'sent up to a second later',
    reason: 'refusing a request takes almost as much time as answering it',
  },
  unknownKeyRate: {
    work: 'requests with an unknown key',
    owner: 'client',
    beyond: '429 `rate_limited`',
    reason: 'each costs a look-up',
  },
  consoleRates: {
    work: 'requests to the console',
    owner: 'session, or client without one',
    beyond: '429 `rate_limited`',
    reason: 'an open page takes nothing from the plan of agents',
  },
  strangerBytes: {
    work: 'bytes sent to clients without a key or session',
    owner: 'client, and all of them together',
    unit: 'bytes',
    beyond: '429 `rate_limited`, except for people who are signed in',
    reason: 'the system keeps what a client does not read, up to megabytes for each connection',
  },
  hashSlots: {
    work: 'hashes of passwords at once',
    owner: 'client or person',
    amount: ({ waitMs = 0, waitingOfOwner }) =>
      `half of the cores, at most 2; ${waitingOfOwner} of an owner wait for ${waitMs / 1_000} s`,
    beyond: '503 `unavailable`',
    reason: 'each takes a core for 50 ms and up to 128 MB',
  },
  guessRates: {
    work: 'guesses of passwords and codes',
    owner: 'account, client, device and person',
    beyond: '429 `rate_limited`',
    reason: 'a guess must stay a guess',
  },
  resetMailRate: {
    work: 'links for a new password',
    owner: 'person',
    beyond: 'not sent, and the response is the same',
    reason: 'strangers must not fill a mailbox',
  },
  lockOutEntryRate: {
    work: 'entries of the audit log about guesses',
    owner: 'person',
    beyond: 'left out',
    reason: 'a stranger can cause any number of them',
  },
  invitationMailRates: {
    work: 'mails with invitations',
    owner: 'address, and workspace',
    beyond: '429 `rate_limited`',
    reason: 'nobody may be flooded by way of this server',
  },
  requestRowRates: {
    work: 'rows in the log of requests, which are kept for 7 days',
    owner: 'key, and workspace',
    beyond: 'left out; the next row says how many',
    reason: 'disk; a key that makes 500 requests a second would add 43 million rows a day',
  },
  inboxSlots: {
    work: 'inboxes that are created or deleted at once',
    owner: 'workspace',
    beyond: 'wait for their turn',
    reason: 'those that wait hold no connection that others need',
  },
  domainCheckSlots: {
    work: 'checks of domains at once',
    owner: 'workspace',
    beyond: '503 `unavailable`, if a caller waits for the check',
    reason: 'one asks DNS up to a hundred questions',
  },
  domainKeySlots: {
    work: 'new keys of domains at once',
    owner: 'workspace',
    beyond: '503 `unavailable`',
    reason: 'one takes up to a second of a thread that also signs mail',
  },
  sesDomainSlots: {
    work: 'domains that are registered at Amazon SES at once',
    owner: 'workspace',
    beyond: 'the check says that SES was too busy',
    reason: 'SES allows about one call a second',
  },
  mcpListenerSlots: {
    work: 'MCP clients that wait for changes of resources',
    owner: 'workspace',
    beyond: '`limit_reached`',
    reason: 'each is an open stream; those with one key share a follower of the event log',
  },
  feedSlots: {
    work: 'parts of the log that are read for live feeds at once',
    owner: 'workspace',
    beyond: 'wait for their turn',
    reason: 'a part is about half a megabyte',
  },
  catchUpSlots: {
    work: 'parts of the log that are read at once for sockets that catch up with a long backlog',
    owner: 'workspace',
    beyond: 'wait for their turn',
    reason: 'workspaces take turns',
  },
  relayConnections: {
    work: 'connections to the relay',
    owner: 'domain of the recipient',
    amount: ({ connectionsMax, connectionsKept }) =>
      `${connectionsMax + connectionsKept}, of which recipients of one domain take at most ${connectionsMax}, and at most 2 after a deferral, until the relay accepts a message for that domain`,
    beyond: 'wait for their turn',
    reason: 'a domain for which the relay answers slowly or not at all must not hold back mail to others',
  },
  directSockets: {
    work: 'connections of direct mail',
    owner: 'provider, and workspace',
    amount: ({ connectionsMax, socketsMax, unprovenSocketsMax, unprovenSocketsOfOwnerMax }) =>
      `${socketsMax}, of which ${unprovenSocketsMax} to servers that have not worked yet, and ${unprovenSocketsOfOwnerMax} of those for one workspace; ${connectionsMax} to one provider`,
    beyond: 'wait for their turn',
    reason: 'slow or dead servers must not hold back mail to others',
  },
  sesCalls: {
    work: 'messages that wait for Amazon SES',
    owner: 'workspace',
    amount: ({ atOnceMax, waitingMax, waitingOfOwnerMax }) =>
      `${count(waitingMax)}, of one workspace ${waitingOfOwnerMax}; ${atOnceMax} are sent at once`,
    beyond: 'deferred for about as long as those take',
    reason: 'each holds memory',
  },
  retryLanes: {
    work: 'retries at once by a relay or Amazon SES',
    owner: 'domain of the recipient',
    amount: ({ placesMax, keptForOthers, failingMax }) =>
      `${placesMax}, of which one domain takes at most ${placesMax - keptForOthers}, and at most ${failingMax} after a deferral`,
    beyond: 'wait for their turn',
    reason: 'a domain whose server is slow or away must not hold back mail to others',
  },
  directRetryLanes: {
    work: 'retries at once of direct mail',
    owner: 'domain of the recipient',
    amount: ({ placesMax, keptForOthers, failingMax, failingInAllMax }) =>
      `${placesMax}, of which one domain takes at most ${placesMax - keptForOthers}, and at most ${failingMax} after a deferral; those after a deferral take at most ${failingInAllMax} in all`,
    beyond: 'wait for their turn',
    reason: 'likewise',
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
    beyond: 'the delivery is tried again later',
    reason: 'memory',
  },
  deliveryByHandSlots: {
    work: 'deliveries to webhooks that callers ask for at once',
    owner: 'workspace',
    beyond: '`limit_reached`',
    reason: 'each holds a request open',
  },
  collectedMailSlots: {
    work: 'mail on its way in, in memory',
    owner: 'client',
    unit: 'bytes',
    beyond: '452 4.3.1. This machine may take all of it',
    reason: 'memory; ten mails of the largest size are enough for many senders at once',
  },
  readAheadSlots: {
    work: 'acknowledged mail that is read ahead of the database',
    owner: 'inbox',
    unit: 'bytes',
    beyond: 'read later',
    reason: 'memory',
  },
  sesMailSlots: {
    work: 'mails of Amazon SES at once',
    owner: 'one',
    beyond: '503 `unavailable`, and SNS brings the mail again',
    reason: 'memory; SNS waits 15 s in all',
  },
  unstoredMailRate: {
    work: 'rows about mail that was not stored',
    owner: 'client',
    beyond: 'left out; `/metrics` counts all',
    reason: 'a stranger can cause any number of refusals',
  },
};

/** Returns a number as people write it. */
export function count(number: number): string {
  return number.toLocaleString('en');
}
