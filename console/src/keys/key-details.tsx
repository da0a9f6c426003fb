import { Stack } from '@mantine/core';
import type { ApiKey } from '@postrider/contract/console';
import { useState } from 'react';
import { keysText } from '#strings/keys.ts';
import { useChange } from '../lib/query.ts';
import { FactList } from '../parts/fact-list.tsx';
import { ApiForm } from '../parts/form-dialog.tsx';
import { Time } from '../parts/time.tsx';
import { notifyHeld } from '../sending/describe-policy.tsx';
import { KeyFields } from './key-fields.tsx';
import { type KeyLimits, keyLists, pickLimits } from './key-limits.ts';

const { details: text, limits } = keysText;

/** The opened row of a key: its creator, and its limits, which can be changed while it is in force. */
export function KeyDetails({ apiKey }: { apiKey: ApiKey }) {
  const { id, created_at, created_by, last_used_at, revoked_at } = apiKey;
  return (
    <Stack gap="md" maw={760}>
      <FactList
        facts={[
          { name: text.id, value: id, copy: id },
          { name: keysText.columns.created, value: <Time value={created_at} absolute /> },
          { name: keysText.columns.creator, value: created_by?.name ?? keysText.byServer },
          {
            name: keysText.columns.used,
            value: last_used_at === null ? keysText.neverUsed : <Time value={last_used_at} absolute />,
          },
        ]}
      />
      {revoked_at === null && <LimitsForm apiKey={apiKey} />}
    </Stack>
  );
}

function LimitsForm({ apiKey }: { apiKey: ApiKey }) {
  const { id, name } = apiKey;
  const [typed, setTyped] = useState(pickLimits(apiKey));
  const { mutateAsync } = useChange(
    ({ ask }, body: KeyLimits) => ask('keys.update', { params: { id }, body }),
    keyLists,
  );
  const isIncomplete = typed.inbox_ids?.length === 0;
  return (
    <ApiForm
      submit={text.save}
      isDisabled={isIncomplete}
      beside={isIncomplete && <span role="status">{limits.chooseInboxes}</span>}
      onSubmit={() => mutateAsync(typed)}
      done={() => text.saved(name)}
      onDone={({ held_webhooks }) => notifyHeld(held_webhooks)}
    >
      <KeyFields value={typed} onChange={setTyped} />
    </ApiForm>
  );
}
