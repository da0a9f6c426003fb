import type { ItemPage } from '../lib/paging.ts';

/** A page is shown as soon as it has this number of rows. */
const enough = 25;
/** The number of server pages that one page of the list searches. */
const pagesMax = 10;

/** Reads the next rows that match, of a list whose route has no filters: about 25, or fewer after ten pages of the server without them. */
export async function readMatching<Item>(
  readPage: (cursor: string | undefined) => PromiseLike<ItemPage<Item>>,
  isMatch: (item: Item) => boolean,
  cursor: string | undefined,
): Promise<ItemPage<Item>> {
  const items: Item[] = [];
  let next = cursor;
  for (let read = 0; read < pagesMax; read += 1) {
    const page = await readPage(next);
    items.push(...page.items.filter(isMatch));
    if (page.next_cursor === null) return { items, next_cursor: null };
    next = page.next_cursor;
    if (items.length >= enough) break;
  }
  return { items, next_cursor: next ?? null };
}
