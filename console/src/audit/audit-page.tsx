import { Text } from '@mantine/core';
import type { AuditEntry, Member } from '@postrider/contract/console';
import { useCallback, useMemo } from 'react';
import { auditActions, auditText, auditValues } from '#strings/audit.ts';
import { formatCount } from '../lib/numbers.ts';
import { itemsIn, useList } from '../lib/query.ts';
import { useInboxChoice, useKeyNames, useMembers } from '../lib/shared-queries.ts';
import { fullTime } from '../lib/times.ts';
import { choice, type Filter, useFilters } from '../lists/filter-bar.tsx';
import { ListPage } from '../lists/list-page.tsx';
import type { Column } from '../parts/data-table.tsx';
import { type Fact, FactList } from '../parts/fact-list.tsx';
import { Time } from '../parts/time.tsx';
import {
  describeEntry,
  type FieldChange,
  type FindName,
  fieldName,
  listChanges,
  nameActor,
} from './describe-entry.ts';
import { ChainState, DownloadLog } from './whole-log.tsx';

const { columns: headers, filters: filterText } = auditText;
const noFilters = { person: '', action: '' };
const actionNames = Object.fromEntries(
  Object.entries(auditActions).map(([action, [name]]) => [action, name]),
);

/** The audit log, newest first: who changed what, with the values before and after. */
export function AuditPage() {
  const filters = useFilters(noFilters);
  const { person, action } = filters.state;
  const asked = { person_id: person || undefined, action: action || undefined };
  const list = useList(['audit', asked], ({ ask }, cursor) =>
    itemsIn('entries', ask('workspace.audit', { query: { cursor, ...asked } })),
  );
  const { items: members } = useMembers();
  const findName = useFindName(members);
  const columns = useMemo(() => listColumns(findName), [findName]);
  return (
    <ListPage
      text={auditText}
      picture="draft"
      actions={<DownloadLog />}
      above={<ChainState />}
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      filters={filters}
      fields={listFields(members)}
      details={{
        field: 'entry',
        label: (entry) => auditText.open(describeEntry(entry, findName)),
        render: (entry) => <FactList facts={listFacts(entry, findName)} />,
      }}
    />
  );
}

function listFields(members: Member[]): Filter<typeof noFilters>[] {
  const people = Object.fromEntries(
    members.map(({ person_id, name, email }) => [person_id, `${name} (${email})`]),
  );
  return [
    choice('person', filterText.person, filterText.anybody, people),
    choice('action', filterText.action, filterText.anyAction, actionNames),
  ];
}

function listColumns(findName: FindName): Column<AuditEntry>[] {
  return [
    { header: headers.what, cell: (entry) => describeEntry(entry, findName) },
    { header: headers.who, width: '180px', cell: (entry) => nameActor(entry, findName) },
    {
      header: headers.address,
      width: '150px',
      wideOnly: true,
      cell: ({ address }) => <Text c="dimmed">{address ?? ''}</Text>,
    },
    {
      header: headers.when,
      width: '120px',
      cell: ({ at }) => (
        <Text c="dimmed">
          <Time value={at} />
        </Text>
      ),
    },
  ];
}

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

function listFacts(entry: AuditEntry, findName: FindName): Fact[] {
  const { at, action, target, address, request_id, actor, hash } = entry;
  const optional: [string, string | null][] = [
    [auditText.code, action],
    [auditText.target, target],
    [auditText.address, address],
    [auditText.request, request_id],
    [auditText.actor, actor.id],
    [auditText.hash, hash],
  ];
  return [
    ...listChanges(entry, findName).map((change) => changeFact(change, entry)),
    { name: auditText.number, value: formatCount(entry.seq) },
    { name: auditText.time, value: fullTime(at) },
    ...optional.flatMap(([name, value]) => (value === null ? [] : [{ name, value, copy: value }])),
  ];
}

/** A field that was set or removed in a change of several fields is told so. */
function changeFact({ name, before, after }: FieldChange, entry: AuditEntry): Fact {
  const isChange = entry.before !== null && entry.after !== null && before !== after;
  const value = isChange
    ? auditText.changed(before ?? auditValues.notSet, after ?? auditValues.notSet)
    : (after ?? before);
  return { name: fieldName(name), value };
}
