import { type DeleteQueryBuilder, type DeleteResult, type SelectQueryBuilder, sql } from 'kysely';
import type { Tables } from './tables.ts';

const deletedRows = 1_000;

/**
 * Deletes the rows of a table that `rows` selects, in statements of 1,000 rows each, so that no lock is held for long. It calls `meanwhile`
 * before each statement, whose error ends it there.
 */
export async function deleteInBatches<T extends keyof Tables>(
  rows: SelectQueryBuilder<Tables, T, object>,
  from: DeleteQueryBuilder<Tables, T, DeleteResult>,
  meanwhile: () => Promise<void> = async () => {},
): Promise<void> {
  const places = rows.select(sql<string>`ctid`.as('place')).limit(deletedRows);
  const batch = from.where(sql`ctid`, '=', sql`any(array(${places}))`);
  const one = rows.select(sql`1`.as('one')).limit(1);
  await untilDone(async () => {
    await meanwhile();
    const { numDeletedRows } = await batch.executeTakeFirstOrThrow();
    // Another transaction that had locked the rows of a batch may have deleted or changed all of them, and others may be left.
    return numDeletedRows > 0n || (await one.executeTakeFirst()) !== undefined;
  });
}

/** Repeats a step until it returns that nothing is left. */
export async function untilDone(step: () => Promise<boolean>): Promise<void> {
  for (let hasMore = true; hasMore; ) hasMore = await step();
}
