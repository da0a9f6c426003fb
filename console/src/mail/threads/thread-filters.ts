import { useUrlState } from '../../lib/use-url-state.ts';

/** The filters of the list: ids of an inbox and a label, and `unread` for the state; empty for all. */
export type ThreadFilters = { inbox: string; label: string; show: string };

const noFilters: ThreadFilters = { inbox: '', label: '', show: '' };

/** Returns the filters of the address, and a function that changes some of them. */
export function useThreadFilters() {
  return useUrlState(noFilters);
}

/** Returns the query of the server for filters. */
export function filterQuery({ inbox, label, show }: ThreadFilters) {
  return {
    inbox_id: inbox || undefined,
    label_id: label || undefined,
    read: show === 'unread' ? ('false' as const) : undefined,
  };
}
