import type { LoggedRequest } from '@postrider/contract/console';
import { type Answer, askConsole } from '../lib/ask-console.ts';
import { type PagedList, usePagedList } from '../lib/paging.ts';
import { useQueryKey, useWorkspace } from '../lib/workspace.ts';

/** Which requests to list. An empty field lets all through. */
export interface RequestFilters {
  path: string;
  method: string;
  status: string;
  key: string;
  /** ISO 8601. */
  before: string;
}

const refreshMs = 5_000;
const pickRequests = ({ requests }: Answer<'records.requests'>) => requests;

/** Reads the log of requests, newest first. It is read again every five seconds, unless it ends at a time. */
export function useRequests(filters: RequestFilters): PagedList<LoggedRequest> {
  const { workspace_id: workspace } = useWorkspace();
  const { path, method, key, before } = filters;
  const query = {
    path: path || undefined,
    method: method || undefined,
    key_id: key || undefined,
    before: before || undefined,
    status: readStatus(filters.status),
    limit: 50,
  };
  return usePagedList({
    queryKey: useQueryKey('requests', filters),
    read: (cursor, signal) =>
      askConsole('records.requests', { query: { ...query, cursor } }, { workspace, signal }),
    pickItems: pickRequests,
    refetchMs: () => (before === '' ? refreshMs : false),
  });
}

const statuses = ['2xx', '4xx', '5xx'] as const;

function readStatus(text: string): (typeof statuses)[number] | undefined {
  return statuses.find((status) => status === text);
}
