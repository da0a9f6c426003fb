import type { Response } from 'express';
import type { Context } from '../context.ts';
import type { Deps } from '../deps.ts';
import { authenticate, type KeyGate } from '../keys/authenticate.ts';
import { createTokenBuckets } from '../lib/admission/rate.ts';
import { unknownKeyRate } from '../lib/admission/server-limits.ts';
import { tooManyRequests } from '../lib/api-error.ts';
import { clientOf, isLoopback } from '../lib/ip-address.ts';
import { createRecentMap } from '../lib/memory.ts';
import { requestIdOf, type Step } from './begin-request.ts';

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
        requestId: requestIdOf(res),
        clientAddress: req.ip ?? null,
      };
      res.locals.context = context;
    });
  };
}

/**
 * How long the rights of a caller count as just read. A usual body arrives within that, so few requests read them twice. A slow one may
 * take half a minute, in which people may revoke or narrow a key, or end a session.
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
