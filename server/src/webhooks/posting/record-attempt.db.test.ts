import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { makeDelivery } from '@postrider/testkit/mail/made-delivery.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { inTransaction } from '../../db/connections.ts';
import type { Database } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { createTimeScale } from '../../lib/clock.ts';
import { giveBack, recordAttempt } from './record-attempt.ts';

let database: Database;

beforeAll(async () => {
  database = await openFreshDatabase();
});
afterAll(() => database.close());

/** How a transaction commits in which this was done, if it commits as a replicated database may want it to. */
const commitAfter = (work: (deps: Deps) => Promise<void>): Promise<string | undefined> => {
  const deps = {
    memory: new Map(),
    db: database.db,
    clock: { now: () => new Date() },
    timeScale: createTimeScale(1),
  } as unknown as Deps;
  return inTransaction(deps, async (tx) => {
    await sql`set local synchronous_commit = 'local'`.execute(tx.db);
    await work({ ...deps, db: tx.db });
    const { rows } = await sql<{ commit: string }>`
      select current_setting('synchronous_commit') as commit`.execute(tx.db);
    return rows[0]?.commit;
  });
};

const taken = {
  attempt: { at: new Date().toISOString(), status_code: 204, error: null, duration_ms: 5 },
  status: 'succeeded',
  nextAt: null,
} as const;

test('what came of an event of the log waits for no disk, and what is answered to a caller does', async () => {
  expect(await commitAfter((deps) => recordAttempt(deps, makeDelivery('log'), taken))).toBe('off');
  expect(await commitAfter((deps) => giveBack(deps, makeDelivery('log'), 'pending'))).toBe('off');
  for (const origin of ['repeat', 'sample'] as const) {
    expect(await commitAfter((deps) => recordAttempt(deps, makeDelivery(origin), taken))).toBe('local');
    expect(await commitAfter((deps) => giveBack(deps, makeDelivery(origin), 'failed'))).toBe('local');
  }
});
