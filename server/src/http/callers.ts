/* Callers of the API: identifies the caller, and limits what each of them can send and leave unread. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { limits } from '@postrider/contract';
import type { Request, RequestHandler, Response } from 'express';
import { type Context, contextOf } from '../context.ts';
import type { Deps } from '../deps.ts';
import { authenticate, type KeyGate } from '../keys/authenticate.ts';
import { createTokenBuckets, type Rate } from '../lib/admission/rate.ts';
import { refusalRate, strangerBytes, unknownKeyRate } from '../lib/admission/server-limits.ts';
import { tooManyRequests, wholeSeconds } from '../lib/api-error.ts';
import { whenClosed } from '../lib/concurrency/client-gone.ts';
import { clientOf, isLoopback } from '../lib/ip-address.ts';
import { createRecentMap } from '../lib/memory.ts';
import { planLimits } from '../workspaces/usage.ts';
import { readDeclaredBytes, readRequestId, type Step } from './begin-request.ts';
import { countReceived } from './bodies/read-body.ts';

/**
 * Puts the caller's context on the response, or responds with 401 before the body is read. `renewRights` does so again after a slow body.
 */
export function requireCaller(deps: Deps): Step {
  const gateFor = createKeyGate();
  return (req, res) => {
    const gate = gateFor(() => req.ip ?? '');
    return readRights(res, async () => {
      const caller = await authenticate(deps, req.headers.authorization, gate);
      const context: Context = {
        ...deps,
        ...caller,
        requestId: readRequestId(res),
        clientAddress: req.ip ?? null,
      };
      res.locals.context = context;
    });
  };
}

/**
 * The time for which the rights of a caller count as just read. A usual body arrives within it, so few requests read them twice. A slow one
 * can take half a minute, in which people may revoke or narrow a key, or end a session.
 */
export const rightsLimits = { freshMs: 50 };

interface ReadRights {
  atMs: number;
  readAgain(): Promise<void>;
}

/** Reads the rights of a caller, and notes on the response how `renewRights` reads them again. */
export async function readRights(res: Response, read: () => Promise<void>): Promise<void> {
  await read();
  res.locals.rights = { atMs: performance.now(), readAgain: read } satisfies ReadRights;
}

/** Reads the rights of the caller again if the body took a while, so that nobody acts with rights from before it. Comes after the body. */
export const renewRights: Step = (_req, res) => {
  const rights = res.locals.rights as ReadRights | undefined;
  if (rights && performance.now() - rights.atMs > rightsLimits.freshMs) return rights.readAgain();
};

const goodKeysMax = 10_000;

/**
 * Creates the gate that protects the look-up of keys from load; keys cannot be guessed. A client that sent many unknown keys lately gets
 * 429 without a look-up, except for one a second. Callers with a valid key do not suffer from others: a key that was valid the last time is
 * always looked up, from any address, and clients on this machine are never refused, since all clients behind an untrusted proxy look like
 * one. The function that is returned makes the gate of a request, which determines the client only if that matters.
 */
export function createKeyGate(
  nowMs: () => number = () => performance.now(),
  clientsMax = 50_000,
): (addressOf: () => string) => KeyGate {
  const unknownKeys = createTokenBuckets(nowMs, clientsMax);
  const goodKeys = createRecentMap<true>(goodKeysMax);
  return (addressOf) => ({
    admit: (keyHash) => {
      if (goodKeys.get(keyHash)) return;
      const address = addressOf();
      if (isLoopback(address)) return;
      const { waitMs } = unknownKeys.look(clientOf(address), unknownKeyRate);
      if (waitMs > 0) throw tooManyRequests(waitMs);
    },
    note: (keyHash, isKnown) => {
      if (isKnown) return goodKeys.set(keyHash, true);
      goodKeys.delete(keyHash);
      unknownKeys.take(clientOf(addressOf()), unknownKeyRate);
    },
  });
}

/** The longest delay of a refusal. */
export const refusalHeldMsMax = 1_000;

/**
 * Lets each workspace make the requests of its plan, and responds with 429 to the rest before their bodies are read. The headers of every
 * response say what is left. A large body or response counts as several requests: a body before it is read, a response once it was created.
 * A workspace that has overdrawn cannot make a request until it has regained the difference. Each process that serves the API has its
 * share, and assumes that the others are used equally when it says what is left. If a workspace does not stop, its refusals are sent up to
 * a second later.
 */
