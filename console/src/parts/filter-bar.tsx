import { Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { fromLocalInput, toLocalInput } from '../lib/local-time.ts';
import { useShortcuts } from '../lib/shortcuts.ts';

/** The filters above a list. */
export function FilterBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Group component="search" aria-label={label} gap="xs" mb="sm">
      {children}
    </Group>
  );
}

interface FilterSelectProps {
  label: string;
  value: string;
  onChange(value: string): void;
  options: { value: string; label: string }[];
}

/** A filter with a few values. */
export function FilterSelect({ label, value, onChange, options }: FilterSelectProps) {
  return (
    <NativeSelect
      size="xs"
      aria-label={label}
      title={label}
      value={value}
      data={options}
      maw={260}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface FilterBeforeProps {
  label: string;
  /** ISO 8601; empty for no end. */
  value: string;
  onChange(value: string): void;
}

/** A filter by the time before which a list begins, in the reader's zone. */
export function FilterBefore({ label, value, onChange }: FilterBeforeProps) {
  return (
    <TextInput
      size="xs"
      type="datetime-local"
      aria-label={label}
      title={label}
      leftSection={<Text size="xs">{label}</Text>}
      leftSectionWidth={54}
      value={toLocalInput(value)}
      onChange={({ currentTarget }) => onChange(fromLocalInput(currentTarget.value))}
    />
  );
}

interface FilterTextProps {
  label: string;
  value: string;
  onChange(value: string): void;
}

const typingMs = 300;

/** A filter by text, which applies when the typing stops. The key `/` leads to it. */
export function FilterText({ label, value, onChange }: FilterTextProps) {
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
  }, [typed, onChange]);
  return (
    <TextInput
      ref={field}
      size="xs"
      type="search"
      aria-label={label}
      placeholder={label}
      maxLength={300}
      w={220}
      leftSection={<IconSearch size={14} aria-hidden />}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
    />
  );
}
