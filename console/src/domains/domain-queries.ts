import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { DmarcPolicy, Domain, DomainPage } from 'postrider';
import { useApi } from '../lib/api.ts';
import { askConsole } from '../lib/ask-console.ts';
import { type PagedList, usePagedList } from '../lib/paging.ts';
import { useQueryKey, useWorkspace } from '../lib/workspace.ts';

const pickDomains = ({ domains }: DomainPage) => domains;

/** A domain whose records are being looked for changes within minutes, and a verified one once a day. */
const lookingMs = 5_000;
const settledMs = 60_000;

function isSettled({ status, records }: Domain): boolean {
  return status === 'verified' && records.every((record) => record.status === 'verified');
}

/** Reads the domains of the workspace, newest first. */
export function useDomains(): PagedList<Domain> {
  const api = useApi();
  return usePagedList({
    queryKey: useQueryKey('domains', 'list'),
    read: (cursor, signal) => api.domains.list({ cursor }, { signal }),
    pickItems: pickDomains,
    refetchMs: (domains) => (domains.every(isSettled) ? settledMs : lookingMs),
  });
}

/** Reads a domain, and follows the search for its records. */
export function useDomain(id: string) {
  const api = useApi();
  return useQuery({
    queryKey: useQueryKey('domains', id),
    queryFn: ({ signal }) => api.domains.get(id, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isSettled(data) ? settledMs : lookingMs),
  });
}

/** Reads the zone file of a domain. */
export function useZoneFile(id: string, isShown: boolean) {
  const { workspace_id: workspace } = useWorkspace();
  return useQuery({
    queryKey: useQueryKey('domains', id, 'zone'),
    queryFn: async ({ signal }) => {
      const { text } = await askConsole('records.zoneFile', { params: { id } }, { workspace, signal });
      return text;
    },
    enabled: isShown,
  });
}

/** A domain to add: an own one by its name, or a subdomain of the service by its label. */
export type NewDomain = { hostname: string } | { label: string };

/** Adds a domain and returns it with its records. */
export function useAddDomain() {
  const api = useApi();
  return useDomainChange((domain: NewDomain) =>
    'label' in domain ? api.domains.subdomain(domain) : api.domains.create(domain),
  );
}

/** Looks up the records of a domain now. */
export function useVerifyDomain(id: string) {
  const api = useApi();
  return useDomainChange((_: undefined) => api.domains.verify(id));
}

/** Sets the DMARC policy of a domain. */
export function useSetDmarcPolicy(id: string) {
  const api = useApi();
  return useDomainChange((policy: DmarcPolicy) => api.domains.dmarc(id, { policy }));
}

/** Deletes a domain. */
export function useDeleteDomain(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  const queryKey = useQueryKey('domains', 'list');
  return useMutation({
    mutationFn: async () => api.domains.delete(id),
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  });
}

function useDomainChange<Input>(change: (input: Input) => PromiseLike<Domain>) {
  const queries = useQueryClient();
  const { workspace_id } = useWorkspace();
  return useMutation({
    mutationFn: async (input: Input) => change(input),
    onSuccess: (domain) => {
      queries.setQueryData([workspace_id, 'domains', domain.id], domain);
      return queries.invalidateQueries({ queryKey: [workspace_id, 'domains'] });
    },
  });
}
