import { ActionIcon, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { Rule } from 'postrider';
import { partsText } from '#strings/parts.ts';
import { rulesText } from '#strings/rules.ts';
import { useSession } from '../lib/session.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FilterBar, FilterSelect, FilterText } from '../parts/filter-bar.tsx';
import { NothingMatches } from '../parts/nothing-matches.tsx';
import { notify } from '../parts/notify.ts';
import { notifyProblem } from '../parts/notify-problem.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { CreateRule } from './create-rule.tsx';
import { useCreateRule, useDeleteRule, useRules } from './rule-queries.ts';
import { ruleSnippets } from './rule-snippets.ts';

const { columns: headers, filters: filterText, kinds, directions } = rulesText;
const noFilters = { q: '', kind: '', direction: '' };

const columns: Column<Rule>[] = [
  { id: 'pattern', header: headers.pattern, cell: ({ pattern }) => <Text fw={500}>{pattern}</Text> },
  {
    id: 'kind',
    header: headers.kind,
    isShort: true,
    cell: ({ kind }) => (
      <StatusBadge tone={kind === 'block' ? 'bad' : 'good'}>{rulesText.kinds[kind]}</StatusBadge>
    ),
  },
  {
    id: 'direction',
    header: headers.direction,
    isShort: true,
    cell: ({ direction }) => rulesText.directions[direction],
  },
  {
    id: 'created',
    header: headers.created,
    wideOnly: true,
    cell: ({ created_at }) => <Time value={created_at} />,
  },
  { id: 'actions', header: headers.actions, isActions: true, cell: (rule) => <DeleteRule rule={rule} /> },
];

/** The allow and block lists. */
export function RulesPage() {
  const [filters, setFilters] = useUrlState(noFilters);
  const list = useRules(filters);
  const { api_url } = useSession().server;
  const [isCreating, { open, close }] = useDisclosure(false);
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={open}>
      {rulesText.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={rulesText.title} about={rulesText.about} actions={create} />
      <FilterBar label={rulesText.title}>
        <FilterText label={filterText.search} value={filters.q} onChange={(q) => setFilters({ q })} />
        <FilterSelect
          label={filterText.kind}
          value={filters.kind}
          onChange={(kind) => setFilters({ kind })}
          options={[
            { value: '', label: filterText.allKinds },
            { value: 'block', label: kinds.block },
            { value: 'allow', label: kinds.allow },
          ]}
        />
        <FilterSelect
          label={filterText.direction}
          value={filters.direction}
          onChange={(direction) => setFilters({ direction })}
          options={[
            { value: '', label: filterText.allDirections },
            { value: 'inbound', label: directions.inbound },
            { value: 'outbound', label: directions.outbound },
          ]}
        />
      </FilterBar>
      <DataTable
        label={rulesText.title}
        list={list}
        columns={columns}
        onClear={isFiltered ? () => setFilters(noFilters) : undefined}
        rowKey={({ id }) => id}
        empty={
          isFiltered ? (
            <NothingMatches list={list} onClear={() => setFilters(noFilters)} />
          ) : (
            <EmptyState {...rulesText.empty} action={create} snippets={ruleSnippets(api_url)} />
          )
        }
      />
      <CreateRule isOpen={isCreating} onClose={close} />
    </>
  );
}

function DeleteRule({ rule }: { rule: Rule }) {
  // The row, and this button with it, is gone before the server responds. Promises still end, and callbacks of `mutate` do not.
  const { mutateAsync: deleteRule } = useDeleteRule();
  const { mutateAsync: createRule } = useCreateRule();
  const { kind, direction, pattern } = rule;
  async function restore() {
    await createRule({ kind, direction, pattern });
    await notify({ message: rulesText.restored(pattern) });
  }
  async function remove() {
    await deleteRule(rule);
    const action = { label: partsText.undo, run: () => void restore().catch(notifyProblem) };
    await notify({ message: rulesText.deleted(pattern), action });
  }
  return (
    <ActionIcon
      aria-label={rulesText.deleteLabel(pattern)}
      title={rulesText.deleteLabel(pattern)}
      onClick={() => void remove().catch(notifyProblem)}
    >
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  );
}
