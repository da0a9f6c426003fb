/*
 * The limits on each kind of work in each process: how much runs at once, and how often. Every row names the owner and the error of a
 * refused caller. The figures of slots and rates are read at every decision; those of connections, sockets, calls and retries are read
 * once, at the start. `docs/self-hosting/limits.md` lists them with their reasons.
 */
import { availableParallelism } from 'node:os';
import { limits } from '@postrider/contract';
import type { LaneRules } from './lanes.ts';
import type { Rate } from './rate.ts';
import type { SlotLimits } from './slots.ts';

const mib = 1_048_576;

/** More than there are connections, so that no connection waits for work. */
const beyondConnections = 16;

/**
 * Reads of messages, by workspace: 429 `rate_limited`. How many a workspace has depends on its responses
 * (`lib/admission/message-slots.ts`).
 */
export const readSlots = {
  slots: beyondConnections,
  ofOwner: 6,
  waitMs: 10_000,
  rest: { share: 2, msMax: 300 },
} satisfies SlotLimits;

/** Large messages that are composed and stored, by workspace. None is refused. */
export const largeSendSlots: SlotLimits = { slots: beyondConnections, ofOwner: 4 };

/**
 * Bytes of large request bodies, by workspace: 429 `rate_limited`. A large request takes several times the memory of its body: bytes,
 * texts, and the mail composed from them. A waiting request holds a connection.
 */
export const largeBodySlots = {
  slots: 96 * mib,
  ofOwner: 24 * mib,
  piecesOfOwner: limits.largeRequestsPerWorkspaceMax,
  waitMs: 10_000,
  waitingOfOwner: 32,
} satisfies SlotLimits;

/** Requests that wait for a change, by workspace: `limit_reached`. */
export const waitingRequestSlots: SlotLimits = {
  slots: Number.POSITIVE_INFINITY,
  ofOwner: limits.waitingRequestsPerWorkspaceMax,
};

/** Reads of waiting requests, by workspace: the request keeps waiting. One mail may wake a hundred of them. */
export const waitingLookSlots = {
  slots: Number.POSITIVE_INFINITY,
  ofOwner: 1,
  rest: { share: 1, msMax: 250 },
} satisfies SlotLimits;

/** Requests to the console without a session, by client, so that a flood of them leaves most connections to callers with a key: 429. */
export const strangerSlots = {
  slots: 3,
  ofOwner: 1,
  waitMs: 10_000,
  waitingOfOwner: 10,
} satisfies SlotLimits;

/** At most half of the cores. */
const hashesMax = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
/** Hashes of passwords, by client or person: 503. Each takes a core for 50 ms and up to 128 MB. */
export const hashSlots: SlotLimits = {
  slots: hashesMax,
  ofOwner: hashesMax,
  waitMs: 30_000,
  waitingOfOwner: 40,
};

/** Inboxes that are created or deleted, by workspace. Those that wait hold no connection. None is refused. */
export const inboxSlots: SlotLimits = { slots: 4, ofOwner: 1, rest: { share: 1, msMax: 250 } };

/** Checks of domains, by workspace: 503, if a caller waits for it. One asks DNS up to a hundred questions. */
export const domainCheckSlots: SlotLimits = { slots: 8, ofOwner: 2 };

/** New keys of domains, by workspace: 503. One takes up to a second of a thread that also signs mail. */
export const domainKeySlots: SlotLimits = {
  slots: 1,
  ofOwner: 1,
  waitMs: 20_000,
  rest: { share: 1, msMax: 2_000 },
};

/** Domains that are registered at Amazon SES, by workspace: the check says that SES was too busy. SES allows about one call a second. */
export const sesDomainSlots: SlotLimits = { slots: 1, ofOwner: 1, waitMs: 20_000 };

/** Mails of Amazon SES in memory, of one owner: 503, and SNS brings it again. SNS waits 15 s in all. */
export const sesMailSlots: SlotLimits = { slots: 8, ofOwner: 8, waitMs: 3_000 };

/**
 * Bytes of mail that arrives, by client: 452. Ten mails of the largest size are enough for many senders at once, and little of a server's
 * memory. A client on this machine may have all of them.
 */
export const collectedMailSlots: SlotLimits = { slots: 256 * mib, ofOwner: 128 * mib };

/** Bytes of spooled mail that is read ahead of the database, by inbox. None is refused. */
export const readAheadSlots: SlotLimits = {
  slots: 32 * mib,
  ofOwner: Number.POSITIVE_INFINITY,
  shareOfFree: 0.5,
};

/** Parts of the log for live feeds, by workspace, and for sockets that catch up. None is refused. */
export const feedSlots: SlotLimits = { slots: 4, ofOwner: 4 };
export const catchUpSlots: SlotLimits = { slots: 4, ofOwner: 1, rest: { share: 3, msMax: 400 } };

/**
 * Connections to a relay, by domain of the recipient, and further ones that no single domain takes: the attempt waits. After a deferral, a
 * domain has two until the relay accepts a message to it.
 */
