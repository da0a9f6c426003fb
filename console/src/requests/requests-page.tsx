import { Code, Stack, Text } from '@mantine/core';
import type { LoggedRequest } from '@postrider/contract/console';
import { errorMeanings } from '#strings/generated/error-meanings.ts';
import { requestsText } from '#strings/requests.ts';
import { itemsIn, useList } from '../lib/query.ts';
import { useKeyNames } from '../lib/shared-queries.ts';
import { choice, type Filter, useFilters } from '../lists/filter-bar.tsx';
import { ListPage } from '../lists/list-page.tsx';
import { apiSnippets } from '../parts/code-block.tsx';
import type { Column } from '../parts/data-table.tsx';
import { type Fact, FactList } from '../parts/fact-list.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';

const { columns: headers, filters: filterText } = requestsText;
const noFilters = { path: '', method: '', status: '', key: '', before: '' };
const methods = { GET: 'GET', POST: 'POST', PATCH: 'PATCH', PUT: 'PUT', DELETE: 'DELETE' };
const statuses = ['2xx', '4xx', '5xx'] as const;
const refreshMs = 5_000;

const columns: Column<LoggedRequest>[] = [
  {
    header: headers.request,
    cell: ({ method, path, error }) => (
      <>
        <Code>{method}</Code> {path}
        {error !== null && (
          <div>
            <Code>{error}</Code>
          </div>
        )}
      </>
    ),
  },
  {
    header: headers.status,
    width: '80px',
    inCorner: true,
    cell: ({ status }) => <StatusBadge tone={statusTone(status)}>{String(status)}</StatusBadge>,
  },
  {
    header: headers.duration,
    width: '90px',
    wideOnly: true,
    cell: ({ duration_ms }) => requestsText.duration(duration_ms),
  },
  { header: headers.key, width: '160px', cell: ({ key_id }) => <KeyName id={key_id} /> },
  {
    header: headers.at,
    width: '120px',
    cell: ({ at }) => (
      <Text span c="dimmed">
        <Time value={at} />
      </Text>
    ),
  },
];

/** The log of the requests that came with keys, newest first. It is read again every five seconds, unless it ends at a time. */
export function RequestsPage() {
  const filters = useFilters(noFilters);
  const { path, method, key, before } = filters.state;
  const query = {
    path: path || undefined,
    method: method || undefined,
    key_id: key || undefined,
    before: before || undefined,
    status: statuses.find((status) => status === filters.state.status),
    limit: 50,
  };
  const list = useList(
    ['requests', query],
    ({ ask }, cursor) => itemsIn('requests', ask('records.requests', { query: { ...query, cursor } })),
    { refetchMs: () => (before === '' ? refreshMs : false) },
  );
  return (
    <ListPage
      text={requestsText}
      picture="search"
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      filters={filters}
      fields={useFields(key !== '')}
      snippets={(apiUrl) =>
        apiSnippets(apiUrl, { path: '/account', sdk: 'console.log(await client.account.get());' })
      }
      details={{
        field: 'open',
        label: ({ method: verb, path: asked }) => requestsText.open(`${verb} ${asked}`),
        render: (request) => <RequestDetail request={request} />,
      }}
    />
  );
}

/** Members do not see the names of keys, so there is no choice among them unless the address has one. */
function useFields(hasKey: boolean): Filter<typeof noFilters>[] {
  const keys = useKeyNames();
  const names = Object.fromEntries(keys.map(({ id, name }) => [id, name]));
  return [
    { kind: 'text', name: 'path', label: filterText.path },
    choice('method', filterText.method, filterText.allMethods, methods),
    choice('status', filterText.status, filterText.allStatuses, filterText.statuses),
    ...(keys.length > 0 || hasKey ? [choice('key', filterText.key, filterText.allKeys, names)] : []),
    { kind: 'before', name: 'before', label: filterText.before },
  ];
}

/** 499 is a client that left, which is nothing that the server refused. */
function statusTone(status: number): Tone {
  if (status >= 500) return 'bad';
  if (status === 499) return 'quiet';
  return status >= 400 ? 'waiting' : 'good';
}

const text = requestsText.detail;

function RequestDetail({ request }: { request: LoggedRequest }) {
  const { id, at, key_id, error, status, duration_ms, skipped } = request;
  const facts: Fact[] = [
    ...(error === null ? [] : explain(error)),
    { name: text.id, value: <Code>{id}</Code>, copy: id },
    { name: text.at, value: <Time value={at} absolute /> },
    { name: text.key, value: <KeyName id={key_id} />, copy: key_id },
    { name: text.duration, value: requestsText.duration(duration_ms) },
  ];
  return (
    <Stack gap="xs">
      {status === 499 && <Text>{text.clientLeft}</Text>}
      {status === 101 && <Text>{text.socket}</Text>}
      <FactList facts={facts} />
      {skipped > 0 && <Text c="dimmed">{text.skipped(skipped)}</Text>}
    </Stack>
  );
}

function KeyName({ id }: { id: string }) {
  const key = useKeyNames().find((one) => one.id === id);
  return key ? <span>{key.name}</span> : <Text c="dimmed">{id}</Text>;
}

function explain(code: string): Fact[] {
  const known = Object.hasOwn(errorMeanings, code) ? errorMeanings[code] : undefined;
  if (!known) return [{ name: text.meaning, value: text.unknownError }];
  const { meaning, message, retry } = known;
  return [
    { name: text.meaning, value: meaning },
    { name: text.remedy, value: message },
    { name: text.repeat, value: text.retry[retry] },
  ];
}
