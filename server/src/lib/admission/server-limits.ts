/*
 * How much of each kind of work runs at once, in each process: the one table of slots. Every row says who the owner is, and what a caller
 * hears that is refused. The figures are read at every decision. `docs/self-hosting/limits.md` has them with their reasons.
 */
import { availableParallelism } from 'node:os';
import { limits } from '@postrider/contract';
import type { SlotLimits } from './slots.ts';

const mib = 1_048_576;

/** More than there are connections, so that no connection waits for work. */
const beyondConnections = 16;

/**
 * Reads of messages, by workspace: 429 `rate_limited`. How many a workspace has depends on its responses
 * (`lib/concurrency/read-limiter.ts`).
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
 * Bytes of large bodies of requests, by workspace: 429 `rate_limited`. A large request takes several times the memory of its body: bytes,
 * texts, and the mail that is composed of them. A waiting request holds a connection.
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

/** Looks of waiting requests, by workspace: the request goes on waiting. One mail may wake a hundred of them. */
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

/** Hashes of passwords, by client or person: 503. Each takes a core for 50 ms and up to 128 MB, so they take at most half of the cores. */
const hashesMax = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
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

/** Bytes of spooled mail that is read ahead of the database, by inbox. None is refused. */
export const readAheadSlots: SlotLimits = {
  slots: 32 * mib,
  ofOwner: Number.POSITIVE_INFINITY,
  shareOfFree: 0.5,
};

/** Parts of the log for live feeds, by workspace, and for sockets that catch up. None is refused. */
export const feedSlots: SlotLimits = { slots: 4, ofOwner: 4 };
export const catchUpSlots: SlotLimits = { slots: 4, ofOwner: 1, rest: { share: 3, msMax: 400 } };

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
