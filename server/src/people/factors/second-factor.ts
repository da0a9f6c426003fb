import { randomBytes, timingSafeEqual } from 'node:crypto';
import { brand } from '@postrider/contract';
import { consoleLimits } from '@postrider/contract/console';
import { Secret, TOTP } from 'otpauth';
import { inTransaction } from '../../db/connections.ts';
import { acrossWorkspaces } from '../../db/scoped.ts';
import type { Deps } from '../../deps.ts';
import { ApiError } from '../../lib/api-error.ts';
import { decrypt, encrypt, sha256 } from '../../lib/crypto/primitives.ts';
import { getPerson, lockOwnAccount, lockPerson, type PersonRow } from '../person.ts';
import { type PersonContext, recordOwnAct } from '../person-context.ts';
import { endSessions } from '../sessions/sessions.ts';
import { countCode, type LockOutDeps } from '../sessions/sign-in-gate.ts';

const purpose = 'second factors';
const secretBytes = 20;
const stepSeconds = 30;
/** One step before and after, for clocks that differ. */
const window = 1;
const recoveryCodeBytes = 10;

type FactorDeps = Pick<Deps, 'db' | 'clock' | 'keys'>;

/** Returns the one-time passwords of RFC 6238 for a secret, in the form that all authenticator apps know. */
function openTotp(secret: string, email: string): TOTP {
  const options = { algorithm: 'SHA1', digits: 6, period: stepSeconds };
  return new TOTP({ ...options, issuer: brand.product, label: email, secret: Secret.fromBase32(secret) });
}

/** Returns a new secret and the URI for an authenticator app. It is in force once `confirmSecondFactor` has seen a code of it. */
export async function beginSecondFactor(
  deps: FactorDeps,
  personId: string,
): Promise<{ secret: string; uri: string }> {
  const person = await getPerson(deps, personId);
  const secret = new Secret({ size: secretBytes }).base32;
  await acrossWorkspaces(deps, 'people are not of one workspace')
    .updateTable('people')
    .set({ second_factor_pending: encrypt(deps.keys, purpose, personId, secret) })
    .where('id', '=', personId)
    .execute();
  return { secret, uri: openTotp(secret, person.email).toString() };
}

/**
 * Puts the new secret of the caller in force, and ends the other sessions. Returns the recovery codes, which can be read only this once.
 * Each is good for one sign-in.
 *
 * @throws ApiError `second_factor_required` for a wrong code.
 */
export async function confirmSecondFactor(ctx: PersonContext, code: string): Promise<string[]> {
  const { personId } = ctx;
  const codes = Array.from({ length: consoleLimits.recoveryCodes }, newRecoveryCode);
  const change = async (tx: PersonContext) => {
    const { second_factor_pending: pending, email } = await lockOwnAccount(tx);
    const step =
      pending === null ? null : readStep(tx, decrypt(tx.keys, purpose, personId, pending), email, code);
    if (step === null) throw new ApiError('second_factor_required', { wrong: true });
    await acrossWorkspaces(tx, 'people are not of one workspace')
      .updateTable('people')
      .set({
        second_factor: pending,
        second_factor_pending: null,
        second_factor_step: step,
        recovery_hashes: codes.map(hashRecoveryCode),
      })
      .where('id', '=', personId)
      .execute();
  };
  await endSessions(ctx, { personId, except: ctx.sessionId }, change, (tx) =>
    recordOwnAct(tx, { action: 'person.second_factor_added' }),
  );
  return codes;
}

/** Removes the second factor of the caller, and its recovery codes. */
export function removeOwnSecondFactor(ctx: PersonContext): Promise<void> {
  return inTransaction(ctx, async (tx) => {
    const { second_factor } = await lockOwnAccount(tx);
    await removeSecondFactor(tx, tx.personId);
    if (second_factor !== null) await recordOwnAct(tx, { action: 'person.second_factor_removed' });
  });
}

