import { Button, Chip, Group } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { eventKindText, eventsText, eventText } from '#strings/events.ts';
import type { LiveState } from '../lib/use-live.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { FilterBefore, FilterGroup } from '../lists/filter-bar.tsx';
import { InboxFilter } from '../parts/inbox-filter.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { EventList } from './event-list.tsx';
import { type EventFilters, readKinds } from './event-queries.ts';
import { useTail } from './use-tail.ts';

const noFilters = { kinds: '', inbox: '', before: '' };
const start = { ...noFilters, open: '' };

/** The event log: what happens now, and what happened before. */
export function EventsPage() {
  const [{ open, ...filters }, change] = useUrlState(start);
  const [restarts, setRestarts] = useState(0);
  return (
    <Follower
      // Other filters start again with the current log.
      key={[...Object.values(filters), restarts].join(' ')}
      filters={filters}
      openId={open}
      onChange={change}
      onRestart={() => setRestarts(restarts + 1)}
    />
  );
}

interface FollowerProps {
  filters: EventFilters;
  openId: string;
  onChange(change: Partial<typeof start>): void;
  onRestart(): void;
}

function Follower({ filters, openId, onChange, onRestart }: FollowerProps) {
  const tail = useTail(filters, onRestart);
  const isLive = filters.before === '';
  const actions = isLive ? (
    <>
      <TailState state={tail.state} isPaused={tail.isPaused} />
      <PauseButton
        isPaused={tail.isPaused}
        waiting={tail.waitingCount}
        onPause={tail.pause}
        onResume={tail.resume}
      />
    </>
  ) : (
    <Button size="xs" onClick={() => onChange({ before: '' })}>
      {eventsText.backToLive}
    </Button>
  );
  return (
    <>
      <PageHeader title={eventsText.title} about={eventsText.about} actions={actions} />
      <EventFilterBar filters={filters} onChange={onChange} />
      <EventList
        filters={filters}
        tail={tail}
        openId={openId}
        onOpen={(open) => onChange({ open })}
        onClear={() => onChange(noFilters)}
        onRestart={onRestart}
      />
    </>
  );
}

/** Whether new events appear: the page is paused, or the connection is open or not. */
function TailState({ state, isPaused }: { state: LiveState; isPaused: boolean }) {
  if (isPaused) return <StatusBadge tone="waiting">{eventsText.paused}</StatusBadge>;
  return state === 'open' ? (
    <StatusBadge tone="good">{eventsText.live}</StatusBadge>
  ) : (
    <StatusBadge tone="quiet">{eventsText.connecting}</StatusBadge>
  );
}

interface PauseButtonProps {
  isPaused: boolean;
  waiting: number;
  onPause(): void;
  onResume(): void;
}

/** The button that pauses new events and resumes them. */
function PauseButton({ isPaused, waiting, onPause, onResume }: PauseButtonProps) {
  const Icon = isPaused ? IconPlayerPlay : IconPlayerPause;
  const name = waiting === 0 ? eventsText.resume : eventsText.resumeWith(waiting);
  return (
    <Button
      size="xs"
      variant={isPaused ? 'filled' : 'default'}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={isPaused ? onResume : onPause}
    >
      {isPaused ? name : eventsText.pause}
    </Button>
  );
}

interface EventFilterBarProps {
  filters: EventFilters;
  onChange(change: Partial<EventFilters>): void;
}

/** The filters of the event log. */
function EventFilterBar({ filters, onChange }: EventFilterBarProps) {
  const kinds = Object.entries(eventKindText);
  return (
    <FilterGroup label={eventsText.title}>
      <Chip.Group
        multiple
        value={readKinds(filters.kinds) ?? []}
        onChange={(chosen) => onChange({ kinds: chosen.join(',') })}
      >
        <Group gap={6} role="group" aria-label={eventText.kinds}>
          {kinds.map(([kind, { name, about }]) => (
            <Chip key={kind} value={kind} size="xs" title={about}>
              {name}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <InboxFilter value={filters.inbox} onChange={(inbox) => onChange({ inbox })} />
      <FilterBefore
        label={eventsText.before}
        value={filters.before}
        onChange={(before) => onChange({ before })}
      />
    </FilterGroup>
  );
}
