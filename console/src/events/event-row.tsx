import { Group, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import type { PostriderEvent } from 'postrider';
import { memo } from 'react';
import { Link } from 'react-router';
import { eventKindText, eventsText } from '#strings/events.ts';
import { threadPath } from '../lib/mail-paths.ts';
import { exactTime, fullTime } from '../lib/times.ts';
import { JsonBlock } from '../parts/json-block.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';

const tones: Record<PostriderEvent['event'], Tone> = {
  'message.received': 'quiet',
  'message.sent': 'good',
  'message.delivered': 'good',
  'message.bounced': 'bad',
  'message.complained': 'bad',
  'message.rejected': 'bad',
  'message.held': 'waiting',
  'message.deferred': 'waiting',
  'message.updated': 'quiet',
  'message.deleted': 'quiet',
  'draft.sent': 'good',
  'draft.failed': 'bad',
};

interface EventRowProps {
  event: PostriderEvent;
  inboxName: string;
  isOpen: boolean;
  onToggle(id: string): void;
}

/** One event, which opens to its JSON. It is drawn again only when something about it changes. */
export const EventRow = memo(function EventRow({ event, inboxName, isOpen, onToggle }: EventRowProps) {
  const { id, event: kind, created_at, thread_id } = event;
  return (
    <li data-row>
      <button type="button" className="console-event-row" aria-expanded={isOpen} onClick={() => onToggle(id)}>
        <IconChevronRight size={15} aria-hidden />
        <time className="console-event-time" dateTime={created_at} title={fullTime(created_at)}>
          {exactTime(created_at)}
        </time>
        <StatusBadge tone={tones[kind]}>{eventKindText[kind].name}</StatusBadge>
        <span className="console-event-text">{summarizeEvent(event)}</span>
        <span className="console-event-text console-event-inbox" title={inboxName}>
          {inboxName}
        </span>
      </button>
      {isOpen && (
        <div className="console-event-detail">
          <Group gap="md">
            <Text size="sm" c="dimmed">
              {eventKindText[kind].about}
            </Text>
            {event.message !== null && thread_id !== null && (
              <Link to={threadPath(thread_id, event.message.id)} className="console-event-link">
                {eventsText.thread}
              </Link>
            )}
          </Group>
          <JsonBlock label={eventsText.json} json={JSON.stringify(event)} />
        </div>
      )}
    </li>
  );
});

/** Returns what an event is about: the subject, and who the mail is from or to. */
function summarizeEvent(event: PostriderEvent): string {
  const { message } = event;
  if (event.event === 'draft.failed') return event.failure;
  const subject = message === null ? eventsText.gone : message.subject || eventsText.noSubject;
  if (event.event === 'message.received') {
    return message === null ? subject : `${subject} · ${eventsText.from(message.from_addr)}`;
  }
  const to = 'recipient' in event && event.recipient !== null ? ` · ${eventsText.to(event.recipient)}` : '';
  return `${subject}${to}${reasonText(event)}`;
}

function reasonText(event: PostriderEvent): string {
  if (event.event === 'message.bounced')
    return event.bounce.diagnostic ? ` · ${event.bounce.diagnostic}` : '';
  if (event.event === 'message.deferred') return event.detail ? ` · ${event.detail}` : '';
  if (event.event === 'message.updated') return ` · ${event.changed.join(', ')}`;
  return event.event === 'message.rejected' ? ` · ${event.reason}` : '';
}
