import { Select } from '@mantine/core';
import type { Inbox } from 'postrider';
import { composeText } from '#strings/compose.ts';

const shownMax = 50;

interface InboxFieldProps {
  inboxes: Inbox[];
  value: string;
  onChange(inboxId: string): void;
}

/** The inbox that sends, found by its address or name. */
export function InboxField({ inboxes, value, onChange }: InboxFieldProps) {
  return (
    <Select
      label={composeText.from}
      placeholder={composeText.fromPlaceholder}
      data={inboxes.map(({ id, address, display_name }) => ({
        value: id,
        label: display_name === null ? address : `${display_name} <${address}>`,
      }))}
      value={value === '' ? null : value}
      onChange={(id) => id !== null && onChange(id)}
      allowDeselect={false}
      searchable={inboxes.length > 1}
      limit={shownMax}
      size="sm"
    />
  );
}
