import { Modal, Stack, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { composeText } from '#strings/compose.ts';
import { readFields } from '../lib/browser.ts';
import { fromLocalInput, toLocalInput, tomorrowMorning } from '../lib/times.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { type DialogProps, FormActions } from '../parts/form-dialog.tsx';

const text = composeText.later;

interface ScheduleDialogProps extends DialogProps {
  /** The time that is set already, in UTC. */
  current?: string | null;
  /** Schedules it. If it rejects, the dialog stays open and shows why. */
  onSchedule(time: string): Promise<unknown>;
}

/** The dialog that asks when a message is to be sent. */
export function ScheduleDialog({ isOpen, onClose, current = null, onSchedule }: ScheduleDialogProps) {
  const { mutate, isPending, error, reset } = useMutation({ mutationFn: onSchedule, onSuccess: onClose });
  const [refusal, setRefusal] = useState<string | null>(null);
  function submit(event: FormEvent<HTMLFormElement>) {
    const time = fromLocalInput(readFields(event)('time'));
    const isPast = time === '' || Date.parse(time) <= Date.now();
    setRefusal(isPast ? text.past : null);
    if (!isPast) mutate(time);
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={text.title} onExitTransitionEnd={reset}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {error && <ApiProblem error={error} />}
          <TextInput
            type="datetime-local"
            name="time"
            label={text.time}
            description={text.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
            defaultValue={toLocalInput(current ?? tomorrowMorning(new Date()))}
            error={refusal}
            required
            data-autofocus
          />
          <FormActions submit={text.submit} isPending={isPending} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
