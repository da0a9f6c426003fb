import type { InboxSummary } from '@postrider/contract/console';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { CreateInbox, Domain, Postrider } from 'postrider';
import { useApi } from '../../lib/api.ts';
import { type Answer, askConsole } from '../../lib/ask-console.ts';
import { type PagedList, usePagedList } from '../../lib/paging.ts';
import { useQueryKey, useWorkspace } from '../../lib/workspace.ts';

const pageSize = 100;
const pickInboxes = ({ inboxes }: Answer<'mail.inboxes'>) => inboxes;

/** Reads the inboxes of the workspace, newest first. */
export function useInboxes(): PagedList<InboxSummary> {
  const { workspace_id: workspace } = useWorkspace();
  return usePagedList({
    queryKey: useQueryKey('inboxes'),
    read: (cursor, signal) =>
      askConsole('mail.inboxes', { query: { limit: pageSize, cursor } }, { workspace, signal }),
    pickItems: pickInboxes,
  });
}

/** Reads the domains on which inboxes can be created, in addition to the shared one. */
export function useVerifiedDomains() {
  const api = useApi();
  return useQuery({
    queryKey: useQueryKey('domains', 'verified'),
    queryFn: async ({ signal }): Promise<Domain[]> => {
      const { domains } = await api.domains.list({ limit: pageSize }, { signal });
      return domains.filter(({ status }) => status === 'verified');
    },
  });
}

/** Creates an inbox. */
export function useCreateInbox() {
  return useInboxChange((api, input: CreateInbox) => api.inboxes.create(input));
}

/** Changes the display name of an inbox; null for none. */
export function useRenameInbox() {
  return useInboxChange((api, { id, name }: { id: string; name: string | null }) =>
    api.inboxes.update(id, { display_name: name }),
  );
}

/** Deletes the inbox with an id, and all its mail. */
export function useDeleteInbox() {
  return useInboxChange((api, id: string) => api.inboxes.delete(id));
}

function useInboxChange<Input, Result>(change: (api: Postrider, input: Input) => PromiseLike<Result>) {
  const api = useApi();
  const queries = useQueryClient();
  const keys = [useQueryKey('inboxes'), useQueryKey('inbox-choice'), useQueryKey('threads')];
  return useMutation({
    mutationFn: async (input: Input) => change(api, input),
    onSuccess: () => Promise.all(keys.map((queryKey) => queries.invalidateQueries({ queryKey }))),
  });
}
