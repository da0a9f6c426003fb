import { Select } from '@mantine/core';
import { sendingText } from '#strings/sending.ts';
import { useInboxChoice, useKeyNames } from '../lib/shared-queries.ts';

const shownMax = 50;

interface SubjectFieldProps {
  level: 'inbox' | 'key';
  /** The id; empty for none. */
  value: string;
  placeholder: string;
  onChange(subject: { id: string; name: string } | null): void;
}

/** Chooses an inbox or a key that is in force. */
export function SubjectField({ level, value, placeholder, onChange }: SubjectFieldProps) {
  const { data: inboxes = [] } = useInboxChoice();
  const keys = useKeyNames();
  const choices =
    level === 'inbox'
      ? inboxes.map(({ id, address }) => ({ id, name: address }))
      : keys.filter(({ revoked_at }) => revoked_at === null).map(({ id, name }) => ({ id, name }));
  return (
    <Select
      aria-label={sendingText.dialog[level]}
      placeholder={placeholder}
      data={choices.map(({ id, name }) => ({ value: id, label: name }))}
      value={value || null}
      onChange={(id) => onChange(choices.find((choice) => choice.id === id) ?? null)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': sendingText.dialog.choose }}
      limit={shownMax}
    />
  );
}
