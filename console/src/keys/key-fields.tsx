import './keys.css';
import { Stack, Switch } from '@mantine/core';
import { keysText } from '#strings/keys.ts';
import { PolicyFields } from '../sending/policy-fields.tsx';
import { ExpiryField } from './expiry-field.tsx';
import { InboxScope } from './inbox-scope.tsx';
import type { KeyLimits } from './key-limits.ts';

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
          <summary className="keys-summary">{text.policy}</summary>
          <Stack mt="sm">
            <PolicyFields value={value.policy} onChange={(policy) => change({ policy })} />
          </Stack>
        </details>
      )}
    </Stack>
  );
}
