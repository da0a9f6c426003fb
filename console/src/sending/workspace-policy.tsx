import { Button, Group, Stack, Text } from '@mantine/core';
import type { PolicyIn } from '@postrider/contract';
import type { HeldWebhook, PolicyEntry } from '@postrider/contract/console';
import { type FormEvent, useState } from 'react';
import { pauseText } from '#strings/pause.ts';
import { policyText, sendingText } from '#strings/sending.ts';
import { useIsOwner, useWorkspace } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { notify } from '../parts/notify.ts';
import { OwnersOnly } from '../parts/owners-only.tsx';
import { Panel } from '../parts/panel.tsx';
import { Time } from '../parts/time.tsx';
import { notifyHeld } from './notify-held.ts';
import { PolicyFields } from './policy-fields.tsx';
import { PolicySummary } from './policy-summary.tsx';
import { useSetPolicy } from './sending-queries.ts';

const text = sendingText.workspace;

/** The policy of the workspace. Owners change it. */
export function WorkspacePolicy({ entry }: { entry: PolicyEntry | null }) {
  const { title } = useWorkspace();
  const isOwner = useIsOwner();
  const lines = entry?.lines ?? {};
  return (
    <Panel title={text.title(title)} about={text.about}>
      {isOwner ? (
        <WorkspaceForm lines={lines} />
      ) : (
        <>
          <PolicySummary lines={lines} />
          <OwnersOnly>{null}</OwnersOnly>
        </>
      )}
      {entry && (
        <Text size="sm" c="dimmed">
          {text.changed} <ChangedBy entry={entry} />
        </Text>
      )}
    </Panel>
  );
}

function WorkspaceForm({ lines }: { lines: PolicyIn }) {
  const { workspace_id: id } = useWorkspace();
  const [typed, setTyped] = useState(lines);
  const [known, setKnown] = useState(lines);
  // The value of the server, even if somebody else changed it, replaces the typed one.
  if (JSON.stringify(lines) !== JSON.stringify(known)) {
    setKnown(lines);
    setTyped(lines);
  }
  const { mutate, isPending, error } = useSetPolicy();
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const onSuccess = ({ held_webhooks }: { held_webhooks: HeldWebhook[] }) => {
      void notify({ message: text.saved });
      notifyHeld(held_webhooks);
    };
    mutate({ level: 'workspace', id, lines: typed }, { onSuccess });
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <PolicyFields value={typed} onChange={setTyped} />
        {error && <ApiProblem error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            {policyText.form.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The time at which a policy was changed, and who changed it. */
export function ChangedBy({ entry: { updated_at, updated_by } }: { entry: PolicyEntry }) {
  const text = pauseText.bar;
  return (
    <>
      <Time value={updated_at} />
      {updated_by === null ? text.operator : text.by(updated_by.name)}
    </>
  );
}
