import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import type { limits } from '@postrider/contract';
import { type FormEvent, useState } from 'react';
import { approvalText } from '#strings/approval.ts';
import { FormActions } from '../parts/form-actions.tsx';

const text = approvalText.refusal;
const reasonCharactersMax: (typeof limits)['approvalReasonCharactersMax'] = 1_000;

interface RefuseDialogProps {
  isOpen: boolean;
  /** How many messages are refused. */
  count?: number;
  onClose(): void;
  /** The reason is empty if the person gives none. */
  onRefuse(reason: string): void;
}

/** The dialog that asks why messages are refused. */
export function RefuseDialog({ isOpen, count = 1, onClose, onRefuse }: RefuseDialogProps) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={count === 1 ? text.title : text.titleOfMany(count)}>
      <ReasonForm onClose={onClose} onRefuse={onRefuse} />
    </Modal>
  );
}

function ReasonForm({ onClose, onRefuse }: Pick<RefuseDialogProps, 'onClose' | 'onRefuse'>) {
  const [reason, setReason] = useState('');
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    onClose();
    onRefuse(reason.trim());
  }
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label={text.reason}
          description={text.help}
          maxLength={reasonCharactersMax}
          autoComplete="off"
          data-autofocus
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <Group gap="xs" role="group" aria-label={text.suggestionsLabel}>
          {text.suggestions.map((suggestion) => (
            <Button
              key={suggestion}
              size="compact-sm"
              variant="default"
              aria-pressed={reason === suggestion}
              onClick={() => setReason(suggestion)}
            >
              {suggestion}
            </Button>
          ))}
        </Group>
        <FormActions submit={text.confirm} isPending={false} onCancel={onClose} />
      </Stack>
    </form>
  );
}
