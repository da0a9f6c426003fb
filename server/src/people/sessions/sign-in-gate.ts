/*
 * Limits guesses of passwords and codes, without locking out the owner of an account. Guesses of strangers on an account have their own
 * limit, and so have those of a client on all accounts. A device on which the person signed in before has a signed cookie and its own
 * limit, so strangers who use up theirs do not lock the person out (OWASP, "device cookies"). Wrong codes are counted for the person,
 * whatever the device, because only somebody with the password gets that far. A passkey, and a link from the command line, always work. The
 * counts are in the memory of each process. The audit log says when guesses on an account are refused.
 */

import { randomBytes } from 'node:crypto';
import { serverItself } from '../../audit/append-audit.ts';
import { inTransaction } from '../../db/connections.ts';
import type { Deps } from '../../deps.ts';
import { createTokenBuckets, type Rate } from '../../lib/admission/rate.ts';
import { guessRates, lockOutEntryRate, resetMailRate } from '../../lib/admission/server-limits.ts';
import { ApiError, wholeSeconds } from '../../lib/api-error.ts';
import { sign, verifySignature } from '../../lib/crypto/primitives.ts';
import { clientOf } from '../../lib/ip-address.ts';
import { perServer } from '../../lib/memory.ts';
import type { PersonRow } from '../person.ts';
import { recordForPerson } from '../person-context.ts';

const purpose = 'devices';
const nonceBytes = 16;
const deviceMs = 365 * 24 * 60 * 60 * 1_000;
const guessBuckets = perServer(() => createTokenBuckets(() => performance.now()));

type KnownPerson = Pick<PersonRow, 'id' | 'password_hash'>;
type GateDeps = LockOutDeps & Pick<Deps, 'keys'>;

/** The source of a guess, and the account that it is about. */
interface Guess {
  email: string;
  /** Null if nobody has this address. */
  person: KnownPerson | null;
  address: string | null;
  /** The cookie of the device; null without one. */
  deviceToken: string | null;
}

/** Returns the cookie that marks a device as one on which the person has signed in, for a year or until the password changes. */
export function newDeviceToken({ keys, clock }: Pick<Deps, 'keys' | 'clock'>, person: KnownPerson): string {
  const nonce = randomBytes(nonceBytes).toString('base64url');
  const issued = String(clock.now().getTime());
  return `${nonce}.${issued}.${sign(keys.key(purpose), deviceText(person, nonce, issued))}`;
}

function deviceText({ id, password_hash }: KnownPerson, nonce: string, issued: string): string {
  return [id, password_hash, nonce, issued].join(' ');
}

/**
 * Counts a guess. Returns a function that takes the count back, for a guess that was right. The audit log says when guesses on an account
 * are refused.
 *
 * @throws ApiError `rate_limited` for one guess too many.
 */
export function countGuess(deps: GateDeps, guess: Guess): () => void {
  const buckets = guessBuckets(deps);
  const right = `right ${guess.person?.id ?? guess.email}`;
  const { waitMs } = buckets.look(right, guessRates.right);
  if (waitMs > 0) throw tooManyGuesses(waitMs);
  const device = findKnownDevice(deps, guess);
  const counted: [string, Rate][] =
    device === null
      ? [
          [`account ${guess.email}`, guessRates.account],
          [`client ${clientOf(guess.address ?? '')}`, guessRates.client],
        ]
      : [[`device ${device}`, guessRates.device]];
  const [account] = counted.map(([key]) => key);
  const takeBack = countIn(deps, counted, {
    onRefused: (key) => {
      const { person, address } = guess;
      if (person && key === account) noteLockOut(deps, person.id, { guessed: 'password', address });
    },
  });
  return () => {
    takeBack();
    buckets.spend(right, guessRates.right, 1);
  };
}

/**
 * Counts a code of a person, whose password was right. Returns a function that takes the count back, for a code that was right.
 *
 * @throws ApiError `rate_limited` for one code too many.
 */
