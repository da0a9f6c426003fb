import { CloseButton, Group, SegmentedControl, Select, TextInput } from '@mantine/core';
import type { limits } from '@postrider/contract';
import { IconSearch } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { partsText } from '#strings/parts.ts';
import { searchText } from '#strings/search.ts';
import { useLabels } from '../lib/shared-queries.ts';
import { InboxFilter } from '../parts/inbox-filter.tsx';
import { modes, readMode, type SearchState } from './search-state.ts';

const text = searchText.filters;
const charactersMax: (typeof limits)['searchQueryCharactersMax'] = 1_000;
const pauseMs = 300;
const directions = ['', 'inbound', 'outbound'] as const;
const directionNames = { '': text.anyDirection, inbound: text.inbound, outbound: text.outbound };

/** The mode and the filters of a search. */
export function SearchFilters(props: { search: SearchState; onChange(change: Partial<SearchState>): void }) {
  const { search, onChange } = props;
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
        className="console-choice"
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

interface WordsFieldProps {
  value: string;
  onChange(words: string): void;
  /** Called on the arrow down, which leads to the results. */
  onDown(): void;
}

/** The field for the words of a search. It searches after a short pause, and at once on Enter. The key `/` leads to it. */
export function WordsField({ value, onChange, onDown }: WordsFieldProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  // A change from elsewhere, such as the back button or a suggestion, replaces the typed text.
  if (value !== known) {
    setKnown(value);
    setTyped(value);
  }
  const take = (words: string) => {
    setKnown(words);
    onChange(words);
  };
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => take(typed), pauseMs);
    return () => clearTimeout(timer);
  });
  return (
    <search className="console-search">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          take(typed);
        }}
      >
        <TextInput
          data-search
          aria-label={searchText.label}
          aria-keyshortcuts="/"
          placeholder={searchText.placeholder}
          value={typed}
          maxLength={charactersMax}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            onDown();
          }}
          size="md"
          spellCheck={false}
          // People come to this page to type.
          autoFocus
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={
            typed !== '' && (
              <CloseButton size="sm" aria-label={partsText.clearSearch} onClick={() => take('')} />
            )
          }
        />
      </form>
    </search>
  );
}
