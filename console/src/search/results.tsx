import { Alert, Paper, Text } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import type { ListedMessage, MessagePage } from 'postrider';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { partsText } from '#strings/parts.ts';
import { searchText } from '#strings/search.ts';
import { threadPath } from '../lib/mail-paths.ts';
import { useList } from '../lib/query.ts';
import { useInboxAddress } from '../lib/shared-queries.ts';
import { shortTime } from '../lib/times.ts';
import { ListFrame } from '../parts/list-frame.tsx';
import { Time } from '../parts/time.tsx';
import { queryFor, readSnippet, type SearchState } from './search-state.ts';

const shownRecipients = 3;

/** The messages that a search finds, best first; without words, the newest that pass the filters. They stay in place when mail arrives. */
export function Results(props: { search: SearchState; nothing: ReactNode; onClear(): void }) {
  const { search, nothing, onClear } = props;
  const list = useList(['search', search], async ({ api, signal }, cursor) => {
    const { messages, ...page } = await api.messages.list({ ...queryFor(search), cursor }, { signal });
    return { ...page, items: messages };
  });
  const inboxAddress = useInboxAddress();
  return (
    <ListFrame list={list} onClear={onClear} empty={nothing} {...(!list.hasMore && { noMatch: nothing })}>
      {list.firstPage && <OutcomeNotes outcome={list.firstPage} />}
      <Paper withBorder>
        <ul className="search-results" aria-label={searchText.results}>
          {list.items.map((message) => (
            <ResultRow key={message.id} message={message} inbox={inboxAddress(message.inbox_id)} />
          ))}
        </ul>
      </Paper>
    </ListFrame>
  );
}

function ResultRow({ message, inbox }: { message: ListedMessage; inbox: string }) {
  const { id, thread_id, subject, snippet, score, created_at, direction, attachments } = message;
  const parts = score === undefined ? [{ text: snippet, isMatch: false }] : readSnippet(snippet);
  let at = 0;
  return (
    <li className="thread-row" data-row>
      <Link to={threadPath(thread_id, id)} className="thread-link">
        <span className="thread-who">
          <span className="thread-people">{otherParty(message)}</span>
        </span>
        <span className="thread-time">
          {attachments.length > 0 && (
            <IconPaperclip size={14} role="img" aria-label={searchText.hasFiles(attachments.length)} />
          )}
          <Time value={created_at} />
        </span>
        <span className="thread-subject">{subject || searchText.noSubject}</span>
        <span className="thread-more">
          <span className="thread-snippet">
            {matchedFiles(message)}
            {parts.map(({ text, isMatch }) => {
              at += text.length;
              return isMatch ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>;
            })}
          </span>
        </span>
        <span className="thread-facts">
          {searchText.direction[direction]}
          <span className="thread-inbox" title={inbox}>
            {inbox.split('@')[0]}
          </span>
        </span>
      </Link>
    </li>
  );
}

function otherParty({ direction, from_name, from_addr, to_addrs }: ListedMessage): string {
  if (direction === 'outbound') return searchText.toAddresses(to_addrs.slice(0, shownRecipients).join(', '));
  return from_name === null ? from_addr : `${from_name} <${from_addr}>`;
}

function matchedFiles({ attachments, matched_attachments = [] }: ListedMessage): string {
  const names = attachments.flatMap(({ id, filename }) =>
    matched_attachments.includes(id) ? [filename] : [],
  );
  return names.length === 0 ? '' : `${searchText.matchedFiles(names.join(', '))}${partsText.separator}`;
}

function OutcomeNotes({
  outcome: { fallback_reason, ranked_within },
}: {
  outcome: Pick<MessagePage, 'fallback_reason' | 'ranked_within'>;
}) {
  return (
    <>
      {fallback_reason !== undefined && (
        <Alert color="yellow" role="status" mb="sm" p="xs" className="console-warning">
          {searchText.fallback[fallback_reason]}
        </Alert>
      )}
      {ranked_within !== undefined && (
        <Text variant="detail" mb="xs">
          {searchText.rankedWithin(shortTime(ranked_within))}
        </Text>
      )}
    </>
  );
}
