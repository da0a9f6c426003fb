import { Button, Chip, Group } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { eventKindText, eventsText } from '#strings/events.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { FilterBefore, FilterGroup } from '../lists/filter-bar.tsx';
import { InboxFilter } from '../parts/inbox-filter.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { EventList } from './event-list.tsx';
import { type EventFilters, type LiveTail, readKinds, useTail } from './use-tail.ts';

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
      <PauseButton tail={tail} />
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

function TailState({ state, isPaused }: Pick<LiveTail, 'state' | 'isPaused'>) {
  if (isPaused) return <StatusBadge tone="waiting">{eventsText.paused}</StatusBadge>;
  const isOpen = state === 'open';
  return (
    <StatusBadge tone={isOpen ? 'good' : 'quiet'}>
      {isOpen ? eventsText.live : eventsText.connecting}
    </StatusBadge>
  );
}

function PauseButton({ tail: { isPaused, waitingCount, pause, resume } }: { tail: LiveTail }) {
  const Icon = isPaused ? IconPlayerPlay : IconPlayerPause;
  const name = waitingCount === 0 ? eventsText.resume : eventsText.resumeWith(waitingCount);
  return (
    <Button
      size="xs"
      variant={isPaused ? 'filled' : 'default'}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={isPaused ? resume : pause}
    >
      {isPaused ? name : eventsText.pause}
    </Button>
  );
}

function EventFilterBar({ filters, onChange }: Pick<FollowerProps, 'filters' | 'onChange'>) {
  return (
    <FilterGroup label={eventsText.title}>
      <Chip.Group
        multiple
        value={readKinds(filters.kinds) ?? []}
        onChange={(chosen) => onChange({ kinds: chosen.join(',') })}
      >
        <Group gap={6} role="group" aria-label={eventsText.kinds}>
          {Object.entries(eventKindText).map(([kind, { name, about }]) => (
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
