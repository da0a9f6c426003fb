import { Input, SegmentedControl, Stack, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { keysText } from '#strings/keys.ts';
import { fromLocalInput, toLocalInput } from '../lib/times.ts';
import { InboxSelect } from '../parts/inbox-filter.tsx';
import { PolicyFields } from '../sending/policy-fields.tsx';
import { inDays, type KeyLimits } from './key-limits.ts';

const text = keysText.limits;

interface KeyFieldsProps {
  value: KeyLimits;
  onChange(limits: KeyLimits): void;
}

/** The limits of a key: its inboxes, whether it only reads, its end, and its policy. */
export function KeyFields({ value, onChange }: KeyFieldsProps) {
  const change = (part: Partial<KeyLimits>) => onChange({ ...value, ...part });
  return (
    <Stack gap="md">
      <InboxScope value={value.inbox_ids} onChange={(inbox_ids) => change({ inbox_ids })} />
      <Switch
        label={text.readOnly}
        description={text.readOnlyHelp}
        checked={value.read_only}
        onChange={({ currentTarget }) => change({ read_only: currentTarget.checked })}
      />
      <ExpiryField value={value.expires_at} onChange={(expires_at) => change({ expires_at })} />
      {!value.read_only && (
        <details>
          <summary style={{ paddingBlock: 4, fontWeight: 500, cursor: 'pointer' }}>{text.policy}</summary>
          <Stack mt="sm">
            <PolicyFields value={value.policy} onChange={(policy) => change({ policy })} />
          </Stack>
        </details>
      )}
    </Stack>
  );
}

interface InboxScopeProps {
  /** Null for all inboxes. */
  value: string[] | null;
  onChange(ids: string[] | null): void;
}

/** The inboxes for which a key is: all, or some. */
function InboxScope({ value, onChange }: InboxScopeProps) {
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

const days = { days30: 30, days90: 90 } as const;
type Kind = 'never' | keyof typeof days | 'date';
const kinds: Kind[] = ['never', 'days30', 'days90', 'date'];

interface ExpiryFieldProps {
  /** ISO 8601; null for never. */
  value: string | null;
  onChange(time: string | null): void;
}

/** The time at which a key expires. */
function ExpiryField({ value, onChange }: ExpiryFieldProps) {
  const [kind, setKind] = useState<Kind>(value === null ? 'never' : 'date');
  function choose(next: Kind) {
    setKind(next);
    if (next === 'never') onChange(null);
    else onChange(next === 'date' ? (value ?? inDays(7, Date.now())) : inDays(days[next], Date.now()));
  }
  return (
    <Input.Wrapper label={text.expiry} labelElement="div" description={text.expiryHelp}>
      <Stack gap="xs" mt="xs">
        <SegmentedControl<Kind>
          aria-label={text.expiry}
          data={kinds.map((one) => ({ value: one, label: text.expiries[one] }))}
          value={kind}
          onChange={choose}
          style={{ alignSelf: 'flex-start' }}
        />
        {kind === 'date' && (
          <TextInput
            type="datetime-local"
            aria-label={text.expiryDate}
            defaultValue={toLocalInput(value ?? '')}
            onChange={({ currentTarget }) => {
              const time = fromLocalInput(currentTarget.value);
              if (time !== '') onChange(time);
            }}
            required
            maw={240}
          />
        )}
      </Stack>
    </Input.Wrapper>
  );
}
