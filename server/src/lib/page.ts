import { encodeCursor } from './cursor.ts';

/** Rows of one page, and the cursor of the next. */
export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/** Creates a page from rows that were queried with one more than `limit`. The extra row only shows that there is a next page. */
export function pageOf<Row>(rows: Row[], limit: number, keyOf: (row: Row) => string[]): Page<Row> {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { rows: page, nextCursor: last === undefined ? null : encodeCursor(keyOf(last)) };
}
