import { Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import { searchText } from '#strings/search.ts';
import { useLabels } from '../mail/labels/label-queries.ts';
import { InboxFilter } from '../parts/inbox-filter.tsx';
import { modes, readMode, type SearchState } from './search-state.ts';

const text = searchText.filters;
const directions = ['', 'inbound', 'outbound'] as const;
const directionNames = { '': text.anyDirection, inbound: text.inbound, outbound: text.outbound };

interface SearchFiltersProps {
  search: SearchState;
  onChange(change: Partial<SearchState>): void;
}

/** The mode and the filters of a search. */
export function SearchFilters({ search, onChange }: SearchFiltersProps) {
  const { inbox, label, direction, after, before } = search;
  const labels = useLabels().items;
  return (
    <Group gap="xs" align="flex-end">
      <SegmentedControl
        size="xs"
        aria-label={searchText.modes.label}
        data={modes.map((value) => ({ value, label: searchText.modes[value] }))}
        value={readMode(search)}
        onChange={(mode) => onChange({ mode })}
      />
      <SegmentedControl
        size="xs"
        aria-label={text.direction}
        data={directions.map((value) => ({ value, label: directionNames[value] }))}
        value={directions.find((each) => each === direction) ?? ''}
        onChange={(chosen) => onChange({ direction: chosen })}
      />
      <InboxFilter value={inbox} onChange={(id) => onChange({ inbox: id })} />
      <Select
        aria-label={text.label}
        placeholder={text.anyLabel}
        data={labels.map(({ id, name }) => ({ value: id, label: name }))}
        value={label === '' ? null : label}
        onChange={(id) => onChange({ label: id ?? '' })}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': searchText.clear }}
        limit={50}
        size="xs"
        w={130}
      />
      <DayField label={text.after} value={after} onChange={(day) => onChange({ after: day })} />
      <DayField label={text.before} value={before} onChange={(day) => onChange({ before: day })} />
    </Group>
  );
}

function DayField(props: { label: string; value: string; onChange(day: string): void }) {
  return (
    <TextInput
      type="date"
      size="xs"
      w={132}
      label={props.label}
      value={props.value}
      onChange={(event) => props.onChange(event.currentTarget.value)}
    />
  );
}
