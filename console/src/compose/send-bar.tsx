import { Alert, Button, Group, List, Text } from '@mantine/core';
import { IconClock, IconSend2 } from '@tabler/icons-react';
import { APIError, type DroppedRecipient, type Postrider } from 'postrider';
import { lazy, type ReactNode, Suspense } from 'react';
import { composeText } from '#strings/compose.ts';
import { useApi } from '../lib/api.ts';
import { useLazyDialog } from '../lib/lazy-part.ts';
import { describeProblem, errorCode } from '../lib/problem.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { Countdown } from '../parts/held-corner.tsx';
import { notifyProblem } from '../parts/notify.ts';
import type { Purpose } from './draft-fields.ts';
import type { DraftSaver } from './draft-saver.ts';
import { AttachButton } from './file-field.tsx';
import type { ComposerState, Hindrance } from './use-composer.ts';

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
    <Group gap="xs">
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
      <Text
        variant="detail"
        ml="auto"
        role="status"
        title={errorText(saving.error)}
        style={{ overflowWrap: 'anywhere' }}
      >
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

interface SendHindranceProps {
  hindrance: Hindrance;
  onSendToOthers(): void;
  onSendAnyway(): void;
  onEdit(): void;
}

/** Shows why a message was not sent, and what can be done. */
export function SendHindrance({ hindrance, onSendToOthers, onSendAnyway, onEdit }: SendHindranceProps) {
  const { note, check, error } = hindrance;
  if (note !== undefined) return <Warning title={note} />;
  if (check) {
    const { deliverable, dropped } = check;
    const isNobody = deliverable.length === 0;
    return (
      <Warning title={isNobody ? composeText.check.none : composeText.check.title}>
        <DroppedList dropped={dropped} />
        <Group gap="xs" mt="sm">
          {!isNobody && (
            <Button size="xs" onClick={onSendToOthers}>
              {composeText.check.sendToOthers(deliverable.length)}
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onEdit}>
            {composeText.check.edit}
          </Button>
        </Group>
      </Warning>
    );
  }
  if (errorCode(error) === 'draft_already_sent')
    return (
      <Warning title={composeText.alreadySent.title}>
        <Text>{composeText.alreadySent.message}</Text>
      </Warning>
    );
  if (errorCode(error) === 'auto_reply_loop')
    return (
      <Warning title={composeText.loop.title}>
        <Text>{composeText.loop.message}</Text>
        <Button size="xs" variant="default" mt="sm" onClick={onSendAnyway}>
          {composeText.loop.sendAnyway}
        </Button>
      </Warning>
    );
  const blocked = readBlocked(error);
  return (
    <>
      <ApiProblem error={error} />
      {blocked.length > 0 && <DroppedList dropped={blocked} />}
    </>
  );
}

function Warning({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Alert role="alert" color="yellow" title={title} className="console-warning">
      {children}
    </Alert>
  );
}

function DroppedList({ dropped }: { dropped: DroppedRecipient[] }) {
  return (
    <List size="sm" mt={4}>
      {dropped.map(({ address, reason }) => (
        <List.Item key={address} style={{ overflowWrap: 'anywhere' }}>
          <b>{address}</b> {composeText.check.reasons[reason]}
        </List.Item>
      ))}
    </List>
  );
}

function readBlocked(error: unknown): DroppedRecipient[] {
  if (!(error instanceof APIError) || error.code !== 'no_deliverable_recipients') return [];
  const { blocked } = error.body as { blocked?: unknown };
  return Array.isArray(blocked) ? (blocked as DroppedRecipient[]) : [];
}
