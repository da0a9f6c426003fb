import { Chip, Group } from '@mantine/core';
import { eventKindText, eventText } from '#strings/event-kinds.ts';
import { eventsText } from '#strings/events.ts';
import { FilterBar, FilterBefore } from '../parts/filter-bar.tsx';
import { InboxFilter } from '../parts/inbox-filter.tsx';
import { type EventFilters, readKinds } from './event-queries.ts';

interface EventFilterBarProps {
  filters: EventFilters;
  onChange(change: Partial<EventFilters>): void;
}

/** The filters of the event log. */
export function EventFilterBar({ filters, onChange }: EventFilterBarProps) {
  const kinds = Object.entries(eventKindText);
  return (
    <FilterBar label={eventsText.title}>
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
    </FilterBar>
  );
}
