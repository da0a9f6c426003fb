import { Text } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import type { ListedMessage } from 'postrider';
import { Link } from 'react-router';
import { partsText } from '#strings/parts.ts';
import { searchText } from '#strings/search.ts';
import { threadPath } from '../lib/mail-paths.ts';
import { Time } from '../parts/time.tsx';
import { readSnippet } from './read-snippet.ts';

const shownRecipients = 3;

/** A message that a search found. The whole row leads to it. */
export function ResultRow({ message, inbox }: { message: ListedMessage; inbox: string }) {
  const { id, thread_id, subject, snippet, score, created_at, direction } = message;
  const parts = score === undefined ? [{ text: snippet, isMatch: false }] : readSnippet(snippet);
  const files = filesText(message);
  let at = 0;
  return (
    <li>
      <Link to={threadPath(thread_id, id)} className="search-result" data-result>
        <span className="search-result-line">
          <Text span size="sm" c="dimmed" truncate>
            {otherParty(message)}
          </Text>
          <Text span size="xs" c="dimmed">
            <Time value={created_at} />
          </Text>
        </span>
        <Text span fw={500} display="block" truncate>
          {subject || searchText.noSubject}
        </Text>
        <Text span size="sm" display="block" lineClamp={2} className="search-snippet">
          {parts.map(({ text, isMatch }) => {
            at += text.length;
            return isMatch ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>;
          })}
        </Text>
        <Text span size="xs" c="dimmed" className="search-result-facts">
          {[searchText.direction[direction], inbox].join(partsText.separator)}
          {files !== null && (
            <span className="search-files">
              <IconPaperclip size={12} aria-hidden /> {files}
            </span>
          )}
        </Text>
      </Link>
    </li>
  );
}

function otherParty({ direction, from_name, from_addr, to_addrs }: ListedMessage): string {
  if (direction === 'outbound') return searchText.toAddresses(to_addrs.slice(0, shownRecipients).join(', '));
  return from_name === null ? from_addr : `${from_name} <${from_addr}>`;
}

function filesText({ attachments, matched_attachments = [] }: ListedMessage): string | null {
  const matched = attachments.filter(({ id }) => matched_attachments.includes(id));
  if (matched.length > 0) return searchText.matchedFiles(matched.map(({ filename }) => filename).join(', '));
  return attachments.length === 0 ? null : searchText.hasFiles(attachments.length);
}
