import { ActionIcon, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { Suppression } from 'postrider';
import { Link } from 'react-router';
import { partsText } from '#strings/parts.ts';
import { suppressionsText } from '#strings/suppressions.ts';
import { messagePath } from '../lib/mail-paths.ts';
import { useSession } from '../lib/session.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { apiSnippets } from '../parts/api-snippets.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FilterBar, FilterSelect, FilterText } from '../parts/filter-bar.tsx';
import { NothingMatches } from '../parts/nothing-matches.tsx';
import { notify } from '../parts/notify.ts';
import { notifyProblem } from '../parts/notify-problem.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { CreateSuppression } from './create-suppression.tsx';
import { useSuppress, useSuppressions, useUnsuppress } from './suppression-queries.ts';

const { columns: headers, reasons, reasonHelp, filters: filterText } = suppressionsText;
const noFilters = { q: '', reason: '' };

const columns: Column<Suppression>[] = [
  { id: 'address', header: headers.address, cell: ({ address }) => <Text fw={500}>{address}</Text> },
  {
    id: 'reason',
    header: headers.reason,
    isShort: true,
    cell: ({ reason }) => (
      <span title={reasonHelp[reason]}>
        <StatusBadge tone={reason === 'manual' ? 'quiet' : 'bad'}>{reasons[reason]}</StatusBadge>
      </span>
    ),
  },
  {
    id: 'message',
    header: headers.message,
    isShort: true,
    wideOnly: true,
    cell: ({ message_id }) =>
      message_id === null ? (
        <Text c="dimmed">{suppressionsText.noMessage}</Text>
      ) : (
        <Link to={messagePath(message_id)} className="console-link">
          {suppressionsText.openMessage}
        </Link>
      ),
  },
  {
    id: 'created',
    header: headers.created,
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  {
    id: 'actions',
    header: headers.actions,
    isActions: true,
    cell: (suppression) => <RemoveSuppression suppression={suppression} />,
  },
];

/** The addresses that are left out of every send. */
export function SuppressionsPage() {
  const [filters, setFilters] = useUrlState(noFilters);
  const list = useSuppressions(filters);
  const { api_url } = useSession().server;
  const [isCreating, { open, close }] = useDisclosure(false);
  const isFiltered = filters.q !== '' || filters.reason !== '';
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {suppressionsText.create}
    </Button>
  );
  const snippets = apiSnippets(api_url, {
    path: '/suppressions',
    body: { address: 'ada@example.com' },
    sdk: "await client.suppressions.create({ address: 'ada@example.com' });",
  });
  return (
    <>
      <PageHeader title={suppressionsText.title} about={suppressionsText.about} actions={create} />
      <FilterBar label={suppressionsText.title}>
        <FilterText label={filterText.search} value={filters.q} onChange={(q) => setFilters({ q })} />
        <FilterSelect
          label={filterText.reason}
          value={filters.reason}
          onChange={(reason) => setFilters({ reason })}
          options={[
            { value: '', label: filterText.allReasons },
            ...Object.entries(reasons).map(([value, label]) => ({ value, label })),
          ]}
        />
      </FilterBar>
      <DataTable
        label={suppressionsText.title}
        list={list}
        columns={columns}
        onClear={isFiltered ? () => setFilters(noFilters) : undefined}
        rowKey={({ address }) => address}
        empty={
          !isFiltered ? (
            <EmptyState {...suppressionsText.empty} action={create} snippets={snippets} />
          ) : (
            <NothingMatches list={list} onClear={() => setFilters(noFilters)} />
          )
        }
      />
      <CreateSuppression isOpen={isCreating} onClose={close} />
    </>
  );
}

function RemoveSuppression({ suppression }: { suppression: Suppression }) {
  // The row, and this button with it, is gone before the server responds. Promises still end, and callbacks of `mutate` do not.
  const { mutateAsync: unsuppress } = useUnsuppress();
  const { mutateAsync: suppress } = useSuppress();
  const { address } = suppression;
  async function restore() {
    await suppress(address);
    await notify({ message: suppressionsText.restored(address) });
  }
  async function remove() {
    await unsuppress(suppression);
    const action = { label: partsText.undo, run: () => void restore().catch(notifyProblem) };
    await notify({ message: suppressionsText.removed(address), action });
  }
  return (
    <ActionIcon
      aria-label={suppressionsText.removeLabel(address)}
      title={suppressionsText.removeLabel(address)}
      onClick={() => void remove().catch(notifyProblem)}
    >
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}
