import { Select } from '@mantine/core';
import { partsText } from '#strings/parts.ts';
import { useInboxChoice } from '../lib/inboxes.ts';

const shownMax = 50;

interface InboxFilterProps {
  /** The id of the chosen inbox; empty for all. */
  value: string;
  onChange(id: string): void;
}

/** Limits a list to one inbox. */
export function InboxFilter({ value, onChange }: InboxFilterProps) {
  const { data = [] } = useInboxChoice();
  const isUnknown = value !== '' && !data.some(({ id }) => id === value);
  const choices = data.map(({ id, address }) => ({ value: id, label: address }));
  return (
    <Select
      aria-label={partsText.inbox}
      placeholder={partsText.allInboxes}
      data={isUnknown ? [{ value, label: value }, ...choices] : choices}
      value={value === '' ? null : value}
      onChange={(id) => onChange(id ?? '')}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': partsText.clearFilters }}
      limit={shownMax}
      size="xs"
      w={180}
    />
  );
}
