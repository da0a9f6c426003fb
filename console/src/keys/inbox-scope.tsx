import { Input, SegmentedControl, Stack } from '@mantine/core';
import { keysText } from '#strings/keys.ts';
import { InboxSelect } from '../parts/inbox-select.tsx';

const text = keysText.limits;

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
        {value !== null && (
          <InboxSelect
            aria-label={text.chosenInboxes}
            placeholder={text.chooseInboxes}
            value={value}
            onChange={onChange}
          />
        )}
      </Stack>
    </Input.Wrapper>
  );
}
