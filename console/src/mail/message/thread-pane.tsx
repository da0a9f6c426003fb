import './message.css';
import { ActionIcon, Alert, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconMail, IconTrash } from '@tabler/icons-react';
import type { Message, ThreadWithMessages } from 'postrider';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { messageText } from '#strings/message.ts';
import { partsText } from '#strings/parts.ts';
import { errorCode } from '../../lib/problem.ts';
import { ApiProblem } from '../../parts/api-problem.tsx';
import { Picture } from '../../parts/empty-state.tsx';
import { notifyProblem } from '../../parts/notify.ts';
import { PageTitle } from '../../parts/page-header.tsx';
import { LabelChip } from '../labels/label-chip.tsx';
import { LabelMenu } from '../labels/label-menu.tsx';
import { useDeleteThreads } from '../threads/delete-threads.ts';
import { hasLostFocus } from '../threads/focus-row.ts';
import { useThreadChanges } from '../threads/thread-changes.ts';
import { MessageCard } from './message-card.tsx';
import { useMarkRead, useThread } from './message-queries.ts';

const ReplyBox = lazy(async () => ({ default: (await import('../../compose/reply-box.tsx')).ReplyBox }));

interface ThreadPaneProps {
  threadId: string;
  onClose(): void;
}

/** A thread with its messages. The newest one is open, and those that were not read. */
export function ThreadPane({ threadId, onClose }: ThreadPaneProps) {
  const { data: thread, error, refetch } = useThread(threadId);
  const { mark } = useThreadChanges();
  const newest = thread?.messages.at(-1);
  const markRead = useCallback(
    async () => newest && mark([{ id: threadId, last_message: newest }], true),
    [mark, threadId, newest],
  );
  useMarkRead(thread?.messages, markRead);
  const asked = useSearchParams()[0].get('message');
  const { isOpen, toggle } = useOpenMessages(thread?.messages ?? [], asked);
  if (errorCode(error) === 'not_found') return <ThreadGone onClose={onClose} />;
  if (error && thread === undefined) {
    return (
      <div className="mail-thread">
        <ApiProblem error={error} onRetry={() => void refetch()} />
      </div>
    );
  }
  if (thread === undefined || newest === undefined) return <ThreadSkeleton />;
  return (
    <div className="mail-thread">
      <PageTitle title={thread.subject || messageText.noSubject} />
      <ThreadHeader thread={thread} newest={newest} onClose={onClose} />
      {thread.messages_truncated && (
        <Alert color="gray" mb="sm">
          {messageText.truncated}
        </Alert>
      )}
      {thread.messages.map((message) => (
        <MessageCard
          key={message.id}
          message={message}
          isOpen={isOpen(message.id)}
          isAsked={message.id === asked}
          onToggle={toggle}
        />
      ))}
      <Suspense fallback={<Skeleton height={36} width={280} />}>
        <ReplyBox message={newest} />
      </Suspense>
    </div>
  );
}

/** Keeps which messages are open. One that was open stays open when another arrives. */
function useOpenMessages(messages: readonly { id: string; read: boolean }[], asked: string | null) {
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const newestId = messages.at(-1)?.id;
  const wanted = messages.filter(({ id, read }) => id === newestId || id === asked || !read);
  const fresh = wanted.filter(({ id }) => !choices.has(id));
  if (fresh.length > 0) setChoices(new Map([...choices, ...fresh.map(({ id }) => [id, true] as const)]));
  const toggle = useCallback(
    (id: string) => setChoices((before) => new Map(before).set(id, !before.get(id))),
    [],
  );
  return { isOpen: (id: string) => choices.get(id) ?? false, toggle };
}

/** Says that the thread is deleted, also if it was until a moment ago there to be read. */
function ThreadGone({ onClose }: { onClose(): void }) {
  return (
    <Stack h="100%" p="xl" gap="xs" align="center" justify="center" ta="center" role="status">
      <PageTitle title={messageText.gone.title} />
      <Picture name="mail" />
      <Title order={2}>{messageText.gone.title}</Title>
      <Text c="dimmed">{messageText.gone.message}</Text>
      <Button variant="default" onClick={onClose}>
        {messageText.back}
      </Button>
    </Stack>
  );
}

function ThreadSkeleton() {
  return (
    <div className="mail-thread" role="status" aria-label={partsText.loading}>
      <Skeleton height={22} width="60%" mb="lg" />
      <Stack className="message-card" gap="sm" p="md">
        <Skeleton height={14} width="40%" />
        <Skeleton height={12} width="25%" />
        <Skeleton height={12} width="92%" mt="md" />
        <Skeleton height={12} width="86%" />
        <Skeleton height={12} width="61%" />
      </Stack>
    </div>
  );
}

interface ThreadHeaderProps {
  thread: ThreadWithMessages;
  newest: Message;
  onClose(): void;
}

/** The subject and the labels of a thread, and what can be done with it. */
function ThreadHeader({ thread, newest, onClose }: ThreadHeaderProps) {
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
