import { ActionIcon, Menu } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import type { Draft } from 'postrider';
import { Link } from 'react-router';
import { composeText } from '#strings/compose.ts';
import { draftsText } from '#strings/drafts.ts';
import { purposeOf } from '../compose/draft-fields.ts';
import { ScheduleDialog } from '../compose/schedule-dialog.tsx';
import { useHoldSend } from '../compose/use-send.ts';
import { draftPath } from '../lib/mail-paths.ts';
import { problemOf } from '../lib/problem.ts';
import { shortTime } from '../lib/times.ts';
import { notify } from '../parts/notify.ts';
import { useDeleteDraft, useSchedule } from './draft-queries.ts';

/** The menu of a draft: to edit, send, schedule and delete it. */
export function DraftActions({ draft }: { draft: Draft }) {
  const send = useHoldSend();
  const schedule = useSchedule();
  const remove = useDeleteDraft();
  const [isScheduling, { open, close }] = useDisclosure(false);
  const isScheduled = draft.status === 'scheduled';
  const isOver = draft.status === 'sending' || draft.status === 'sent';
  const report = (error: unknown) => notify({ message: problemOf(error).message, tone: 'bad' });
  async function scheduleAt(time: string | null) {
    await schedule(draft, time);
    void notify({ message: time === null ? draftsText.unscheduled : draftsText.scheduled(shortTime(time)) });
  }
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon aria-label={draftsText.menu(draft.subject || composeText.noSubject)}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {!isOver && (
            <>
              <Menu.Item component={Link} to={draftPath(draft.id)}>
                {draftsText.edit}
              </Menu.Item>
              <Menu.Item onClick={() => send(draft)}>{draftsText.sendNow}</Menu.Item>
            </>
          )}
          {!isOver && purposeOf(draft).kind !== 'forward' && (
            <Menu.Item onClick={open}>{isScheduled ? draftsText.reschedule : draftsText.schedule}</Menu.Item>
          )}
          {isScheduled && (
            <Menu.Item onClick={() => void scheduleAt(null).catch(report)}>{draftsText.unschedule}</Menu.Item>
          )}
          {draft.status !== 'sending' && (
            <Menu.Item c="var(--mantine-color-error)" onClick={() => void remove(draft).catch(report)}>
              {draftsText.remove}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      <ScheduleDialog
        isOpen={isScheduling}
        onClose={close}
        current={isScheduled ? draft.scheduled_at : null}
        onSchedule={scheduleAt}
      />
    </>
  );
}
