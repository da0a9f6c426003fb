import { Text } from '@mantine/core';
import type { Suppression } from 'postrider';
import { lazy } from 'react';
import { Link } from 'react-router';
import { suppressionsText } from '#strings/suppressions.ts';
import { messagePath } from '../lib/mail-paths.ts';
import { itemsIn, useList } from '../lib/query.ts';
import { type Filter, useFilters } from '../lists/filter-bar.tsx';
import { ListPage } from '../lists/list-page.tsx';
import { readMatching } from '../lists/read-matching.ts';
import { RemoveButton } from '../lists/remove-button.tsx';
import { apiSnippets } from '../parts/api-snippets.ts';
import type { Column } from '../parts/data-table.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';

const CreateSuppression = lazy(async () => ({
  default: (await import('./create-suppression.tsx')).CreateSuppression,
}));
const { columns: headers, reasons, reasonHelp, filters: filterText } = suppressionsText;
const noFilters = { q: '', reason: '' };

const fields: Filter<typeof noFilters>[] = [
  { kind: 'text', name: 'q', label: filterText.search },
  { kind: 'choice', name: 'reason', label: filterText.reason, all: filterText.allReasons, options: reasons },
];

const columns: Column<Suppression>[] = [
  { id: 'address', header: headers.address, cell: ({ address }) => <Text fw={500}>{address}</Text> },
  {
    id: 'reason',
    header: headers.reason,
    width: '130px',
    inCorner: true,
    cell: ({ reason }) => (
      <span title={reasonHelp[reason]}>
        <StatusBadge tone={reason === 'manual' ? 'quiet' : 'bad'}>{reasons[reason]}</StatusBadge>
      </span>
    ),
  },
  {
    id: 'message',
    header: headers.message,
    width: '150px',
    isPlain: true,
    cell: ({ message_id }) =>
      message_id !== null && (
        <Link to={messagePath(message_id)} className="console-link">
          {suppressionsText.openMessage}
        </Link>
      ),
  },
  {
    id: 'created',
    header: headers.created,
    width: '130px',
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  {
    id: 'actions',
    header: headers.actions,
    width: '64px',
    isActions: true,
    cell: (suppression) => <RemoveSuppression suppression={suppression} />,
  },
];

/** The addresses that are left out of every send. */
export function SuppressionsPage() {
  const filters = useFilters(noFilters);
  const list = useList(['suppressions', filters.state], ({ api, signal }, cursor) =>
    readMatching(
      (from) => itemsIn('suppressions', api.suppressions.list({ cursor: from, limit: 100 }, { signal })),
      (entry) => isMatch(entry, filters.state),
      cursor,
    ),
  );
  return (
    <ListPage
      text={suppressionsText}
      picture="mail"
      list={list}
      columns={columns}
      rowKey={({ address }) => address}
      filters={filters}
      fields={fields}
      create={{ label: suppressionsText.create, Dialog: CreateSuppression }}
      snippets={suppressionSnippets}
    />
  );
}

function isMatch({ address, reason }: Suppression, filters: typeof noFilters): boolean {
  return (
    address.toLowerCase().includes(filters.q.trim().toLowerCase()) &&
    (filters.reason === '' || reason === filters.reason)
  );
}

function RemoveSuppression({ suppression }: { suppression: Suppression }) {
  const { address } = suppression;
  return (
    <RemoveButton
      item={suppression}
      listName="suppressions"
      label={suppressionsText.removeLabel(address)}
      removed={suppressionsText.removed(address)}
      restored={suppressionsText.restored(address)}
      remove={({ api }) => api.suppressions.delete(address)}
      restore={({ api }) => api.suppressions.create({ address })}
    />
  );
}

/** Returns how a program suppresses an address. */
function suppressionSnippets(apiUrl: string) {
  return apiSnippets(apiUrl, {
    path: '/suppressions',
    body: { address: 'ada@example.com' },
    sdk: "await client.suppressions.create({ address: 'ada@example.com' });",
  });
}
