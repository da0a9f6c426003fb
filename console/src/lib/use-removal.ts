import { type InfiniteData, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import type { ItemPage } from './read-matching.ts';

interface Removal<Item> {
  /** The beginning of the keys of all lists that may have the item. */
  queryKey: QueryKey;
  remove(item: Item): PromiseLike<unknown>;
  isSame(one: Item, other: Item): boolean;
}

/** Removes an item of lists. It disappears at once, and comes back if the server refuses. */
export function useRemoval<Item>({ queryKey, remove, isSame }: Removal<Item>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (item: Item) => remove(item),
    onMutate: async (item) => {
      await queries.cancelQueries({ queryKey });
      queries.setQueriesData<InfiniteData<ItemPage<Item>>>({ queryKey }, (data) =>
        data ? { ...data, pages: data.pages.map((page) => without(page, item, isSame)) } : data,
      );
    },
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
}

function without<Item>(page: ItemPage<Item>, removed: Item, isSame: Removal<Item>['isSame']): ItemPage<Item> {
  return { ...page, items: page.items.filter((item) => !isSame(item, removed)) };
}
