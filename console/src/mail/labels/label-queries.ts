import type { Label } from 'postrider';
import type { PagedList } from '../../lib/paging.ts';
import { useShortList } from '../../lib/query.ts';

const labelsMax = 1_000;

/** Reads all labels of the workspace, by name. A workspace has at most a thousand. */
export function useLabels(): PagedList<Label> {
  return useShortList(['labels'], ({ api, signal }) =>
    api.labels.list({ limit: 100 }, { signal }).toArray({ limit: labelsMax }),
  );
}
