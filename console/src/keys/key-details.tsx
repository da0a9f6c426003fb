import { Button, Group, Stack } from '@mantine/core';
import type { ApiKey, HeldWebhook } from '@postrider/contract/console';
import { type FormEvent, useState } from 'react';
import { keysText } from '#strings/keys.ts';
import { useChange } from '../lib/query.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { FactList } from '../parts/fact-list.tsx';
import { notify } from '../parts/notify.ts';
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
  const [typed, setTyped] = useState(pickLimits(apiKey));
  const { mutate, isPending, error } = useChange(
    ({ ask }, { id, ...body }: { id: string } & KeyLimits) => ask('keys.update', { params: { id }, body }),
    keyLists,
  );
  const isIncomplete = typed.inbox_ids?.length === 0;
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const onSuccess = ({ held_webhooks }: { held_webhooks: HeldWebhook[] }) => {
      void notify({ message: text.saved(apiKey.name) });
      notifyHeld(held_webhooks);
    };
    mutate({ id: apiKey.id, ...typed }, { onSuccess });
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <KeyFields value={typed} onChange={setTyped} />
        {error && <ApiProblem error={error} />}
        <Group>
          <Button type="submit" loading={isPending} disabled={isIncomplete}>
            {text.save}
          </Button>
          {isIncomplete && <span role="status">{limits.chooseInboxes}</span>}
        </Group>
      </Stack>
    </form>
  );
}
