import { Code } from '@mantine/core';
import type { LoggedRequest } from '@postrider/contract/console';
import { requestsText } from '#strings/requests.ts';
import { useSession } from '../lib/session.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { apiSnippets } from '../parts/api-snippets.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { NothingMatches } from '../parts/nothing-matches.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { KeyName } from './key-name.tsx';
import { RequestDetail } from './request-detail.tsx';
import { RequestFilterBar } from './request-filter-bar.tsx';
import { useRequests } from './request-queries.ts';

const { columns: headers } = requestsText;
const noFilters = { path: '', method: '', status: '', key: '', before: '' };
const start = { ...noFilters, open: '' };

const columns: Column<LoggedRequest>[] = [
  { id: 'at', header: headers.at, wideOnly: true, cell: ({ at }) => <Time value={at} /> },
  {
    id: 'request',
    header: headers.request,
    cell: ({ method, path }) => (
      <>
        <Code>{method}</Code> {path}
      </>
    ),
  },
  {
    id: 'status',
    header: headers.status,
    isShort: true,
    cell: ({ status }) => <StatusBadge tone={statusTone(status)}>{String(status)}</StatusBadge>,
  },
  {
    id: 'error',
    header: headers.error,
    wideOnly: true,
    cell: ({ error }) => (error === null ? null : <Code>{error}</Code>),
  },
  {
    id: 'duration',
    header: headers.duration,
    isShort: true,
    wideOnly: true,
    cell: ({ duration_ms }) => requestsText.duration(duration_ms),
  },
  { id: 'key', header: headers.key, wideOnly: true, cell: ({ key_id }) => <KeyName id={key_id} /> },
];

/** The log of the requests that came with keys. */
export function RequestsPage() {
  const [{ open, ...filters }, change] = useUrlState(start);
  const list = useRequests(filters);
  const { api_url } = useSession().server;
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const snippets = apiSnippets(api_url, {
    path: '/account',
    sdk: 'console.log(await client.account.get());',
  });
  return (
    <>
      <PageHeader title={requestsText.title} about={requestsText.about} />
      <RequestFilterBar filters={filters} onChange={change} />
      <DataTable
        label={requestsText.title}
        list={list}
        columns={columns}
        onClear={isFiltered ? () => change(noFilters) : undefined}
        rowKey={({ id }) => id}
        empty={
          isFiltered || list.hasMore ? (
            <NothingMatches list={list} onClear={() => change(noFilters)} />
          ) : (
            <EmptyState {...requestsText.empty} snippets={snippets} />
          )
        }
        details={{
          openKey: open,
          onToggle: (id) => change({ open: id === open ? '' : id }),
          label: ({ method, path }) => requestsText.open(`${method} ${path}`),
          render: (request) => <RequestDetail request={request} />,
        }}
      />
    </>
  );
}

/** 499 is a client that left, which is nothing that the server refused. */
function statusTone(status: number): Tone {
  if (status >= 500) return 'bad';
  if (status === 499) return 'quiet';
  return status >= 400 ? 'waiting' : 'good';
}
