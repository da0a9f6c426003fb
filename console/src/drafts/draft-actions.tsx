import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { Draft } from 'postrider';
import { lazy, Suspense } from 'react';
import { Link, useNavigate } from 'react-router';
import { composeText } from '#strings/compose.ts';
import { draftsText } from '#strings/drafts.ts';
import { readPurpose } from '../compose/draft-fields.ts';
import { forgetSaver } from '../compose/open-savers.ts';
import { useCheckedSend } from '../compose/use-composer.ts';
import { useLazyDialog } from '../lib/lazy-part.ts';
import { draftPath } from '../lib/mail-paths.ts';
import { useClients, useRefresh } from '../lib/query.ts';
import { shortTime } from '../lib/times.ts';
import { holdAction } from '../parts/held-actions.ts';
import { notify, notifyProblem } from '../parts/notify.ts';

const ScheduleDialog = lazy(async () => ({
  default: (await import('../compose/schedule-dialog.tsx')).ScheduleDialog,
}));

/** The menu of a draft: to edit, send, schedule and delete it. */
export function DraftActions({ draft }: { draft: Draft }) {
  const send = useCheckedSend();
  const navigate = useNavigate();
  const { schedule, remove } = useDraftChanges(draft);
  const scheduling = useLazyDialog();
  const isScheduled = draft.status === 'scheduled';
  const isOver = draft.status === 'sending' || draft.status === 'sent';
  async function sendNow() {
    const hindrance = await send(draft);
    if (hindrance === null) return;
    const leftOut = hindrance.check?.dropped.map(({ address }) => address).join(', ') ?? '';
    void notify({ message: hindrance.note ?? draftsText.notSentYet(leftOut), tone: 'bad' });
    void navigate(draftPath(draft.id));
  }
  async function scheduleAt(time: string | null) {
    await schedule(time);
    void notify({ message: time === null ? draftsText.unscheduled : draftsText.scheduled(shortTime(time)) });
  }
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon
            data-draft-menu={draft.id}
            aria-label={draftsText.menu(draft.subject || composeText.noSubject)}
          >
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!isOver && (
            <>
              <Menu.Item component={Link} to={draftPath(draft.id)}>
                {draftsText.edit}
              </Menu.Item>
              <Menu.Item onClick={() => void sendNow().catch(notifyProblem)}>{draftsText.sendNow}</Menu.Item>
            </>
          )}
          {!isOver && readPurpose(draft).kind !== 'forward' && (
            <Menu.Item onClick={scheduling.open}>
              {isScheduled ? draftsText.reschedule : draftsText.schedule}
            </Menu.Item>
          )}
          {isScheduled && (
            <Menu.Item onClick={() => void scheduleAt(null).catch(notifyProblem)}>
              {draftsText.unschedule}
            </Menu.Item>
          )}
          {draft.status !== 'sending' && (
            <Menu.Item c="var(--mantine-color-error)" onClick={() => void remove().catch(notifyProblem)}>
              {draftsText.remove}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <Suspense>
        {scheduling.wasOpened && (
          <ScheduleDialog
            isOpen={scheduling.isOpen}
            onClose={scheduling.close}
            current={isScheduled ? draft.scheduled_at : null}
            onSchedule={scheduleAt}
          />
        )}
      </Suspense>
    </>
  );
}

function useDraftChanges(draft: Draft) {
  const { id, status, subject, scheduled_at } = draft;
  const { api } = useClients();
  const refresh = useRefresh(['drafts']);
  async function schedule(time: string | null) {
    await api.drafts.update(id, { scheduled_at: time });
    forgetSaver(id);
    await refresh();
  }
  /** Deletes it after some seconds, in which the person can take it back, or at once when the page is left. */
  async function remove() {
    const time = status === 'scheduled' ? scheduled_at : null;
    // Without its time, it is not sent meanwhile.
    if (time !== null) await schedule(null);
    const run = async () => {
      await api.drafts.delete(id);
      forgetSaver(id);
      await refresh();
    };
    const onUndo = () => {
      if (time !== null) schedule(time).catch(notifyProblem);
      requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-draft-menu="${id}"]`)?.focus());
    };
    const { deleting } = draftsText;
    const waiting = deleting.waiting(subject || composeText.noSubject);
    const texts = { ...deleting, waiting, done: () => deleting.done };
    holdAction({ id: deleteActionId(id), texts, run, onUndo, beginsOnLeave: true });
  }
  return { schedule, remove };
}

/** Returns the id of the action that deletes a draft. */
export function deleteActionId(draftId: string): string {
  return `delete ${draftId}`;
}
