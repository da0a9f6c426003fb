import { Text } from '@mantine/core';
import type { MailDecision } from '@postrider/contract/console';
import { decisionsText } from '#strings/decisions.ts';
import { partsText } from '#strings/parts.ts';
import { useInboxChoice } from '../lib/inboxes.ts';
import type { PagedList } from '../lib/paging.ts';
import { useSession } from '../lib/session.ts';
import { EmptyState } from '../parts/empty-state.tsx';
import { LoadMore } from '../parts/load-more.tsx';
import { NothingMatches } from '../parts/nothing-matches.tsx';
import { decisionSnippets } from './decision-snippets.ts';
import { nearestAddress } from './nearest-address.ts';

interface NoMatchProps {
  query: string;
  list: PagedList<MailDecision>;
  onClear(): void;
}

/** The log when nothing passes the filters: why a mail may be missing in it, and the address that was probably meant. */
export function NoMatch({ query, list, onClear }: NoMatchProps) {
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
        {list.hasMore ? partsText.nothingYet : decisionsText.none(mail_domain)}
      </Text>
      <LoadMore list={list} />
    </>
  );
}

/** The log before the first mail: how to test that mail arrives. */
export function NoMail() {
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
