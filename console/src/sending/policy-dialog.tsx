import { Alert, Modal, SegmentedControl, Select, Skeleton, Stack } from '@mantine/core';
import { useState } from 'react';
import { policyText, sendingText } from '#strings/sending.ts';
import { useEffectivePolicy } from '../control/control-queries.ts';
import { useInboxChoice, useKeyNames } from '../lib/shared-queries.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { PolicyForm } from './policy.tsx';

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
  const { level, id, name } = place;
  return (
    <PolicyForm {...{ level, id, onClose }} lines={data.places[level]} saved={text.saved(name)}>
      <Alert color="gray">{policyText.form.stricter}</Alert>
      {isInbox && <Alert color="yellow">{text.notOthers}</Alert>}
    </PolicyForm>
  );
}

const shownMax = 50;

interface SubjectFieldProps {
  level: 'inbox' | 'key';
  /** The id; empty for none. */
  value: string;
  placeholder: string;
  onChange(subject: { id: string; name: string } | null): void;
}

/** Chooses an inbox or a key that is in force. */
export function SubjectField({ level, value, placeholder, onChange }: SubjectFieldProps) {
  const { data: inboxes = [] } = useInboxChoice();
  const keys = useKeyNames();
  const choices =
    level === 'inbox'
      ? inboxes.map(({ id, address }) => ({ id, name: address }))
      : keys.filter(({ revoked_at }) => revoked_at === null).map(({ id, name }) => ({ id, name }));
  return (
    <Select
      aria-label={sendingText.dialog[level]}
      placeholder={placeholder}
      data={choices.map(({ id, name }) => ({ value: id, label: name }))}
      value={value || null}
      onChange={(id) => onChange(choices.find((choice) => choice.id === id) ?? null)}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': sendingText.dialog.choose }}
      limit={shownMax}
    />
  );
}
