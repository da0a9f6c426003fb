import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Label, Postrider } from 'postrider';
import { useApi } from '../../lib/api.ts';
import { useQueryKey } from '../../lib/workspace.ts';

const labelsMax = 1_000;

/** Reads all labels of the workspace, by name. A workspace has at most a thousand. */
export function useLabels() {
  const api = useApi();
  return useQuery({
    queryKey: useQueryKey('labels'),
    queryFn: ({ signal }): Promise<Label[]> =>
      api.labels.list({ limit: 100 }, { signal }).toArray({ limit: labelsMax }),
  });
}

/** Creates a label. */
export function useCreateLabel() {
  return useLabelChange((api, input: { name: string; color: string }) => api.labels.create(input));
}

/** Deletes the label with an id, and takes it off all messages. */
export function useDeleteLabel() {
  return useLabelChange((api, id: string) => api.labels.delete(id));
}

function useLabelChange<Input, Result>(change: (api: Postrider, input: Input) => PromiseLike<Result>) {
  const api = useApi();
  const queries = useQueryClient();
  const keys = [useQueryKey('labels'), useQueryKey('threads')];
  return useMutation({
    mutationFn: async (input: Input) => change(api, input),
    onSuccess: () => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
