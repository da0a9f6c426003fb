import { charsMax } from '../tools/fields.ts';
import { Budget } from './budget.ts';
import type { CursorScope, Signer } from './sign-cursor.ts';

/** A page of the API. */
export interface ApiPage<Item> {
  items: Item[];
  /** The cursor of the next page; null on the last one. */
  next: string | null;
}

/** The place where a list continues: in a page of the API, after one of its items. */
interface Place {
  page: string | null;
  limit: number;
  /** The last item that was shown of the page; null if none was. */
  last: string | null;
  /** The number of items of the page that were shown. */
  shown: number;
}

interface Wanted {
  scope: CursorScope;
  cursor: string | undefined;
  limit: number;
  /** Whether newer items come first. Otherwise the best matches come first. */
  isByTime: boolean;
}

/** A list of which each result contains as many items as fit. */
export interface CutPage<View> {
  views: View[];
  next_cursor: string | null;
}

/**
 * Reads a page of the API and shows as many of its items as fit in a result. Items that are added or deleted meanwhile do not move the
 * others.
 */
export async function cutPage<Item extends { id: string }, View>(
  signer: Signer,
  { scope, cursor, limit, isByTime }: Wanted,
  read: (page: string | null, limit: number) => Promise<ApiPage<Item>>,
  view: (item: Item, charsLeft: number) => View,
): Promise<CutPage<View>> {
  const place: Place =
    cursor === undefined ? { page: null, limit, last: null, shown: 0 } : signer.read(scope, cursor);
  const { items, next } = await read(place.page, place.limit);
  const rest = behind(items, place, isByTime);
  const budget = new Budget(charsMax.answer);
  const views: View[] = [];
  for (const item of rest) {
    const shown = view(item, budget.left);
    if (!budget.take(shown)) break;
    views.push(shown);
  }
  const isWhole = views.length === rest.length;
  if (isWhole && next === null) return { views, next_cursor: null };
  const inside = {
    ...place,
    last: rest[views.length - 1]?.id ?? place.last,
    shown: place.shown + views.length,
  };
  const goesOn: Place = isWhole ? { ...place, page: next, last: null, shown: 0 } : inside;
  return { views, next_cursor: signer.sign(scope, goesOn) };
}

/** The last item may no longer be in the list, for example because it was marked as read. Ids begin with their time. */
function behind<Item extends { id: string }>(
  items: Item[],
  { last, shown }: Place,
  isByTime: boolean,
): Item[] {
  if (last === null) return items;
  const at = items.findIndex(({ id }) => id === last);
  if (at >= 0) return items.slice(at + 1);
  return isByTime ? items.filter(({ id }) => id < last) : items.slice(shown);
}
