import './approvals.css';
import { Button, Paper, Text, Title } from '@mantine/core';
import type { ApprovalState, ApprovalSummary } from '@postrider/contract/console';
import { Link } from 'react-router';
import { approvalText } from '#strings/approval.ts';
import { approvalsText } from '#strings/approvals.ts';
import type { PagedList } from '../lib/paging.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { FilterBar, FilterSelect } from '../parts/filter-bar.tsx';
import { InboxFilter } from '../parts/inbox-filter.tsx';
import { NothingMatches } from '../parts/nothing-matches.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { decidedColumns, heldColumns } from './approval-columns.tsx';
import { type ListedState, useApprovals } from './approval-queries.ts';
import { approvalSnippets } from './approval-snippets.ts';

const noFilters = { state: '', inbox: '' };
const states = Object.entries(approvalText.states).map(([value, label]) => ({ value, label }));

/** The messages that agents want to send: first those that wait for a decision, then those that people decided about. */
export function ApprovalsPage() {
  const [{ state, inbox }, setFilters] = useUrlState(noFilters);
  const held = useApprovals({ state: 'held', inbox, enabled: isHeldShown(state) });
  const over = useApprovals({ state: listedState(state), inbox, enabled: state !== 'held' });
  const clear = () => setFilters(noFilters);
  const isFiltered = state !== '' || inbox !== '';
  const hasNothing = [held, over].every(
    ({ items, isLoading, error }) => items.length === 0 && !isLoading && !error,
  );
  return (
    <>
      <PageHeader
        title={approvalsText.title}
        about={approvalsText.about}
        actions={held.items.length > 1 && <ReviewButton inbox={inbox} />}
      />
      <FilterBar label={approvalsText.filters.label}>
        <FilterSelect
          label={approvalsText.filters.state}
          value={state}
          onChange={(chosen) => setFilters({ state: chosen })}
          options={[{ value: '', label: approvalsText.filters.allStates }, ...states]}
        />
        <InboxFilter value={inbox} onChange={(chosen) => setFilters({ inbox: chosen })} />
      </FilterBar>
      {hasNothing && !isFiltered ? (
        <NoApprovals />
      ) : (
        <>
          {isHeldShown(state) && <Held list={held} onClear={isFiltered ? clear : undefined} />}
          {state !== 'held' && <Decided list={over} onClear={isFiltered ? clear : undefined} />}
        </>
      )}
    </>
  );
}

function isHeldShown(state: string): boolean {
  return state === '' || state === 'held';
}

/** An unknown state of the address is refused by the server, and cleared by the button below that. */
function listedState(state: string): ListedState {
  return state === '' || state === 'held' ? 'over' : (state as ApprovalState);
}

interface SectionProps {
  list: PagedList<ApprovalSummary>;
  onClear: (() => void) | undefined;
}

function Held({ list, onClear }: SectionProps) {
  return (
    <section aria-label={approvalsText.held}>
      <Title order={2} mb="xs">
        {approvalsText.held}
      </Title>
      <DataTable
        label={approvalsText.held}
        list={list}
        columns={heldColumns}
        rowKey={({ message_id }) => message_id}
        onClear={onClear}
        empty={
          <Text c="dimmed" p="md">
            {approvalsText.nothingWaits}
          </Text>
        }
      />
    </section>
  );
}

function Decided({ list, onClear }: SectionProps) {
  if (onClear === undefined && !list.isLoading && !list.error && list.items.length === 0) return null;
  return (
    <section aria-label={approvalsText.decided}>
      <Title order={2} mt="lg" mb="xs">
        {approvalsText.decided}
      </Title>
      <DataTable
        label={approvalsText.decided}
        list={list}
        columns={decidedColumns}
        rowKey={({ message_id }) => message_id}
        onClear={onClear}
        empty={<NothingMatches list={list} onClear={onClear ?? (() => undefined)} />}
      />
    </section>
  );
}

function ReviewButton({ inbox }: { inbox: string }) {
  const query = inbox === '' ? '' : `?inbox=${encodeURIComponent(inbox)}`;
  return (
    <Button component={Link} to={`/approvals/review${query}`} variant="default">
      {approvalsText.review.open}
    </Button>
  );
}

function NoApprovals() {
  const { name } = useWorkspace();
  const { title, message, policy } = approvalsText.empty;
  return (
    <Paper withBorder>
      <EmptyState
        title={title}
        message={message}
        action={
          <Button component={Link} to="/sending" variant="default">
            {policy}
          </Button>
        }
        snippets={approvalSnippets(name)}
      />
    </Paper>
  );
}
