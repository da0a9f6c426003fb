import { Anchor, Paper, Stack, Text } from '@mantine/core';
import type { ListedMessage } from 'postrider';
import { Link } from 'react-router';
import { decisionsText } from '#strings/decisions.ts';
import { threadPath } from '../lib/mail-paths.ts';
import { useRead } from '../lib/query.ts';
import { recipientWord, statusTones, tellStory } from '../mail/message/plain-words.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';

const shownMax = 5;
const { sent: text } = decisionsText;

/** The newest mail that was sent to an address or a domain, and the progress of each. Nothing for other texts, or without such mail. */
export function SentMail({ query }: { query: string }) {
  const isParty = /^[^\s@]*@?[^\s@]+\.[^\s@]+$/.test(query);
  const { data } = useRead(
    ['messages', 'sent to', query],
    ({ api, signal }) => api.messages.list({ direction: 'outbound', to: query, limit: shownMax }, { signal }),
    { enabled: isParty, retry: false },
  );
  const messages = isParty ? (data?.messages ?? []) : [];
  if (messages.length === 0) return null;
  return (
    <Paper withBorder component="section" aria-label={text.title} p="md" mb="md">
      <Text fw={500}>{text.title}</Text>
      <Stack component="ul" gap="xs" my="xs" p={0} style={{ listStyle: 'none' }}>
        {messages.map((message) => (
          <SentMessage key={message.id} message={message} query={query.toLowerCase()} />
        ))}
      </Stack>
      <Text variant="note">{text.help}</Text>
    </Paper>
  );
}

function SentMessage({ message, query }: { message: ListedMessage; query: string }) {
  const { id, thread_id, subject, created_at } = message;
  const meant = message.recipients.filter(({ address }) => address.toLowerCase().endsWith(query));
  return (
    <li>
      <Anchor component={Link} to={threadPath(thread_id, id)}>
        {subject || text.noSubject}
      </Anchor>{' '}
      <Text span variant="detail">
        <Time value={created_at} absolute />
      </Text>
      {meant.map((recipient) => {
        const last = tellStory(message, recipient).at(-1);
        return (
          <div key={recipient.address}>
            <StatusBadge tone={statusTones[recipient.status]}>{recipientWord(recipient)}</StatusBadge>{' '}
            <Text span size="sm">
              {recipient.address}: {last?.sentence}
              {last?.said ? `. ${text.said(last.said)}` : ''}
            </Text>
          </div>
        );
      })}
    </li>
  );
}
