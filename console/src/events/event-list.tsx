import './events.css';
import { Button, Group, Paper, Text } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import type { PostriderEvent } from 'postrider';
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { eventKindText, eventsText } from '#strings/events.ts';
import { partsText } from '#strings/parts.ts';
import type { ItemPage } from '../lib/paging.ts';
import { itemsIn, useList } from '../lib/query.ts';
import { useSession } from '../lib/session.ts';
import { useInboxAddress } from '../lib/shared-queries.ts';
import { useRowKeys } from '../lib/shortcuts.ts';
import { exactTime, fullTime } from '../lib/times.ts';
import { apiSnippets } from '../parts/code-block.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { ListFrame } from '../parts/list-frame.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { EventFacts, readReason } from './event-facts.tsx';
import { eventsMax } from './tail.ts';
import { type EventFilters, type LiveTail, readKinds } from './use-tail.ts';

interface EventListProps {
  filters: EventFilters;
  tail: LiveTail;
  openId: string;
  onOpen(id: string): void;
  onClear(): void;
  /** Starts again with the current log. */
  onRestart(): void;
}

/** The events that came since the page is open, and below them those of the log. */
export function EventList(props: EventListProps) {
  const { filters, tail, openId, onOpen, onClear, onRestart } = props;
  const past = usePastEvents(filters, tail.hasBegun);
  const events = useMemo(() => {
    // After a gap the log would continue in the wrong place.
    if (tail.isCut) return tail.shown;
    const shown = new Set(tail.shown.map(({ id }) => id));
    const waiting = new Set(tail.waiting.map(({ id }) => id));
    return [...tail.shown, ...past.items.filter(({ id }) => !shown.has(id) && !waiting.has(id))];
  }, [tail, past.items]);
  useRowKeys();
  const toggle = useToggle(openId, onOpen);
  const inboxAddress = useInboxAddress();
  const clear = Object.values(filters).some((value) => value !== '') ? onClear : undefined;
  const hasMore = !tail.isCut && past.hasMore && events.length < eventsMax;
  return (
    <ListFrame list={{ ...past, items: events, hasMore }} empty={<NoEvents />} onClear={clear}>
      <Paper withBorder style={{ overflow: 'hidden' }}>
        <ul className="console-events console-rows" aria-label={eventsText.title}>
          {events.map((event) => (
            <EventRow
              key={event.id}
              event={event}
              inboxName={inboxAddress(event.inbox_id)}
              isOpen={event.id === openId}
              onToggle={toggle}
            />
          ))}
        </ul>
      </Paper>
      {tail.isCut && <CutNote onRestart={onRestart} />}
    </ListFrame>
  );
}

/** Reads the event log, newest first. Each use reads it anew, because what happened between two uses would be missing. */
function usePastEvents(filters: EventFilters, enabled: boolean) {
  const [openedAt] = useState(() => performance.now());
  const { kinds, inbox, before } = filters;
  const query = {
    events: readKinds(kinds),
    inbox_id: inbox || undefined,
    before: before || undefined,
    limit: 50,
  };
  return useList(
    ['event-log', filters, openedAt],
    async ({ ask }, cursor) => {
      const page = await itemsIn('events', ask('records.events', { query: { ...query, cursor } }));
      return page as ItemPage<PostriderEvent>;
    },
    { enabled },
  );
}

/** A function that stays the same, so that rows are not drawn again for it. */
function useToggle(openId: string, onOpen: (id: string) => void): (id: string) => void {
  const latest = useRef({ openId, onOpen });
  useEffect(() => {
    latest.current = { openId, onOpen };
  });
  return useCallback((id) => {
    const { openId: open, onOpen: change } = latest.current;
    change(id === open ? '' : id);
  }, []);
}

function CutNote({ onRestart }: { onRestart(): void }) {
  return (
    <Group justify="center" py="md" gap="sm">
      <Text c="dimmed">{eventsText.left(eventsMax)}</Text>
      <Button size="xs" variant="default" onClick={onRestart}>
        {eventsText.readLog}
      </Button>
    </Group>
  );
}

function NoEvents() {
  const { api_url } = useSession().server;
  const snippets = apiSnippets(api_url, {
    path: '/events?after=latest&wait_seconds=20',
    sdk: 'for await (const event of client.events.stream()) console.log(event.event, event.message?.subject);',
  });
  return <EmptyState {...eventsText.empty} picture="mail" snippets={snippets} />;
}

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

/** One event, which opens to its fields. It is drawn again only when something about it changes. */
const EventRow = memo(function EventRow({ event, inboxName, isOpen, onToggle }: EventRowProps) {
  const { id, event: kind, created_at } = event;
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
          <EventFacts event={event} json={JSON.stringify(event, null, 2)} />
        </div>
      )}
    </li>
  );
});

function summarizeEvent(event: PostriderEvent): string {
  const { message } = event;
  const reason = readReason(event);
  if (event.event === 'draft.failed') return reason;
  const subject = message === null ? eventsText.gone : message.subject || eventsText.noSubject;
  if (event.event === 'message.received')
    return message === null ? subject : `${subject} · ${eventsText.from(message.from_addr)}`;
  const to = 'recipient' in event && event.recipient !== null ? eventsText.to(event.recipient) : '';
  return [subject, to, reason].filter((part) => part !== '').join(partsText.separator);
}
