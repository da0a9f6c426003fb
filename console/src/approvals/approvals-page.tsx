import { Button, Paper, Text } from '@mantine/core';
import { brand } from '@postrider/contract/brand';
import type { ApprovalState, ApprovalSummary } from '@postrider/contract/console';
import { Link } from 'react-router';
import { approvalText } from '#strings/approval.ts';
import { approvalsText } from '#strings/approvals.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { choice, type Filter, FilterBar, useFilters } from '../lists/filter-bar.tsx';
import { ListSection } from '../lists/list-page.tsx';
import type { Snippet } from '../parts/code-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { decidedColumns, heldColumns } from './approval-columns.tsx';
import { type ListedState, useApprovals } from './approval-queries.tsx';

const { filters: filterText, empty: emptyText } = approvalsText;
const noFilters = { state: '', inbox: '' };

const fields: Filter<typeof noFilters>[] = [
  choice('state', filterText.state, filterText.allStates, approvalText.states),
  { kind: 'inbox', name: 'inbox' },
];

/** The messages that agents want to send: first those that wait for a decision, then those that people decided about. */
export function ApprovalsPage() {
  const filters = useFilters(noFilters);
  const { state, inbox } = filters.state;
  const held = useApprovals({ state: 'held', inbox, enabled: isHeldShown(state) });
  const over = useApprovals({ state: listedState(state), inbox, enabled: state !== 'held' });
  const [hasHeld, hasOver] = [held, over].map(
    ({ items, isLoading, error }) => items.length > 0 || isLoading || error !== null,
  );
  const isBare = !hasHeld && !hasOver && !filters.clear;
  const rows = { rowKey: ({ message_id }: ApprovalSummary) => message_id, onClear: filters.clear };
  const nothing = (
    <Text c="dimmed" p="md">
      {approvalsText.nothingWaits}
    </Text>
  );
  return (
    <>
      <PageHeader
        title={approvalsText.title}
        about={approvalsText.about}
        actions={held.items.length > 1 && <ReviewButton inbox={inbox} />}
      />
      {isBare ? (
        <NoApprovals />
      ) : (
        <>
          <FilterBar label={filterText.label} filters={filters} fields={fields} />
          {isHeldShown(state) && (
            <ListSection
              {...rows}
              list={held}
              title={approvalsText.held}
              columns={heldColumns}
              empty={nothing}
              noMatch={nothing}
            />
          )}
          {state !== 'held' && (hasOver || filters.clear) && (
            <ListSection
              {...rows}
              list={over}
              title={approvalsText.decided}
              columns={decidedColumns}
              empty={null}
            />
          )}
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
  return isHeldShown(state) ? 'over' : (state as ApprovalState);
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
  const { title, message, policy } = emptyText;
  return (
    <Paper withBorder>
      <EmptyState
        title={title}
        message={message}
        picture="done"
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

function approvalSnippets(workspace: string): Snippet[] {
  return [
    {
      label: emptyText.command,
      code: `npm run ${brand.script} -- policy set --workspace ${quoted(workspace)} --send approve`,
    },
    {
      label: emptyText.agent,
      code: [
        'const { id, delivery_status } = await client.messages.send({ inbox_id, to, subject, text });',
        'console.log(delivery_status); // held',
        '',
        '// Later: delivered, or rejected with the reason that people gave.',
        'const { recipients } = await client.messages.get(id);',
        'console.log(recipients[0].status, recipients[0].detail);',
      ].join('\n'),
    },
  ];
}

function quoted(name: string): string {
  return /^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", String.raw`'\''`)}'`;
}
