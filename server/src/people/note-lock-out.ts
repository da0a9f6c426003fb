import { serverItself } from '../audit/append-audit.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Deps } from '../deps.ts';
import { lockOutEntryRate } from '../lib/admission/server-limits.ts';
import { createTokenBuckets } from '../lib/admission/token-buckets.ts';
import { perServer } from '../lib/per-server.ts';
import { recordForPerson } from './record-for-person.ts';

/** What is guessed, and from where. */
export interface LockOut {
  guessed: 'password' | 'code';
  address: string | null;
}

export type LockOutDeps = Pick<Deps, 'db' | 'clock' | 'memory' | 'background' | 'log'>;

const bucketsOf = perServer(() => createTokenBuckets(() => performance.now()));

/**
 * Records that further guesses on an account are refused, once an hour for each person. It happens in the background, since the time of the
 * response would tell which addresses have accounts.
 */
export function noteLockOut(deps: LockOutDeps, personId: string, { guessed, address }: LockOut): void {
  if (bucketsOf(deps).take(personId, lockOutEntryRate).waitMs > 0) return;
  const act = { action: 'person.locked_out', after: { guessed } };
  const recorded = inTransaction(deps, (tx) =>
    recordForPerson(tx, personId, { ...serverItself, address }, act),
  );
  deps.background.run(
    recorded.catch((error: unknown) => deps.log.warn({ err: error }, 'refused guesses were not recorded')),
  );
}
