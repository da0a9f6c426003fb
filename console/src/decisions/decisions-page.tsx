import './decisions.css';
import { Group, SegmentedControl } from '@mantine/core';
import type { MailDecision } from '@postrider/contract/console';
import { decisionsText } from '#strings/decisions.ts';
import { useInboxChoice } from '../lib/inboxes.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { InboxFilter } from '../parts/inbox-filter.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Time } from '../parts/time.tsx';
import { WordsField } from '../parts/words-field.tsx';
import { useDecisions } from './decision-queries.ts';
import { DecisionStory, MailFacts } from './decision-story.tsx';
import { NoMail, NoMatch } from './no-decisions.tsx';
import { SentMail } from './sent-mail.tsx';

const noFilters = { q: '', verdict: 'all', inbox: '' };
const verdicts = ['all', 'accepted', 'refused', 'deferred', 'repeated'] as const;
const queryCharactersMax = 300;

/** The decisions of the SMTP server on mail for the workspace, each in plain words. */
export function DecisionsPage() {
  const [{ q, verdict, inbox }, change] = useUrlState(noFilters);
  const known = verdicts.find((each) => each === verdict && each !== 'all') as
    | MailDecision['verdict']
    | undefined;
  const query = q.trim().slice(0, queryCharactersMax);
  const isFiltered = query !== '' || known !== undefined || inbox !== '';
  const list = useDecisions({
    ...(query !== '' && { query }),
    ...(known && { verdict: known }),
    ...(inbox !== '' && { inbox_id: inbox }),
  });
  return (
    <>
      <PageHeader title={decisionsText.title} about={decisionsText.about} />
      <Group gap="sm" mb="md">
        <WordsField
          label={decisionsText.search}
          value={q}
          charactersMax={queryCharactersMax}
          onChange={(words) => change({ q: words })}
        />
        <SegmentedControl
          size="xs"
          aria-label={decisionsText.verdictFilter}
          data={verdicts.map((value) => ({ value, label: decisionsText.verdicts[value] }))}
          value={known ?? 'all'}
          onChange={(chosen) => change({ verdict: chosen })}
        />
        <InboxFilter value={inbox} onChange={(id) => change({ inbox: id })} />
      </Group>
      <SentMail query={query} />
      <DataTable
        label={decisionsText.title}
        list={list}
        columns={useColumns()}
        onClear={isFiltered ? () => change(noFilters) : undefined}
        rowKey={({ id }) => id}
        empty={
          isFiltered ? <NoMatch query={query} list={list} onClear={() => change(noFilters)} /> : <NoMail />
        }
      />
    </>
  );
}

function useColumns(): Column<MailDecision>[] {
  const { data: inboxes = [] } = useInboxChoice();
  const addresses = inboxes.map(({ address }) => address);
  const { columns: headers } = decisionsText;
  return [
    { id: 'time', header: headers.time, wideOnly: true, cell: ({ at }) => <Time value={at} /> },
    {
      id: 'decision',
      header: headers.decision,
      cell: (decision) => <DecisionStory decision={decision} addresses={addresses} />,
    },
    {
      id: 'mail',
      header: headers.mail,
      wideOnly: true,
      cell: (decision) => <MailFacts decision={decision} />,
    },
  ];
}
