import { encodeCursor } from './cursor.ts';

/** Rows of one page, and the cursor of the next. */
export interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
}

/** Makes a page of rows of which one more than `limit` was asked for: that one only tells that there is a next page. */
export const pageOf = <Row>(rows: Row[], limit: number, keyOf: (row: Row) => string[]): Page<Row> => {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { rows: page, nextCursor: last === undefined ? null : encodeCursor(keyOf(last)) };
};