export function limitRequests(deps: Deps, processCount: () => number): Step {
  if (!deps.config.rateLimits) return () => {};
  const buckets = createTokenBuckets(() => performance.now());
  const refusals = createTokenBuckets(() => performance.now());
  const refuse = async (workspaceId: string, waitMs: number, wholeMs: number): Promise<never> => {
    const isHeld = refusals.take(workspaceId, refusalRate).waitMs > 0;
    // Delayed until its burst is back, a client would get less than its plan.
    const heldMs = isHeld ? Math.min(refusalHeldMsMax, wholeMs / 2) : 0;
    if (heldMs > 0) await sleep(heldMs);
    throw tooManyRequests(Math.max(waitMs - heldMs, 1));
  };
  return (req, res) => {
    const ctx = contextOf(res);
    const { requests_per_second, requests_burst } = planLimits(ctx);
    const processes = processCount();
    const share = processShare(requests_per_second, requests_burst, processes);
    const { tokens, waitMs } = buckets.take(ctx.workspaceId, share);
    res.setHeader('RateLimit-Limit', requests_burst);
    res.setHeader(
      'RateLimit-Remaining',
      Math.max(0, Math.min(requests_burst, Math.floor(tokens) * processes)),
    );
    const wholeMs = ((share.burst - tokens) * 60_000) / share.perMinute;
    res.setHeader('RateLimit-Reset', wholeSeconds(wholeMs));
    if (waitMs > 0) return refuse(ctx.workspaceId, waitMs, wholeMs);
    const spendFor = (bytes: number) => {
      const more = Math.ceil(bytes / limits.bytesPerRequest) - 1;
      if (more > 0) buckets.spend(ctx.workspaceId, share, more);
    };
    const declaredBytes = readDeclaredBytes(req) ?? 0;
    spendFor(Math.min(declaredBytes, limits.requestWithAttachmentsBytesMax));
    res.on('prefinish', () => {
      if (declaredBytes === 0) spendFor(countReceived(req));
      spendFor(responseBytes(res));
    });
  };
}

/** Returns the share of one process. With any number of processes, each lets a request through now and then. */
function processShare(perSecond: number, burst: number, processes: number): Rate {
  return {
    perMinute: (perSecond * 60) / processes,
    burst: Math.max(Math.min(1, burst), burst / processes),
  };
}

const comeAgainMs = 1_000;

/** Returns the bytes of a response whose end was written; 0 if its size is not known. */
export function responseBytes(res: Response): number {
  return Number(res.getHeader('content-length') ?? 0);
}

/** Returns whether a response is for a client without a key or session. */
export function isForStranger(res: ServerResponse): boolean {
  const { locals } = res as Partial<Response>;
  return !locals?.context && !locals?.person;
}

/** Returns whether a response is so large that a client that leaves it unread does so on purpose. */
export function isLarge(res: ServerResponse): boolean {
  return Number(res.getHeader('content-length') ?? 0) > smallBytes;
}

/**
 * Responds with 429 to a workspace that has too many unread bytes, until it reads: a response stays in memory until its client has taken
 * all of it.
 */
export function limitUnread(): Step {
  const unread = new Map<string, number>();
  return (_req, res) => {
    const { workspaceId } = contextOf(res);
    if ((unread.get(workspaceId) ?? 0) > limits.unreadBytesPerWorkspaceMax)
      throw tooManyRequests(comeAgainMs);
    res.on('prefinish', () => {
      const bytes = responseBytes(res);
      // Small responses are copied to the memory of the operating system at once, and their number is limited.
      if (bytes <= smallBytes) return;
      unread.set(workspaceId, (unread.get(workspaceId) ?? 0) + bytes);
      whenClosed(res, () => {
        const left = (unread.get(workspaceId) ?? 0) - bytes;
        if (left > 0) unread.set(workspaceId, left);
        else unread.delete(workspaceId);
      });
    });
  };
}

const smallBytes = 65_536;

/**
 * Responds with 429 to strangers who were sent too much, unless `isSignedIn` knows the person of a request. Strangers are clients without a
 * key or session. The system takes a response of a megabyte at once, whether or not its client reads it, so each byte counts when it is
 * sent.
 */
export function limitStrangers(isSignedIn: (req: Request) => Promise<boolean>): RequestHandler {
  const buckets = createTokenBuckets(() => performance.now());
  return async (req, res, next) => {
    const counted = [
      [`client ${clientOf(req.ip ?? '')}`, strangerBytes.client],
      ['all', strangerBytes.all],
    ] as const;
    const waitMs = Math.max(...counted.map(([key, rate]) => buckets.look(key, rate).waitMs));
    if (waitMs > 0 && !(await isSignedIn(req))) throw tooManyRequests(waitMs);
    res.once('prefinish', () => {
      const bytes = responseBytes(res);
      for (const [key, rate] of counted) buckets.spend(key, rate, bytes);
    });
    next();
  };
}
