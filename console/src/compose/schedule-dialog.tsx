import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { composeText } from '#strings/compose.ts';
import { partsText } from '#strings/parts.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { localInputTime, tomorrowMorning, utcOfLocalInput } from './local-time.ts';

const text = composeText.later;

interface ScheduleDialogProps {
  isOpen: boolean;
  onClose(): void;
  /** The time that is set already, in UTC. */
  current?: string | null;
  /** Schedules it. If it rejects, the dialog stays open and shows why. */
  onSchedule(time: string): Promise<unknown>;
}

/** The dialog that asks when a message is to be sent. */
export function ScheduleDialog({ isOpen, onClose, current = null, onSchedule }: ScheduleDialogProps) {
  const [isRunning, setRunning] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [refusal, setRefusal] = useState<string | null>(null);
  const first = current === null ? tomorrowMorning(new Date()) : new Date(current);
  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const time = utcOfLocalInput(String(new FormData(event.currentTarget).get('time') ?? ''));
    if (time === null || Date.parse(time) <= Date.now()) return setRefusal(text.past);
    setRefusal(null);
    setRunning(true);
    try {
      await onSchedule(time);
      onClose();
    } catch (cause) {
      setError(cause);
    } finally {
      setRunning(false);
    }
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={text.title} onExitTransitionEnd={() => setError(null)}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack gap="md">
          {error !== null && <ApiProblem error={error} />}
          <TextInput
            type="datetime-local"
            name="time"
            label={text.time}
            description={text.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
            defaultValue={localInputTime(first)}
            error={refusal}
            required
            data-autofocus
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {partsText.cancel}
            </Button>
            <Button type="submit" loading={isRunning}>
              {text.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
