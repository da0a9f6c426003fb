import './decisions.css';
import { Group, SegmentedControl, Text } from '@mantine/core';
import type { MailDecision } from '@postrider/contract/console';
import { decisionsText } from '#strings/decisions.ts';
import { partsText } from '#strings/parts.ts';
import { useInboxChoice } from '../lib/inboxes.ts';
import { useSession } from '../lib/session.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { InboxFilter } from '../parts/inbox-filter.tsx';
import { NothingMatches } from '../parts/nothing-matches.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Time } from '../parts/time.tsx';
import { WordsField } from '../parts/words-field.tsx';
import { useDecisions } from './decision-queries.ts';
import { decisionSnippets } from './decision-snippets.ts';
import { DecisionStory, MailFacts } from './decision-story.tsx';
import { nearestAddress } from './nearest-address.ts';

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
      <DataTable
        label={decisionsText.title}
        list={list}
        columns={useColumns()}
        keyOf={({ id }) => id}
        empty={
          isFiltered ? (
            <NoMatch query={query} hasMore={list.hasMore} onClear={() => change(noFilters)} />
          ) : (
            <NoMail />
          )
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

function NoMatch(props: { query: string; hasMore: boolean; onClear(): void }) {
  const { query, hasMore, onClear } = props;
  const { mail_domain } = useSession().server;
  const { data: inboxes } = useInboxChoice();
  const addresses = inboxes?.map(({ address }) => address) ?? [];
  const isUnknown = inboxes && /^\S+@\S+$/.test(query) && !addresses.includes(query.toLowerCase());
  const nearest = isUnknown ? nearestAddress(query, addresses) : null;
  return (
    <>
      <NothingMatches onClear={onClear} />
      {nearest !== null && (
        <Text fw={500} ta="center" px="md" pb="xs">
          {decisionsText.unknown(query)} {decisionsText.nearest(nearest)}
        </Text>
      )}
      <Text c="dimmed" size="sm" ta="center" maw={640} mx="auto" px="md" pb="md">
        {hasMore ? partsText.nothingYet : decisionsText.none(mail_domain)}
      </Text>
    </>
  );
}

function NoMail() {
  const { api_url, mail_domain, smtp } = useSession().server;
  const { data: inboxes } = useInboxChoice();
  const { title, message } = decisionsText.empty;
  const inbox = inboxes?.[0]?.address ?? `support@${mail_domain}`;
  return (
    <EmptyState
      title={title}
      message={message}
      snippets={decisionSnippets({ apiUrl: api_url, mailDomain: mail_domain, smtp, inbox })}
    />
  );
}