/** Removes the second factor of a person, and its recovery codes. */
export async function removeSecondFactor(deps: Pick<Deps, 'db'>, personId: string): Promise<void> {
  await acrossWorkspaces(deps, 'people are not of one workspace')
    .updateTable('people')
    .set({ second_factor: null, second_factor_pending: null, second_factor_step: null, recovery_hashes: [] })
    .where('id', '=', personId)
    .execute();
}

/**
 * Checks the code of a person with a second factor, and uses it up: no code is good twice, also at the same time.
 *
 * @throws ApiError `second_factor_required` without a code or for a wrong one; `rate_limited` after too many wrong ones.
 */
export async function requireCode(
  deps: FactorDeps & LockOutDeps & Pick<Deps, 'config'>,
  { id, second_factor }: PersonRow,
  { code, address }: { code: string | undefined; address: string | null },
): Promise<void> {
  if (second_factor === null) return;
  if (code === undefined) throw new ApiError('second_factor_required', { wrong: false });
  const takeBack = countCode(deps, id, address);
  const isUsed = await inTransaction(deps, async (tx) => {
    const person = await lockPerson(tx, id);
    return useStep(tx, person, code) ?? useRecoveryCode(tx, person, code);
  });
  if (!isUsed) throw new ApiError('second_factor_required', { wrong: true });
  takeBack();
}

/** Uses a code of the app. Returns null if it is not valid, or not newer than the last used one. */
function useStep(tx: FactorDeps, person: PersonRow, code: string): Promise<true> | null {
  const secret = readSecret(tx, person);
  if (secret === null) return null;
  const step = readStep(tx, secret, person.email, code);
  if (step === null || step <= (person.second_factor_step ?? 0)) return null;
  return setPerson(tx, person.id, { second_factor_step: step });
}

/** Returns null also after a new root secret, which leaves recovery codes as the only ones that are right. */
function readSecret({ keys }: FactorDeps, { id, second_factor }: PersonRow): string | null {
  try {
    return second_factor === null ? null : decrypt(keys, purpose, id, second_factor);
  } catch {
    return null;
  }
}

function useRecoveryCode(tx: FactorDeps, person: PersonRow, code: string): Promise<true> | null {
  const hash = Buffer.from(hashRecoveryCode(code));
  const rest = person.recovery_hashes.filter((each) => !timingSafeEqual(Buffer.from(each), hash));
  if (rest.length === person.recovery_hashes.length) return null;
  return setPerson(tx, person.id, { recovery_hashes: rest });
}

async function setPerson(
  tx: FactorDeps,
  id: string,
  set: { second_factor_step: number } | { recovery_hashes: string[] },
): Promise<true> {
  await acrossWorkspaces(tx, 'people are not of one workspace')
    .updateTable('people')
    .set(set)
    .where('id', '=', id)
    .execute();
  return true;
}

/** Returns the time step of a code; null if it is no code of this secret now. */
function readStep(
  { clock }: Pick<Deps, 'clock'>,
  secret: string,
  email: string,
  code: string,
): number | null {
  const token = code.replaceAll(/\s/g, '');
  if (!/^\d{6}$/.test(token)) return null;
  const timestamp = clock.now().getTime();
  const delta = openTotp(secret, email).validate({ token, timestamp, window });
  return delta === null ? null : Math.floor(timestamp / 1_000 / stepSeconds) + delta;
}

function newRecoveryCode(): string {
  const text = new Secret({
    buffer: new Uint8Array(randomBytes(recoveryCodeBytes)).buffer,
  }).base32.toLowerCase();
  return `${text.slice(0, 8)}-${text.slice(8)}`;
}

/** A recovery code has 80 random bits, so that it needs no slow hash. Case, spaces and hyphens do not matter. */
function hashRecoveryCode(code: string): string {
  return sha256(code.toLowerCase().replaceAll(/[\s-]/g, '')).toString('hex');
}
