import { Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useShortcuts } from '../lib/shortcuts.ts';
import { fromLocalInput, toLocalInput } from '../lib/times.ts';
import { type UrlState, useUrlState } from '../lib/use-url-state.ts';
import type { FieldProps } from '../parts/form-dialog.tsx';
import { InboxFilter } from '../parts/inbox-filter.tsx';

/** A filter of a list. Its value is the field `name` of the address. */
export type Filter<State extends UrlState> = { name: keyof State & string } & (
  | { kind: 'text'; label: string }
  | { kind: 'choice'; label: string; all: string; options: Record<string, string> }
  | { kind: 'inbox' }
  /** A time before which the list begins, in the reader's zone. */
  | { kind: 'before'; label: string }
);

/** Returns a filter by one of several values. `all` is the name of no choice, and `options` has the names of the values. */
export function choice<Name extends string>(
  name: Name,
  label: string,
  all: string,
  options: Record<string, string>,
) {
  return { kind: 'choice', name, label, all, options } as const;
}

/** The filters of a list, and the ways to change them. */
export interface Filters<State extends UrlState> {
  state: State;
  change(changed: Partial<State>): void;
  /** Clears all filters; left out while none is set. */
  clear: (() => void) | undefined;
}

/** Reads the filters of a list from the address. `empty` has the value of each that is not set, and must be a constant. */
export function useFilters<State extends UrlState>(empty: State): Filters<State> {
  const [state, change] = useUrlState(empty);
  const isSet = Object.entries(empty).some(([name, value]) => state[name] !== value);
  return { state, change, clear: isSet ? () => change(empty) : undefined };
}

interface FilterBarProps<State extends UrlState> {
  label: string;
  filters: Filters<State>;
  fields: Filter<State>[];
}

/** The filters above a list. */
export function FilterBar<State extends UrlState>({ label, filters, fields }: FilterBarProps<State>) {
  return (
    <FilterGroup label={label}>
      {fields.map((field) => (
        <FilterField
          key={field.name}
          field={field}
          value={filters.state[field.name] ?? ''}
          onChange={(value) => filters.change({ [field.name]: value } as Partial<State>)}
        />
      ))}
    </FilterGroup>
  );
}

/** A line of fields that filter a list. */
export function FilterGroup({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group component="search" aria-label={label} gap="xs" mb="sm">
      {children}
    </Group>
  );
}

/** On a phone, the fields of a line share it. */
const fieldWidths = { base: '1 1 140px', xs: '0 1 auto' };

function FilterField<State extends UrlState>({
  field,
  ...props
}: FieldProps<string> & { field: Filter<State> }) {
  if (field.kind === 'inbox') return <InboxFilter {...props} />;
  if (field.kind === 'text') return <FilterText label={field.label} {...props} />;
  if (field.kind === 'before') return <FilterBefore label={field.label} {...props} />;
  return (
    <NativeSelect
      size="xs"
      aria-label={field.label}
      title={field.label}
      value={props.value}
      data={listOptions(field, props.value)}
      flex={fieldWidths}
      maw={{ xs: 260 }}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
    />
  );
}

/** A value of the address that is no longer among the options, such as somebody who left, is an option all the same. */
function listOptions({ all, options }: { all: string; options: Record<string, string> }, value: string) {
  const known = { '': all, ...options };
  const shown = Object.hasOwn(known, value) ? known : { ...known, [value]: value };
  return Object.entries(shown).map(([key, label]) => ({ value: key, label }));
}

/** A filter by the time before which a list begins, in the reader's zone. The value is in ISO 8601; empty for no end. */
export function FilterBefore({ label, value, onChange }: FieldProps<string> & { label: string }) {
  return (
    <TextInput
      size="xs"
      type="datetime-local"
      aria-label={label}
      title={label}
      leftSection={<Text size="xs">{label}</Text>}
      leftSectionWidth={54}
      flex={fieldWidths}
      value={toLocalInput(value)}
      onChange={({ currentTarget }) => onChange(fromLocalInput(currentTarget.value))}
    />
  );
}

const typingMs = 300;

/** A filter by text, which applies when the typing stops. The key `/` leads to it. */
function FilterText({ label, value, onChange }: FieldProps<string> & { label: string }) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  useShortcuts({ '/': () => field.current?.focus() });
  useEffect(() => {
    // Another value in the address, such as after the back button or "clear", is shown.
    if (value !== sent.current) setTyped(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (typed === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed;
      onChange(typed);
    }, typingMs);
    return () => clearTimeout(timer);
  });
  return (
    <TextInput
      ref={field}
      size="xs"
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={300}
      flex={{ base: '1 1 100%', xs: '0 1 260px' }}
      leftSection={<IconSearch size={14} aria-hidden />}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}
