import { MultiSelect, type MultiSelectProps, Select } from '@mantine/core';
import type { consoleLimits } from '@postrider/contract/console';
import { partsText } from '#strings/parts.ts';
import { useInboxChoice } from '../lib/shared-queries.ts';
import type { FieldProps } from './form-dialog.tsx';

const inboxesMax: (typeof consoleLimits)['inboxesPerKeyMax'] = 100;
const shownMax = 50;

/** Limits a list to the inbox with an id; empty for all. */
export function InboxFilter({ value, onChange }: FieldProps<string>) {
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
      className="console-choice"
      flex="1 1 140px"
      maw={180}
    />
  );
}

type InboxSelectProps = FieldProps<string[]> &
  Pick<MultiSelectProps, 'label' | 'description' | 'aria-label'> & { placeholder: string };

/** Lets people choose inboxes by their addresses, at most as many as a key or a webhook may have. Its value has their ids. */
export function InboxSelect({ value, placeholder, ...props }: InboxSelectProps) {
  const { data: inboxes = [] } = useInboxChoice();
  const known = inboxes.map(({ id, address }) => ({ value: id, label: address }));
  const unknown = value.filter((id) => !inboxes.some((inbox) => inbox.id === id));
  return (
    <MultiSelect
      {...props}
      placeholder={value.length === 0 ? placeholder : ''}
      data={[...known, ...unknown.map((id) => ({ value: id, label: id }))]}
      value={value}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': partsText.clear }}
      maxValues={inboxesMax}
      limit={shownMax}
      hidePickedOptions
    />
  );
}
