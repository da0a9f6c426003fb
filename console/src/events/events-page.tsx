import { Button } from '@mantine/core';
import { useState } from 'react';
import { eventsText } from '#strings/events.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { PageHeader } from '../parts/page-header.tsx';
import { EventFilterBar } from './event-filter-bar.tsx';
import { EventList } from './event-list.tsx';
import type { EventFilters } from './event-queries.ts';
import { PauseButton, TailState } from './tail-controls.tsx';
import { useTail } from './use-tail.ts';

const noFilters = { kinds: '', inbox: '', before: '' };
const start = { ...noFilters, open: '' };

/** The event log: what happens now, and what happened before. */
export function EventsPage() {
  const [{ open, ...filters }, change] = useUrlState(start);
  const [restarts, setRestarts] = useState(0);
  return (
    <Follower
      // Other filters begin anew, with the log as it is then.
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
