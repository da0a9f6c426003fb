import { Button, Group, Text } from '@mantine/core';
import { IconClock, IconSend2 } from '@tabler/icons-react';
import type { Postrider } from 'postrider';
import { lazy, Suspense } from 'react';
import { composeText } from '#strings/compose.ts';
import { useApi } from '../lib/api.ts';
import { useLazyDialog } from '../lib/lazy-part.ts';
import { describeProblem, errorCode } from '../lib/problem.ts';
import { Countdown } from '../parts/held-corner.tsx';
import { notifyProblem } from '../parts/notify.ts';
import type { Purpose } from './draft-fields.ts';
import type { DraftSaver } from './draft-saver.ts';
import { AttachButton } from './file-field.tsx';
import type { ComposerState } from './use-composer.ts';

const ScheduleDialog = lazy(async () => ({
  default: (await import('./schedule-dialog.tsx')).ScheduleDialog,
}));

interface SendBarProps {
  composer: ComposerState;
  saver: DraftSaver;
  purpose: Purpose;
  onFiles(files: File[]): void;
  onScheduled(time: string): void;
  onDiscarded(): void;
}

/** The buttons below a message, and how far saving and sending are. */
export function SendBar({ composer, saver, purpose, onFiles, onScheduled, onDiscarded }: SendBarProps) {
  const api = useApi();
  const scheduling = useLazyDialog();
  const { held, isLocked, sending, saving } = composer;
  if (held && isLocked)
    return (
      <Text fw={500} mih={36} aria-hidden>
        {held.state === 'waiting' ? (
          <Countdown to={held.beginsAt} text={composeText.held.sendingIn} />
        ) : (
          composeText.held.running
        )}
      </Text>
    );
  async function schedule(time: string) {
    const draft = await saver.flush();
    await api.drafts.update(draft.id, { scheduled_at: time });
    onScheduled(time);
  }
  async function discard() {
    const draft = await saver.stop();
    if (draft !== null) await deleteDraft(api, draft.id);
    saver.abandon();
    onDiscarded();
  }
  return (
    <Group className="console-send-bar" gap="xs">
      <Button
        type="submit"
        loading={sending.isPreparing}
        leftSection={<IconSend2 size={16} aria-hidden />}
        title={composeText.sendKeys}
      >
        {composeText.send}
      </Button>
      {purpose.kind !== 'forward' && (
        <>
          <Button
            variant="default"
            leftSection={<IconClock size={16} aria-hidden />}
            onClick={scheduling.open}
          >
            {composeText.sendLater}
          </Button>
          <AttachButton onFiles={onFiles} />
        </>
      )}
      <Button variant="subtle" color="gray" onClick={() => void discard().catch(notifyProblem)}>
        {composeText.discard}
      </Button>
      <Text size="xs" c="dimmed" role="status" className="console-saving" title={errorText(saving.error)}>
        {saving.draft === null && saving.phase === 'saved' ? '' : composeText.saving[saving.phase]}
        {saving.phase === 'failed' && `: ${errorText(saving.error)}`}
      </Text>
      <Suspense>
        {scheduling.wasOpened && (
          <ScheduleDialog
            isOpen={scheduling.isOpen}
            onClose={scheduling.close}
            current={saving.draft?.scheduled_at}
            onSchedule={schedule}
          />
        )}
      </Suspense>
    </Group>
  );
}

async function deleteDraft(api: Postrider, id: string): Promise<void> {
  try {
    await api.drafts.delete(id);
  } catch (error) {
    if (errorCode(error) !== 'not_found') throw error;
  }
}

function errorText(error: unknown): string | undefined {
  return error === null ? undefined : describeProblem(error).message;
}
