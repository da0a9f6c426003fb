import { IconTrash } from '@tabler/icons-react';
import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { partsText } from '#strings/parts.ts';
import type { ItemPage } from '../lib/paging.ts';
import { type Clients, useClients } from '../lib/query.ts';
import { useQueryKey } from '../lib/workspace.ts';
import { IconButton } from '../parts/buttons.tsx';
import { notify, notifyProblem } from '../parts/notify.ts';

interface RemoveButtonProps<Item> {
  item: Item;
  /** The name under which the lists that have the item are read. */
  listName: string;
  label: string;
  /** The words of the notices after it was removed, and after it was put back. */
  removed: string;
  restored: string;
  remove(clients: Clients, item: Item): PromiseLike<unknown>;
  restore(clients: Clients, item: Item): PromiseLike<unknown>;
}

/** The button that removes an item of a list. The item disappears at once, comes back if the server refuses, and can be put back. */
export function RemoveButton<Item>(props: RemoveButtonProps<Item>) {
  const { item, label } = props;
  const clients = useClients();
  const queries = useQueryClient();
  const queryKey = useQueryKey(props.listName);
  const refresh = () => queries.invalidateQueries({ queryKey });
  async function restore() {
    await props.restore(clients, item);
    await refresh();
    await notify({ message: props.restored });
  }
  async function remove() {
    await queries.cancelQueries({ queryKey });
    queries.setQueriesData<InfiniteData<ItemPage<Item>>>({ queryKey }, (data) =>
      data ? { ...data, pages: data.pages.map((page) => without(page, item)) } : data,
    );
    try {
      await props.remove(clients, item);
    } finally {
      void refresh();
    }
    const action = { label: partsText.undo, run: () => void restore().catch(notifyProblem) };
    await notify({ message: props.removed, action });
  }
  return <IconButton icon={IconTrash} label={label} onClick={() => void remove().catch(notifyProblem)} />;
}

function without<Item>(page: ItemPage<Item>, removed: Item): ItemPage<Item> {
  return { ...page, items: page.items.filter((item) => item !== removed) };
}
