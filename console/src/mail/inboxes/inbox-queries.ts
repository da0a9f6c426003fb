import type { InboxSummary } from '@postrider/contract/console';
import type { CreateInbox, Domain } from 'postrider';
import type { PagedList } from '../../lib/paging.ts';
import { itemsIn, useChange, useList, useRead } from '../../lib/query.ts';

const pageSize = 100;
const inboxLists = ['inboxes', 'inbox-choice', 'threads'];

/** Reads the inboxes of the workspace, newest first. */
export function useInboxes(): PagedList<InboxSummary> {
  return useList(['inboxes'], ({ ask }, cursor) =>
    itemsIn('inboxes', ask('mail.inboxes', { query: { limit: pageSize, cursor } })),
  );
}

/** Reads the domains on which inboxes can be created, in addition to the shared one. */
export function useVerifiedDomains() {
  return useRead(['domains', 'verified'], async ({ api, signal }): Promise<Domain[]> => {
    const { domains } = await api.domains.list({ limit: pageSize }, { signal });
    return domains.filter(({ status }) => status === 'verified');
  });
}

/** Creates an inbox. */
export function useCreateInbox() {
  return useChange(({ api }, input: CreateInbox) => api.inboxes.create(input), inboxLists);
}

/** Changes the display name of an inbox; null for none. */
export function useRenameInbox() {
  return useChange(
    ({ api }, { id, name }: { id: string; name: string | null }) =>
      api.inboxes.update(id, { display_name: name }),
    inboxLists,
  );
}

/** Deletes the inbox with an id, and all its mail. */
export function useDeleteInbox() {
  return useChange(({ api }, id: string) => api.inboxes.delete(id), inboxLists);
}