export function countCode(deps: LockOutDeps, personId: string, address: string | null): () => void {
  return countIn(deps, [[`code ${personId}`, guessRates.code]], {
    wayOn: 'or use a passkey',
    onRefused: () => noteLockOut(deps, personId, { guessed: 'code', address }),
  });
}

/**
 * Counts the use of a link, which has a password hashed. Returns a function that takes the count back once the link is used up. Wrong
 * passwords do not count here, so that a link works for those who share an address with a guesser.
 *
 * @throws ApiError `rate_limited` for one use too many of a client.
 */
export function countLinkUse(deps: Pick<Deps, 'memory'>, address: string | null): () => void {
  const wayOn = 'and open the link again';
  return countIn(deps, [[`link ${clientOf(address ?? '')}`, guessRates.client]], { wayOn });
}

function countIn(
  deps: Pick<Deps, 'memory'>,
  counted: [string, Rate][],
  { wayOn, onRefused }: { wayOn?: string; onRefused?: (key: string) => void } = {},
): () => void {
  const buckets = guessBuckets(deps);
  const waits = counted.map(([key, rate]) => ({ key, waitMs: buckets.look(key, rate).waitMs }));
  const full = waits.filter(({ waitMs }) => waitMs > 0);
  for (const { key } of full) onRefused?.(key);
  if (full.length > 0) throw tooManyGuesses(Math.max(...full.map(({ waitMs }) => waitMs)), wayOn);
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
export function countReset(deps: GateDeps, guess: Guess): boolean {
  const buckets = guessBuckets(deps);
  const device = findKnownDevice(deps, guess);
  const { waitMs } =
    device === null
      ? buckets.take(`client ${clientOf(guess.address ?? '')}`, guessRates.client)
      : buckets.take(`reset device ${device}`, resetMailRate);
  if (waitMs > 0) throw tooManyGuesses(waitMs);
  return device !== null || buckets.take(`reset ${guess.email}`, resetMailRate).waitMs === 0;
}

/** Returns the name of the device, if its cookie was made for this person. */
function findKnownDevice(
  { keys, clock }: Pick<Deps, 'keys' | 'clock'>,
  { person, deviceToken }: Guess,
): string | null {
  if (person === null || deviceToken === null) return null;
  const [nonce = '', issued = '', signature = ''] = deviceToken.split('.');
  if (!verifySignature(keys.key(purpose), deviceText(person, nonce, issued), signature)) return null;
  return Number(issued) > clock.now().getTime() - deviceMs ? `${person.id} ${nonce}` : null;
}

function tooManyGuesses(
  waitMs: number,
  wayOn = 'or use a passkey, or ask the operator of the server for a link to set a new password',
): ApiError {
  const seconds = wholeSeconds(waitMs);
  const minutes = Math.ceil(seconds / 60);
  const message = `Too many attempts. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, ${wayOn}.`;
  const extra = { retry_after_seconds: seconds, reason: 'requests' as const };
  return new ApiError('rate_limited', extra, { message, headers: { 'retry-after': String(seconds) } });
}

/** The guessed secret, and the address of the guesser. */
interface LockOut {
  guessed: 'password' | 'code';
  address: string | null;
}

export type LockOutDeps = Pick<Deps, 'db' | 'clock' | 'memory' | 'background' | 'log'>;

/**
 * Records that further guesses on an account are refused, once an hour for each person. It happens in the background, since the time of the
 * response would tell which addresses have accounts.
 */
function noteLockOut(deps: LockOutDeps, personId: string, { guessed, address }: LockOut): void {
  if (guessBuckets(deps).take(`entry ${personId}`, lockOutEntryRate).waitMs > 0) return;
  const act = { action: 'person.locked_out', after: { guessed } };
  const recorded = inTransaction(deps, (tx) =>
    recordForPerson(tx, personId, { ...serverItself, address }, act),
  );
  deps.background.run(
    recorded.catch((error: unknown) => deps.log.warn({ err: error }, 'refused guesses were not recorded')),
  );
}
