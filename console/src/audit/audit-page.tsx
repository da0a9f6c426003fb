import { Group, NativeSelect, Text } from '@mantine/core';
import type { AuditEntry, Member } from '@postrider/contract/console';
import { useCallback, useMemo } from 'react';
import { auditText } from '#strings/audit.ts';
import { auditActions } from '#strings/audit-actions.ts';
import { useInboxChoice } from '../lib/inboxes.ts';
import { useKeyNames } from '../lib/key-names.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { NothingMatches } from '../parts/nothing-matches.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Time } from '../parts/time.tsx';
import { useAudit, useMemberNames } from './audit-queries.ts';
import { ChainState } from './chain-state.tsx';
import { describeEntry, type FindName, nameActor } from './describe-entry.ts';
import { DownloadLog } from './download-log.tsx';
import { EntryDetails } from './entry-details.tsx';

const noFilters = { person: '', action: '' };

/** The audit log: who changed what, with the values before and after. */
export function AuditPage() {
  const [filters, setFilters] = useUrlState(noFilters);
  const list = useAudit(filters);
  const members = useMemberNames();
  const findName = useFindName(members);
  const columns = useMemo(() => columnsFor(findName), [findName]);
  const isFiltered = filters.person !== '' || filters.action !== '';
  return (
    <>
      <PageHeader title={auditText.title} about={auditText.about} actions={<DownloadLog />} />
      <ChainState />
      <Filters members={members} filters={filters} onChange={setFilters} />
      <DataTable
        label={auditText.title}
        list={list}
        columns={columns}
        onClear={isFiltered ? () => setFilters(noFilters) : undefined}
        rowKey={({ id }) => id}
        empty={
          isFiltered ? (
            <NothingMatches onClear={() => setFilters(noFilters)} />
          ) : (
            <EmptyState {...auditText.empty} />
          )
        }
      />
    </>
  );
}

interface FiltersProps {
  members: Member[];
  filters: typeof noFilters;
  onChange(change: Partial<typeof noFilters>): void;
}

function Filters({ members, filters, onChange }: FiltersProps) {
  const text = auditText.filters;
  const people = members.map(({ person_id, name, email }) => ({
    value: person_id,
    label: `${name} (${email})`,
  }));
  const actions = Object.entries(auditActions).map(([value, { name }]) => ({ value, label: name }));
  return (
    <Group role="search" aria-label={text.label} gap="sm" mb="md">
      <NativeSelect
        aria-label={text.person}
        value={filters.person}
        onChange={(event) => onChange({ person: event.currentTarget.value })}
        data={[{ value: '', label: text.anybody }, ...withChosen(people, filters.person)]}
        maw={280}
        data-search
      />
      <NativeSelect
        aria-label={text.action}
        value={filters.action}
        onChange={(event) => onChange({ action: event.currentTarget.value })}
        data={[{ value: '', label: text.anyAction }, ...withChosen(actions, filters.action)]}
        maw={280}
      />
    </Group>
  );
}

/** Somebody who left, or an action of another version, is in the address all the same. */
function withChosen(options: { value: string; label: string }[], chosen: string) {
  const isListed = chosen === '' || options.some(({ value }) => value === chosen);
  return isListed ? options : [...options, { value: chosen, label: chosen }];
}

function columnsFor(findName: FindName): Column<AuditEntry>[] {
  const { columns: headers } = auditText;
  return [
    { id: 'when', header: headers.when, cell: ({ at }) => <Time value={at} /> },
    { id: 'who', header: headers.who, cell: (entry) => <Text fw={500}>{nameActor(entry, findName)}</Text> },
    {
      id: 'what',
      header: headers.what,
      cell: (entry) => (
        <EntryDetails entry={entry} sentence={describeEntry(entry, findName)} findName={findName} />
      ),
    },
    {
      id: 'address',
      header: headers.address,
      wideOnly: true,
      cell: ({ address }) => <Text c="dimmed">{address ?? ''}</Text>,
    },
  ];
}

/** Finds names among the people, the inboxes and the keys of the workspace. */
function useFindName(members: Member[]): FindName {
  const { data: inboxes } = useInboxChoice();
  const keys = useKeyNames();
  return useCallback(
    (id) =>
      members.find(({ person_id }) => person_id === id)?.name ??
      inboxes?.find((inbox) => inbox.id === id)?.address ??
      keys.find((key) => key.id === id)?.name ??
      null,
    [members, inboxes, keys],
  );
}
