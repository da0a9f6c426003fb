import { Text } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { Draft } from 'postrider';
import { Link } from 'react-router';
import { composeText } from '#strings/compose.ts';
import { draftsText } from '#strings/drafts.ts';
import { partsText } from '#strings/parts.ts';
import { readPurpose } from '../compose/draft-fields.ts';
import { draftPath } from '../lib/mail-paths.ts';
import { itemsIn, useList } from '../lib/query.ts';
import { useInboxAddress } from '../lib/shared-queries.ts';
import { choice, type Filter, useFilters } from '../lists/filter-bar.tsx';
import { ListPage } from '../lists/list-page.tsx';
import { apiSnippets } from '../parts/code-block.tsx';
import type { Column } from '../parts/data-table.tsx';
import { useHeldActions } from '../parts/held-actions.ts';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { DraftActions, deleteActionId } from './draft-actions.tsx';

const { columns: headers, statuses } = draftsText;
const noFilters = { status: '', inbox: '' };
const tones: Record<Draft['status'], Tone> = {
  draft: 'quiet',
  scheduled: 'waiting',
  sending: 'waiting',
  sent: 'good',
  failed: 'bad',
};
const shownRecipients = 3;

const fields: Filter<typeof noFilters>[] = [
  choice('status', draftsText.status, draftsText.allStatuses, statuses),
  { kind: 'inbox', name: 'inbox' },
];

const columns: Column<Draft>[] = [
  { header: headers.message, cell: (draft) => <DraftSummary draft={draft} /> },
  { header: headers.inbox, width: '220px', cell: ({ inbox_id }) => <InboxName id={inbox_id} /> },
  { header: headers.status, width: '190px', cell: (draft) => <DraftState draft={draft} /> },
  { header: headers.updated, width: '120px', cell: ({ updated_at }) => <Time value={updated_at} /> },
  {
    header: headers.actions,
    width: '60px',
    isActions: true,
    cell: (draft) => <DraftActions draft={draft} />,
  },
];

/** The drafts of the workspace: those that people write, and those that agents leave for approval or for a set time. */
export function DraftsPage() {
  const filters = useFilters(noFilters);
  const { status, inbox } = filters.state;
  const query = {
    status: Object.hasOwn(statuses, status) ? (status as keyof typeof statuses) : undefined,
    inbox_id: inbox || undefined,
  };
  const list = useList(['drafts', query], ({ api, signal }, cursor) =>
    itemsIn('drafts', api.drafts.list({ ...query, cursor }, { signal })),
  );
  const held = useHeldActions().filter(({ state }) => state !== 'failed');
  // Those that are being deleted are left out.
  const hidden = new Set(held.map(({ action }) => action.id));
  return (
    <ListPage
      text={draftsText}
      picture="draft"
      list={{ ...list, items: list.items.filter(({ id }) => !hidden.has(deleteActionId(id))) }}
      columns={columns}
      rowKey={({ id }) => id}
      isTall
      create={{ label: draftsText.write, to: '/compose', icon: IconPencil }}
      filters={filters}
      fields={fields}
      snippets={draftSnippets}
    />
  );
}

function draftSnippets(apiUrl: string) {
  const draft = { inbox_id: 'inb_…', to: 'ada@example.com', subject: 'Your order', text: 'It has shipped.' };
  const lines = Object.entries(draft).map(([name, value]) => `  ${name}: '${value}',`);
  const sdk = ['await client.drafts.create({', ...lines, '});'].join('\n');
  return apiSnippets(apiUrl, { path: '/drafts', body: draft, sdk });
}

function InboxName({ id }: { id: string }) {
  const address = useInboxAddress()(id);
  return (
    <Text truncate title={address}>
      {address}
    </Text>
  );
}

function DraftSummary({ draft }: { draft: Draft }) {
  const kind = draftsText.kinds[readPurpose(draft).kind];
  const { length } = draft.attachments;
  const files = length === 0 ? null : draftsText.files(length);
  const details = [kind, recipientsText(draft), files].filter((part) => part !== null);
  return (
    <>
      <Link to={draftPath(draft.id)} className="console-link" data-clamped>
        {draft.subject || composeText.noSubject}
      </Link>
      <Text variant="detail" lineClamp={2}>
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
        <Text variant="detail">
          <Time value={scheduled_at} absolute />
        </Text>
      )}
      {status === 'failed' && failure !== null && (
        <Text variant="detail">{draftsText.failures[failure] ?? draftsText.failure(failure)}</Text>
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
