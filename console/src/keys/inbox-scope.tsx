import { Input, MultiSelect, SegmentedControl, Stack } from '@mantine/core';
import type { consoleLimits } from '@postrider/contract/console';
import { keysText } from '#strings/keys.ts';
import { partsText } from '#strings/parts.ts';
import { useInboxChoice } from '../lib/inboxes.ts';

const text = keysText.limits;
const inboxesMax: (typeof consoleLimits)['inboxesPerKeyMax'] = 100;
const shownMax = 50;

interface InboxScopeProps {
  /** Null for all inboxes. */
  value: string[] | null;
  onChange(ids: string[] | null): void;
}

/** The inboxes for which a key is: all, or some. */
export function InboxScope({ value, onChange }: InboxScopeProps) {
  return (
    <Input.Wrapper label={text.inboxes} labelElement="div" description={text.inboxesHelp}>
      <Stack gap="xs" mt="xs">
        <SegmentedControl
          aria-label={text.inboxes}
          data={[
            { value: 'all', label: text.allInboxes },
            { value: 'some', label: text.someInboxes },
          ]}
          value={value === null ? 'all' : 'some'}
          onChange={(next) => onChange(next === 'all' ? null : [])}
          style={{ alignSelf: 'flex-start' }}
        />
        {value !== null && <ChosenInboxes value={value} onChange={onChange} />}
      </Stack>
    </Input.Wrapper>
  );
}

function ChosenInboxes({ value, onChange }: { value: string[]; onChange(ids: string[]): void }) {
  const { data: inboxes = [] } = useInboxChoice();
  const known = inboxes.map(({ id, address }) => ({ value: id, label: address }));
  const unknown = value.filter((id) => !inboxes.some((inbox) => inbox.id === id));
  return (
    <MultiSelect
      aria-label={text.chosenInboxes}
      placeholder={value.length === 0 ? text.chooseInboxes : ''}
      data={[...known, ...unknown.map((id) => ({ value: id, label: id }))]}
      value={value}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': partsText.clear }}
      maxValues={inboxesMax}
      limit={shownMax}
      hidePickedOptions
    />
  );
}
