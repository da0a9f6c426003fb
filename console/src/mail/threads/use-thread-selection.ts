import type { ThreadSummary } from '@postrider/contract/console';
import { useCallback, useMemo, useState } from 'react';

/** The threads that are chosen for a change of many. */
export interface ThreadSelection {
  ids: ReadonlySet<string>;
  threads: readonly ThreadSummary[];
  toggle(id: string): void;
  clear(): void;
}

const nothing: ReadonlySet<string> = new Set();

/** Keeps which threads are chosen. Threads that leave the list are not chosen any more. */
export function useThreadSelection(rows: readonly ThreadSummary[]): ThreadSelection {
  const [ids, setIds] = useState(nothing);
  const threads = useMemo(() => (ids.size === 0 ? [] : rows.filter(({ id }) => ids.has(id))), [rows, ids]);
  const toggle = useCallback(
    (id: string) =>
      setIds((before) => {
        const after = new Set(before);
        if (!after.delete(id)) after.add(id);
        return after;
      }),
    [],
  );
  const clear = useCallback(() => setIds(nothing), []);
  return { ids, threads, toggle, clear };
}
