import { ActionIcon, Group, Title } from '@mantine/core';
import { IconArrowLeft, IconMail, IconTrash } from '@tabler/icons-react';
import type { Message, ThreadWithMessages } from 'postrider';
import { useEffect, useRef } from 'react';
import { messageText } from '#strings/message.ts';
import { notifyProblem } from '../../parts/notify-problem.ts';
import { LabelChip } from '../labels/label-chip.tsx';
import { LabelMenu } from '../labels/label-menu.tsx';
import { useDeleteThreads } from '../threads/delete-threads.ts';
import { hasLostFocus } from '../threads/focus-row.ts';
import { useThreadChanges } from '../threads/thread-changes.ts';

interface ThreadHeaderProps {
  thread: ThreadWithMessages;
  newest: Message;
  onClose(): void;
}

/** The subject and the labels of a thread, and what can be done with it. */
export function ThreadHeader({ thread, newest, onClose }: ThreadHeaderProps) {
  const { mark, addLabel, removeLabel } = useThreadChanges();
  const remove = useDeleteThreads();
  const title = useRef<HTMLHeadingElement>(null);
  // The list is hidden then, and with it the row that had the focus.
  useEffect(() => {
    if (hasLostFocus()) title.current?.focus({ preventScroll: true });
  }, []);
  const threads = [{ id: thread.id, last_message: newest }];
  return (
    <header className="mail-thread-header">
      <ActionIcon
        className="mail-back"
        aria-label={messageText.back}
        title={messageText.back}
        onClick={onClose}
      >
        <IconArrowLeft size={18} aria-hidden />
      </ActionIcon>
      <div className="mail-thread-title">
        <Title order={2} title={thread.subject} ref={title} tabIndex={-1}>
          {thread.subject || messageText.noSubject}
        </Title>
        {thread.labels.length > 0 && (
          <Group gap={4} mt={4}>
            {thread.labels.map((label) => (
              <LabelChip key={label.id} label={label} />
            ))}
          </Group>
        )}
      </div>
      <Group gap={2} wrap="nowrap">
        <LabelMenu
          applied={thread.labels}
          onAdd={(label) => void addLabel(threads, label).catch(notifyProblem)}
          onRemove={(label) => void removeLabel(threads, label).catch(notifyProblem)}
        />
        <ActionIcon
          aria-label={messageText.markUnread}
          title={messageText.markUnread}
          onClick={() => {
            onClose();
            mark(threads, false).catch(notifyProblem);
          }}
        >
          <IconMail size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          aria-label={messageText.remove}
          title={messageText.remove}
          onClick={() => {
            onClose();
            remove([thread.id]);
          }}
        >
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      </Group>
    </header>
  );
}
