import { Alert, Modal, SegmentedControl, Skeleton, Stack } from '@mantine/core';
import type { PolicyIn } from '@postrider/contract';
import { type FormEvent, useState } from 'react';
import { policyText, sendingText } from '#strings/sending.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { FormActions } from '../parts/form-dialog.tsx';
import { notify } from '../parts/notify.ts';
import { notifyHeld } from './notify-held.ts';
import { PolicyFields } from './policy-fields.tsx';
import { useEffectivePolicy, useSetPolicy } from './sending-queries.ts';
import { SubjectField } from './subject-field.tsx';

const text = sendingText.dialog;

/** An inbox or a key that a policy is for. */
export interface PolicyTarget {
  level: 'inbox' | 'key';
  id: string;
  name: string;
}

interface PolicyDialogProps {
  /** Null to choose one. */
  target: PolicyTarget | null;
  onClose(): void;
}

/** The dialog that sets the policy of an inbox or a key. */
export function PolicyDialog({ target, onClose }: PolicyDialogProps) {
  const [level, setLevel] = useState<PolicyTarget['level']>('inbox');
  const [chosen, setChosen] = useState<PolicyTarget | null>(null);
  const place = target ?? chosen;
  return (
    <Modal opened onClose={onClose} size="xl" title={target ? text.edit(target.name) : text.add}>
      <Stack gap="lg">
        {target === null && (
          <Stack gap="xs">
            <SegmentedControl
              aria-label={text.level}
              data={[
                { value: 'inbox', label: text.inbox },
                { value: 'key', label: text.key },
              ]}
              value={level}
              onChange={(next) => {
                setLevel(next as PolicyTarget['level']);
                setChosen(null);
              }}
            />
            <SubjectField
              level={level}
              value={chosen?.id ?? ''}
              placeholder={text.choose}
              onChange={(subject) => setChosen(subject && { level, ...subject })}
            />
          </Stack>
        )}
        {place && <PolicyOf key={place.id} place={place} onClose={onClose} />}
      </Stack>
    </Modal>
  );
}

/** The form of one place. The lines that it has already come first. */
function PolicyOf({ place, onClose }: { place: PolicyTarget; onClose(): void }) {
  const isInbox = place.level === 'inbox';
  const { data, error, isPlaceholderData } = useEffectivePolicy(
    isInbox ? place.id : '',
    isInbox ? '' : place.id,
  );
  if (error) return <ApiProblem error={error} />;
  if (!data || isPlaceholderData) return <Skeleton height={360} />;
  return <PolicyForm place={place} lines={data.places[place.level]} onClose={onClose} />;
}

interface PolicyFormProps {
  place: PolicyTarget;
  lines: PolicyIn;
  onClose(): void;
}

function PolicyForm({ place: { level, id, name }, lines, onClose }: PolicyFormProps) {
  const [typed, setTyped] = useState(lines);
  const { mutate, isPending, error } = useSetPolicy();
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    mutate(
      { level, id, lines: typed },
      {
        onSuccess: ({ held_webhooks }) => {
          void notify({ message: text.saved(name) });
          notifyHeld(held_webhooks);
          onClose();
        },
      },
    );
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="lg">
        <Alert color="gray">{policyText.form.stricter}</Alert>
        {level === 'inbox' && <Alert color="yellow">{text.notOthers}</Alert>}
        <PolicyFields value={typed} onChange={setTyped} />
        {error && <ApiProblem error={error} />}
        <FormActions submit={policyText.form.save} isPending={isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
