import { ActionIcon, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { Draft } from 'postrider';
import { lazy, Suspense } from 'react';
import { Link, useNavigate } from 'react-router';
import { composeText } from '#strings/compose.ts';
import { draftsText } from '#strings/drafts.ts';
import { readPurpose } from '../compose/draft-fields.ts';
import { useCheckedSend } from '../compose/use-composer.ts';
import { useLazyDialog } from '../lib/lazy-part.ts';
import { draftPath } from '../lib/mail-paths.ts';
import { shortTime } from '../lib/times.ts';
import { notify, notifyProblem } from '../parts/notify.ts';
import { useDeleteDraft, useSchedule } from './draft-queries.ts';

const ScheduleDialog = lazy(async () => ({
  default: (await import('../compose/schedule-dialog.tsx')).ScheduleDialog,
}));

/** The menu of a draft: to edit, send, schedule and delete it. */
export function DraftActions({ draft }: { draft: Draft }) {
  const send = useCheckedSend();
  const navigate = useNavigate();
  const schedule = useSchedule();
  const remove = useDeleteDraft();
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
    await schedule(draft, time);
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
            <Menu.Item c="var(--mantine-color-error)" onClick={() => void remove(draft).catch(notifyProblem)}>
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
