/*
 * Limits guesses of passwords and codes, without locking out the owner of an account. Guesses of strangers on an account have a limit of
 * their own, and so have those of a client on all accounts. A device on which the person signed in before has a signed cookie and its own
 * limit, so strangers who use theirs up do not keep the person out (OWASP, "device cookies"). A passkey, and a link from the command line,
 * work in any case. The counts are in the memory of each process.
 */
import { randomBytes } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { ApiError } from '../lib/api-error.ts';
import { clientOf } from '../lib/client-address.ts';
import { sign, verifySignature } from '../lib/crypto/secrets.ts';
import { perServer } from '../lib/per-server.ts';
import { wholeSeconds } from '../lib/rate-limited.ts';
import { createTokenBuckets, type Rate } from '../lib/token-buckets.ts';

/** How many guesses are possible, and how fast they come back. */
export const guessRates: { account: Rate; client: Rate; device: Rate } = {
  account: { perMinute: 10 / 60, burst: 10 },
  client: { perMinute: 1, burst: 40 },
  device: { perMinute: 0.5, burst: 20 },
};

/** How often strangers can have a link for a new password sent to one person, so that they cannot fill a mailbox. */
const resetRate: Rate = { perMinute: 5 / 60, burst: 5 };

const purpose = 'devices';
const nonceBytes = 16;
const bucketsOf = perServer(() => createTokenBuckets(() => performance.now()));

/** Where a guess comes from, and whose account it is about. */
export interface Guess {
  email: string;
  /** Null if nobody has this address. */
  personId: string | null;
  address: string | null;
  /** The cookie of the device; null without one. */
  deviceToken: string | null;
}

/** Returns the cookie that marks a device as one on which the person has signed in. */
export function newDeviceToken(deps: Pick<Deps, 'keys'>, personId: string): string {
  const nonce = randomBytes(nonceBytes).toString('base64url');
  return `${nonce}.${sign(deps.keys.key(purpose), `${personId} ${nonce}`)}`;
}

/**
 * Counts a guess. Returns a function that takes the count back, for a guess that was right.
 *
 * @throws ApiError `rate_limited` for one guess too many.
 */
export function countGuess(deps: Pick<Deps, 'memory' | 'keys' | 'config'>, guess: Guess): () => void {
  if (!deps.config.rateLimits) return () => {};
  const buckets = bucketsOf(deps);
  const device = deviceOf(deps, guess);
  const counted: [string, Rate][] =
    device === null
      ? [
          [`account ${guess.email}`, guessRates.account],
          [`client ${clientOf(guess.address ?? '')}`, guessRates.client],
        ]
      : [[`device ${device}`, guessRates.device]];
  const waitMs = Math.max(...counted.map(([key, rate]) => buckets.look(key, rate).waitMs));
  if (waitMs > 0) throw tooManyGuesses(waitMs);
  for (const [key, rate] of counted) buckets.spend(key, rate, 1);
  return () => {
    for (const [key, rate] of counted) buckets.spend(key, rate, -1);
  };
}

/**
 * Counts a request for a link for a new password. Returns false if enough links were sent to this address lately: they still work, so a
 * stranger who asks for more keeps nobody out, and the response need not differ.
 *
 * @throws ApiError `rate_limited` for one request too many of a client or a device.
 */
export function countReset(deps: Pick<Deps, 'memory' | 'keys' | 'config'>, guess: Guess): boolean {
  if (!deps.config.rateLimits) return true;
  const buckets = bucketsOf(deps);
  const device = deviceOf(deps, guess);
  const { waitMs } =
    device === null
      ? buckets.take(`client ${clientOf(guess.address ?? '')}`, guessRates.client)
      : buckets.take(`reset device ${device}`, resetRate);
  if (waitMs > 0) throw tooManyGuesses(waitMs);
  return device !== null || buckets.take(`reset ${guess.email}`, resetRate).waitMs === 0;
}

/** Returns the name of the device, if its cookie was made for this person. */
function deviceOf(deps: Pick<Deps, 'keys'>, { personId, deviceToken }: Guess): string | null {
  if (personId === null || deviceToken === null) return null;
  const [nonce = '', signature = ''] = deviceToken.split('.');
  const isOwn = verifySignature(deps.keys.key(purpose), `${personId} ${nonce}`, signature);
  return isOwn ? `${personId} ${nonce}` : null;
}

function tooManyGuesses(waitMs: number): ApiError {
  const seconds = wholeSeconds(waitMs);
  const minutes = Math.ceil(seconds / 60);
  const message = `Too many attempts. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, use a passkey, or have the operator of the server make a link for a new password.`;
  const extra = { retry_after_seconds: seconds, reason: 'requests' as const };
  return new ApiError('rate_limited', extra, { message, headers: { 'retry-after': String(seconds) } });
}
