import { Text } from '@mantine/core';
import type { Rule } from 'postrider';
import { lazy } from 'react';
import { rulesText } from '#strings/rules.ts';
import { itemsIn, useList } from '../lib/query.ts';
import { choice, type Filter, useFilters } from '../lists/filter-bar.tsx';
import { ListPage } from '../lists/list-page.tsx';
import { readMatching } from '../lists/read-matching.ts';
import { RemoveButton } from '../lists/remove-button.tsx';
import { apiSnippets } from '../parts/code-block.tsx';
import type { Column } from '../parts/data-table.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';

const CreateRule = lazy(async () => ({ default: (await import('./create-rule.tsx')).CreateRule }));
const { columns: headers, filters: filterText, kinds, directions } = rulesText;
const noFilters = { q: '', kind: '', direction: '' };

const fields: Filter<typeof noFilters>[] = [
  { kind: 'text', name: 'q', label: filterText.search },
  choice('kind', filterText.kind, filterText.allKinds, kinds),
  choice('direction', filterText.direction, filterText.allDirections, {
    inbound: directions.inbound,
    outbound: directions.outbound,
  }),
];

const columns: Column<Rule>[] = [
  { header: headers.pattern, cell: ({ pattern }) => <Text fw={500}>{pattern}</Text> },
  {
    header: headers.kind,
    width: '110px',
    inCorner: true,
    cell: ({ kind }) => <StatusBadge tone={kind === 'block' ? 'bad' : 'good'}>{kinds[kind]}</StatusBadge>,
  },
  { header: headers.direction, width: '110px', cell: ({ direction }) => directions[direction] },
  { header: headers.created, width: '130px', cell: ({ created_at }) => <Time value={created_at} /> },
  { header: headers.actions, width: '64px', isActions: true, cell: (rule) => <DeleteRule rule={rule} /> },
];

/** The allow and block lists. */
export function RulesPage() {
  const filters = useFilters(noFilters);
  const list = useList(['rules', filters.state], ({ api, signal }, cursor) =>
    readMatching(
      (from) => itemsIn('rules', api.rules.list({ cursor: from, limit: 100 }, { signal })),
      (rule) => isMatch(rule, filters.state),
      cursor,
    ),
  );
  return (
    <ListPage
      text={rulesText}
      picture="done"
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      filters={filters}
      fields={fields}
      create={{ label: rulesText.create, Dialog: CreateRule }}
      snippets={ruleSnippets}
    />
  );
}

function isMatch({ pattern, kind, direction }: Rule, filters: typeof noFilters): boolean {
  return (
    pattern.includes(filters.q.trim().toLowerCase()) &&
    (filters.kind === '' || filters.kind === kind) &&
    (filters.direction === '' || direction === 'both' || filters.direction === direction)
  );
}

function DeleteRule({ rule }: { rule: Rule }) {
  const { pattern } = rule;
  return (
    <RemoveButton
      item={rule}
      listName="rules"
      label={rulesText.deleteLabel(pattern)}
      removed={rulesText.deleted(pattern)}
      restored={rulesText.restored(pattern)}
      remove={({ api }, { id }) => api.rules.delete(id)}
      restore={({ api }, { kind, direction }) => api.rules.create({ kind, direction, pattern })}
    />
  );
}

function ruleSnippets(apiUrl: string) {
  return apiSnippets(apiUrl, {
    path: '/lists',
    body: { kind: 'block', direction: 'inbound', pattern: 'spam.example' },
    sdk: "await client.rules.create({ kind: 'block', direction: 'inbound', pattern: 'spam.example' });",
  });
}
