import { Text, TextInput } from '@mantine/core';
import type { Suppression } from 'postrider';
import { Link } from 'react-router';
import { suppressionsText } from '#strings/suppressions.ts';
import { messagePath } from '../lib/mail-paths.ts';
import { itemsIn, useChange, useList } from '../lib/query.ts';
import { choice, type Filter, useFilters } from '../lists/filter-bar.tsx';
import { ListPage } from '../lists/list-page.tsx';
import { readMatching } from '../lists/read-matching.ts';
import { RemoveButton } from '../lists/remove-button.tsx';
import { apiSnippets } from '../parts/code-block.tsx';
import type { Column } from '../parts/data-table.tsx';
import { type DialogProps, FormDialog } from '../parts/form-dialog.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';

const { columns: headers, reasons, reasonHelp, filters: filterText } = suppressionsText;
const noFilters = { q: '', reason: '' };

const fields: Filter<typeof noFilters>[] = [
  { kind: 'text', name: 'q', label: filterText.search },
  choice('reason', filterText.reason, filterText.allReasons, reasons),
];

const columns: Column<Suppression>[] = [
  { header: headers.address, cell: ({ address }) => <Text fw={500}>{address}</Text> },
  {
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
  { header: headers.created, width: '130px', cell: ({ created_at }) => <Time value={created_at} /> },
  {
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

const text = suppressionsText.form;

function CreateSuppression(dialog: DialogProps) {
  const { mutateAsync } = useChange(['suppressions'], ({ api }, address: string) =>
    api.suppressions.create({ address }).withResponse(),
  );
  return (
    <FormDialog
      {...dialog}
      title={text.title}
      submit={text.submit}
      onSubmit={(field) => mutateAsync(field('address').trim())}
      done={({ data, response }) => (response.status === 201 ? text.added : text.existing)(data.address)}
    >
      <TextInput
        name="address"
        label={text.address}
        description={text.help}
        placeholder={text.placeholder}
        inputMode="email"
        maxLength={320}
        spellCheck={false}
        required
        data-autofocus
      />
    </FormDialog>
  );
}

function suppressionSnippets(apiUrl: string) {
  return apiSnippets(apiUrl, {
    path: '/suppressions',
    body: { address: 'ada@example.com' },
    sdk: "await client.suppressions.create({ address: 'ada@example.com' });",
  });
}
