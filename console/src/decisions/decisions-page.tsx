import { Paper } from '@mantine/core';
import type { MailDecision } from '@postrider/contract/console';
import type { ReactNode } from 'react';
import { decisionsText } from '#strings/decisions.ts';
import type { PagedList } from '../lib/paging.ts';
import { errorCode } from '../lib/problem.ts';
import { itemsIn, useList } from '../lib/query.ts';
import { useInboxChoice } from '../lib/shared-queries.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { choice, type Filter, FilterBar, useFilters } from '../lists/filter-bar.tsx';
import { ListSection } from '../lists/list-page.tsx';
import type { Column } from '../parts/data-table.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Time } from '../parts/time.tsx';
import { DecisionStory, MailFacts } from './decision-story.tsx';
import { NoMail, NoMatch } from './no-decisions.tsx';
import { SentMail } from './sent-mail.tsx';

const { columns: headers, verdicts, sections } = decisionsText;
const noFilters = { q: '', verdict: '', inbox: '' };
const queryCharactersMax = 300;
/** No change tells of a mail that was refused, so the log is read again. */
const askAgainEvery = () => 10_000;

const fields: Filter<typeof noFilters>[] = [
  { kind: 'text', name: 'q', label: decisionsText.search },
  choice('verdict', decisionsText.verdictFilter, decisionsText.allVerdicts, verdicts),
  { kind: 'inbox', name: 'inbox' },
];

/** The decisions of the SMTP server on mail for the workspace, each in plain words: first the mail that did not arrive. */
export function DecisionsPage() {
  const filters = useFilters(noFilters);
  const { q, verdict, inbox } = filters.state;
  const query = q.trim().slice(0, queryCharactersMax);
  const asked = { query: query || undefined, inbox_id: inbox || undefined };
  const failed = useDecisions({ ...asked, verdict: 'failed' }, verdict === '');
  const passed = useDecisions({ ...asked, verdict: 'passed' }, verdict === '');
  const chosen = useDecisions({ ...asked, verdict }, verdict !== '');
  const lists = verdict === '' ? [failed, passed] : [chosen];
  const hasNothing = lists.every(
    ({ items, isLoading, error, hasMore }) => items.length === 0 && !isLoading && !error && !hasMore,
  );
  return (
    <>
      <PageHeader title={decisionsText.title} about={decisionsText.about} />
      <FilterBar label={decisionsText.title} filters={filters} fields={fields} />
      <SentMail query={query} />
      {hasNothing && (
        <Paper withBorder>
          {filters.clear ? <NoMatch query={query} onClear={filters.clear} /> : <NoMail />}
        </Paper>
      )}
      {!hasNothing && verdict === '' && (
        <>
          <Decisions title={sections.failed} list={failed} onClear={filters.clear} />
          <Decisions title={sections.passed} list={passed} onClear={filters.clear} />
        </>
      )}
      {!hasNothing && verdict !== '' && (
        <Decisions
          title={verdicts[verdict as MailDecision['verdict']] ?? verdict}
          list={chosen}
          onClear={filters.clear}
        />
      )}
      {useIsOwner() && verdict === '' && inbox === '' && <UnknownRecipients query={query} />}
    </>
  );
}

interface Asked {
  query: string | undefined;
  inbox_id: string | undefined;
  /** The verdict in the URL. The server refuses an unknown one. */
  verdict: string;
}

function useDecisions({ verdict, ...asked }: Asked, enabled: boolean): PagedList<MailDecision> {
  const known = verdict as MailDecision['verdict'] | 'failed' | 'passed';
  return useList(
    ['decisions', { ...asked, verdict }],
    ({ ask }, cursor) =>
      itemsIn('decisions', ask('records.decisions', { query: { ...asked, verdict: known, cursor } })),
    { enabled, refetchMs: askAgainEvery },
  );
}

interface DecisionsProps {
  title: string;
  about?: ReactNode;
  list: PagedList<MailDecision>;
  onClear: (() => void) | undefined;
}

/** A part of the log. Nothing is shown of a part without entries, unless more of it can be searched. */
function Decisions({ title, about, list, onClear }: DecisionsProps) {
  const columns = useColumns();
  if (!list.isLoading && !list.error && list.items.length === 0 && !list.hasMore) return null;
  return (
    <ListSection
      title={title}
      about={about}
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      onClear={onClear}
      empty={null}
    />
  );
}

/** Mail for addresses that no inbox of the server has. Only owners of the first workspace see it, and others see nothing. */
function UnknownRecipients({ query }: { query: string }) {
  const list = useList(
    ['unknown-recipients', query],
    ({ ask }, cursor) =>
      itemsIn(
        'decisions',
        ask('records.unknownRecipients', { query: { query: query || undefined, cursor, limit: 10 } }),
      ),
    { refetchMs: askAgainEvery },
  );
  if (list.isLoading || errorCode(list.error) === 'owner_only') return null;
  return <Decisions title={sections.unknown} about={sections.unknownAbout} list={list} onClear={undefined} />;
}

function useColumns(): Column<MailDecision>[] {
  const { data: inboxes = [] } = useInboxChoice();
  const addresses = inboxes.map(({ address }) => address);
  return [
    {
      header: headers.decision,
      cell: (decision) => <DecisionStory decision={decision} addresses={addresses} />,
    },
    {
      header: headers.mail,
      width: '34%',
      isPlain: true,
      cell: (decision) => <MailFacts decision={decision} />,
    },
    { header: headers.time, width: '120px', isPlain: true, cell: ({ at }) => <Time value={at} /> },
  ];
}
