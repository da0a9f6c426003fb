import type { Label } from 'postrider';
import { useChange, useRead } from '../../lib/query.ts';

const labelsMax = 1_000;
const labelLists = ['labels', 'threads'];

/** Reads all labels of the workspace, by name. A workspace has at most a thousand. */
export function useLabels() {
  return useRead(
    ['labels'],
    ({ api, signal }): Promise<Label[]> =>
      api.labels.list({ limit: 100 }, { signal }).toArray({ limit: labelsMax }),
  );
}

/** Creates a label. */
export function useCreateLabel() {
  return useChange(({ api }, input: { name: string; color: string }) => api.labels.create(input), labelLists);
}

/** Deletes the label with an id, and takes it off all messages. */
export function useDeleteLabel() {
  return useChange(({ api }, id: string) => api.labels.delete(id), labelLists);
}