export const relayConnections = { connectionsMax: 10, connectionsKept: 10 };

/**
 * Sockets of direct mail: the attempt waits, and is deferred once its time is over or `waitingMax` wait for the provider. One provider has
 * `connectionsMax`. Servers that are not known to work have `unprovenSocketsMax` together, and a part of these for one workspace.
 */
export const directSockets = {
  connectionsMax: 5,
  connectionsKept: 0,
  socketsMax: 200,
  unprovenSocketsMax: 100,
  unprovenSocketsOfOwnerMax: 25,
  idleSocketsMax: 50,
  waitingMax: 200,
};

/** Calls that send by Amazon SES, by workspace: the attempt waits, and is deferred if as many wait as may. */
export const sesCalls = { atOnceMax: 50, keptForOthers: 20, waitingMax: 1_000, waitingOfOwnerMax: 200 };

/**
 * Retries of deliveries, by domain of the recipient. Retries over the limit stay due. A domain with a slow or unavailable server leaves
 * room for the others. Without a relay, such domains are many, and each occupies its places for minutes.
 */
export const retryLanes: LaneRules = { placesMax: 20, keptForOthers: 5, failingMax: 5 };
export const directRetryLanes: LaneRules = {
  placesMax: 150,
  keptForOthers: 130,
  failingMax: 5,
  failingInAllMax: 75,
};

/** Webhook posts that begin in one turn of the event loop. None is refused. */
export const beginningPostSlots: SlotLimits = { slots: 16, ofOwner: 16 };

/** Bytes of bodies that are being posted to webhooks, by workspace: the delivery is tried again later. */
export const postedBodySlots = {
  slots: 96 * mib,
  ofOwner: Number.POSITIVE_INFINITY,
  shareOfFree: 0.5,
  waitMs: 10_000,
} satisfies SlotLimits;

/** Deliveries that a caller asks for, by workspace: `limit_reached`. */
export const deliveryByHandSlots: SlotLimits = {
  slots: Number.POSITIVE_INFINITY,
  ofOwner: limits.deliveriesByHandPerWorkspaceMax,
};

/** MCP clients that wait for changes of resources, by workspace: `limit_reached`. */
export const mcpListenerSlots = { slots: Number.POSITIVE_INFINITY, ofOwner: 20 } satisfies SlotLimits;

/**
 * Refusals of requests beyond the plan, by workspace: the others are sent up to a second later, because refusing a request takes almost as
 * long as handling a small one.
 */
export const refusalRate: Rate = { perMinute: 600, burst: 50 };

/** Unknown keys of one client: 429. */
export const unknownKeyRate: Rate = { perMinute: 60, burst: 100 };

/**
 * Requests to the console of one session, and of one client without a session: 429. They do not count for the plan, so that an open page
 * takes nothing from agents.
 */
export const consoleRates = {
  session: { perMinute: 1_800, burst: 300 },
  stranger: { perMinute: 120, burst: 60 },
} satisfies Record<string, Rate>;

/**
 * Bytes that one client without a key or session gets, and all of them together: 429. The pages of the console take a megabyte at first.
 */
export const strangerBytes = {
  client: { perMinute: 128 * mib, burst: 32 * mib },
  all: { perMinute: 512 * mib, burst: 128 * mib },
} satisfies Record<string, Rate>;

/** Guesses of passwords and codes on an account, of a client, of a device and of a person: 429. */
export const guessRates: { account: Rate; client: Rate; device: Rate; code: Rate; right: Rate } = {
  account: { perMinute: 10 / 60, burst: 10 },
  client: { perMinute: 1, burst: 40 },
  device: { perMinute: 0.5, burst: 20 },
  code: { perMinute: 10 / 60, burst: 10 },
  /** Right passwords of one person, since each is hashed, too. */
  right: { perMinute: 10, burst: 30 },
};

/** Links for a new password sent to one person, so that strangers cannot fill a mailbox: none is sent, and the response is the same. */
export const resetMailRate: Rate = { perMinute: 5 / 60, burst: 5 };

/** Entries of the audit log about guesses on one person. The others are left out. */
export const lockOutEntryRate: Rate = { perMinute: 1 / 60, burst: 1 };

/** Invitation mails to one address, whoever sends the invitation, and of one workspace: 429. */
export const invitationMailRates = {
  address: { perMinute: 3 / 60, burst: 3 },
  workspace: { perMinute: 50 / 60, burst: 50 },
} satisfies Record<string, Rate>;

/** Rows in the log of requests: of each key, successes and errors apart, and of a workspace. The next row says how many were skipped. */
export const requestRowRates: { success: Rate; error: Rate; workspace: Rate } = {
  success: { perMinute: 60, burst: 300 },
  error: { perMinute: 120, burst: 600 },
  workspace: { perMinute: 300, burst: 3_000 },
};

/** Rows about mail that was not stored, of one client. The metrics count all. */
export const unstoredMailRate: Rate = { perMinute: 60, burst: 1_000 };
