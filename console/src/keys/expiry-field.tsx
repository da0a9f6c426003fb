import { Input, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { keysText } from '#strings/keys.ts';
import { fromLocalInput, toLocalInput } from '../lib/local-time.ts';
import { inDays } from './key-limits.ts';

const text = keysText.limits;
const days = { days30: 30, days90: 90 } as const;
type Kind = 'never' | keyof typeof days | 'date';
const kinds: Kind[] = ['never', 'days30', 'days90', 'date'];

interface ExpiryFieldProps {
  /** ISO 8601; null for never. */
  value: string | null;
  onChange(time: string | null): void;
}

/** When a key ends. */
export function ExpiryField({ value, onChange }: ExpiryFieldProps) {
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
