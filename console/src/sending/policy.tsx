import { Button, Group, Stack, Text } from '@mantine/core';
import type { PolicyIn, PolicyLevel } from '@postrider/contract';
import type { HeldWebhook, PolicyEntry } from '@postrider/contract/console';
import { type FormEvent, type ReactNode, useState } from 'react';
import { pauseText } from '#strings/pause.ts';
import { policyText, sendingText } from '#strings/sending.ts';
import { useSetPolicy } from '../control/control-queries.ts';
import { useIsOwner, useWorkspace } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { FormActions } from '../parts/form-dialog.tsx';
import { notify } from '../parts/notify.ts';
import { OwnersOnly } from '../parts/owners-only.tsx';
import { Panel } from '../parts/panel.tsx';
import { Time } from '../parts/time.tsx';
import { notifyHeld, PolicySummary } from './describe-policy.tsx';
import { PolicyFields } from './policy-fields.tsx';

const text = sendingText.workspace;

/** The policy of the workspace. Owners change it. */
export function WorkspacePolicy({ entry }: { entry: PolicyEntry | null }) {
  const { workspace_id, title } = useWorkspace();
  const isOwner = useIsOwner();
  const lines = entry?.lines ?? {};
  return (
    <Panel title={text.title(title)} about={text.about}>
      {isOwner ? (
        <PolicyForm level="workspace" id={workspace_id} lines={lines} saved={text.saved} />
      ) : (
        <>
          <PolicySummary lines={lines} />
          <OwnersOnly>{null}</OwnersOnly>
        </>
      )}
      {entry && (
        <Text variant="note">
          {text.changed} <ChangedBy entry={entry} />
        </Text>
      )}
    </Panel>
  );
}

interface PolicyFormProps {
  level: PolicyLevel;
  id: string;
  lines: PolicyIn;
  /** The words of the notice after it was saved. */
  saved: string;
  /** Closes the dialog that the form is in; left out on a page. */
  onClose?: () => void;
  children?: ReactNode;
}

/** The form with the policy of a place. */
export function PolicyForm({ level, id, lines, saved, onClose, children }: PolicyFormProps) {
  const [typed, setTyped] = useState(lines);
  const [known, setKnown] = useState(lines);
  // On a page, the value of the server, even if somebody else changed it, replaces the typed one.
  if (!onClose && JSON.stringify(lines) !== JSON.stringify(known)) {
    setKnown(lines);
    setTyped(lines);
  }
  const { mutate, isPending, error } = useSetPolicy();
  const { save } = policyText.form;
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const onSuccess = ({ held_webhooks }: { held_webhooks: HeldWebhook[] }) => {
      void notify({ message: saved });
      notifyHeld(held_webhooks);
      onClose?.();
    };
    mutate({ level, id, lines: typed }, { onSuccess });
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        {children}
        <PolicyFields value={typed} onChange={setTyped} />
        {error && <ApiProblem error={error} />}
        {onClose ? (
          <FormActions submit={save} isPending={isPending} onCancel={onClose} />
        ) : (
          <Group justify="flex-end">
            <Button type="submit" loading={isPending}>
              {save}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

/** The time at which a policy was changed, and who changed it. */
export function ChangedBy({ entry: { updated_at, updated_by } }: { entry: PolicyEntry }) {
  const { operator, by } = pauseText.bar;
  return (
    <>
      <Time value={updated_at} />
      {updated_by === null ? operator : by(updated_by.name)}
    </>
  );
}
