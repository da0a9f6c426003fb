import { Anchor, Button, Group, SegmentedControl, Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { Draft } from 'postrider';
import { Link } from 'react-router';
import { composeText } from '#strings/compose.ts';
import { draftsText } from '#strings/drafts.ts';
import { partsText } from '#strings/parts.ts';
import { readPurpose } from '../compose/draft-fields.ts';
import { useInboxAddress } from '../lib/inboxes.ts';
import { draftPath } from '../lib/mail-paths.ts';
import { useSession } from '../lib/session.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { apiSnippets } from '../parts/api-snippets.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { InboxFilter } from '../parts/inbox-filter.tsx';
import { NothingMatches } from '../parts/nothing-matches.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { DraftActions } from './draft-actions.tsx';
import { useDrafts } from './draft-queries.ts';

const noFilters = { status: 'all', inbox: '' };
const statuses = ['all', 'draft', 'scheduled', 'failed', 'sent'] as const;
const tones: Record<Draft['status'], Tone> = {
  draft: 'quiet',
  scheduled: 'waiting',
  sending: 'waiting',
  sent: 'good',
  failed: 'bad',
};
const shownRecipients = 3;

/** The drafts of the workspace: those that people write, and those that agents leave for approval or for a set time. */
export function DraftsPage() {
  const [{ status, inbox }, change] = useUrlState(noFilters);
  const known = statuses.find((each) => each === status && each !== 'all') as Draft['status'] | undefined;
  const list = useDrafts({ ...(known && { status: known }), ...(inbox !== '' && { inbox_id: inbox }) });
  const { api_url } = useSession().server;
  const inboxAddress = useInboxAddress();
  const isFiltered = known !== undefined || inbox !== '';
  const write = (
    <Button component={Link} to="/compose" leftSection={<IconPencil size={16} aria-hidden />}>
      {draftsText.write}
    </Button>
  );
  return (
    <>
      <PageHeader title={draftsText.title} about={draftsText.about} actions={write} />
      <Group mb="md" gap="sm">
        <SegmentedControl
          size="xs"
          aria-label={draftsText.status}
          data={statuses.map((value) => ({ value, label: draftsText.statuses[value] }))}
          value={known ?? 'all'}
          onChange={(chosen) => change({ status: chosen })}
        />
        <InboxFilter value={inbox} onChange={(id) => change({ inbox: id })} />
      </Group>
      <DataTable
        label={draftsText.title}
        list={list}
        columns={columnsFor(inboxAddress)}
        onClear={isFiltered ? () => change(noFilters) : undefined}
        rowKey={({ id }) => id}
        empty={
          isFiltered ? (
            <NothingMatches onClear={() => change(noFilters)} />
          ) : (
            <EmptyState
              {...draftsText.empty}
              picture="draft"
              action={write}
              snippets={draftSnippets(api_url)}
            />
          )
        }
      />
    </>
  );
}

/** Returns how a program leaves a draft for a person to approve. */
function draftSnippets(apiUrl: string) {
  const draft = { inbox_id: 'inb_…', to: 'ada@example.com', subject: 'Your order', text: 'It has shipped.' };
  const fields = Object.entries(draft).map(([name, value]) => `  ${name}: '${value}',`);
  const sdk = ['await client.drafts.create({', ...fields, '});'].join('\n');
  return apiSnippets(apiUrl, { path: '/drafts', body: draft, sdk });
}

function columnsFor(inboxAddress: (id: string) => string): Column<Draft>[] {
  const { columns: headers } = draftsText;
  return [
    { id: 'message', header: headers.message, cell: (draft) => <DraftSummary draft={draft} /> },
    {
      id: 'inbox',
      header: headers.inbox,
      wideOnly: true,
      cell: ({ inbox_id }) => (
        <Text truncate maw={200} title={inboxAddress(inbox_id)}>
          {inboxAddress(inbox_id)}
        </Text>
      ),
    },
    { id: 'status', header: headers.status, cell: (draft) => <DraftState draft={draft} /> },
    {
      id: 'updated',
      header: headers.updated,
      wideOnly: true,
      cell: ({ updated_at }) => <Time value={updated_at} />,
    },
    {
      id: 'actions',
      header: headers.actions,
      isActions: true,
      cell: (draft) => <DraftActions draft={draft} />,
    },
  ];
}

function DraftSummary({ draft }: { draft: Draft }) {
  const kind = draftsText.kinds[readPurpose(draft).kind];
  const details = [kind, recipientsText(draft), filesText(draft)].filter((part) => part !== null);
  return (
    <>
      <Anchor component={Link} to={draftPath(draft.id)} fw={500} c="var(--mantine-color-text)" lineClamp={2}>
        {draft.subject || composeText.noSubject}
      </Anchor>
      <Text size="xs" c="dimmed" lineClamp={2}>
        {details.join(partsText.separator)}
      </Text>
    </>
  );
}

function DraftState({ draft: { status, scheduled_at, failure } }: { draft: Draft }) {
  return (
    <>
      <StatusBadge tone={tones[status]}>{draftsText.states[status]}</StatusBadge>
      {status === 'scheduled' && scheduled_at !== null && (
        <Text size="xs" c="dimmed">
          <Time value={scheduled_at} absolute />
        </Text>
      )}
      {status === 'failed' && failure !== null && (
        <Text size="xs" c="dimmed" maw={280}>
          {draftsText.failures[failure] ?? draftsText.failure(failure)}
        </Text>
      )}
    </>
  );
}

function recipientsText({ to, cc, bcc }: Draft): string {
  const all = [...to, ...cc, ...bcc];
  if (all.length === 0) return draftsText.noRecipients;
  const shown = draftsText.to(all.slice(0, shownRecipients).join(', '));
  return all.length > shownRecipients ? `${shown} ${draftsText.more(all.length - shownRecipients)}` : shown;
}

function filesText({ attachments }: Draft): string | null {
  return attachments.length === 0 ? null : draftsText.files(attachments.length);
}
