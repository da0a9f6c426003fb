import { type DeleteQueryBuilder, type DeleteResult, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

const deletedRows = 1_000;

/** Deletes the rows of a table that `rows` selects, in statements of 1,000 rows each, so that no lock is held for long. */
export async function deleteInBatches<T extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, T, object>,
  from: DeleteQueryBuilder<Tables, T, DeleteResult>,
): Promise<void> {
  const places = rows.select(sql<string>`ctid`.as('place')).limit(deletedRows);
  const batch = from.where(sql`ctid`, '=', sql`any(array(${places}))`);
  await untilDone(async () => (await batch.executeTakeFirstOrThrow()).numDeletedRows > 0n);
}

/** Repeats a step until it returns that nothing is left. */
export async function untilDone(step: () => Promise<boolean>): Promise<void> {
  for (let hasMore = true; hasMore; ) hasMore = await step();
}
