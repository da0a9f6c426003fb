import './message.css';
import { Alert, Box, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconArrowLeft, IconMail, IconTrash } from '@tabler/icons-react';
import type { Message, ThreadWithMessages } from 'postrider';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { messageText } from '#strings/message.ts';
import { partsText } from '#strings/parts.ts';
import { errorCode } from '../../lib/problem.ts';
import { useRead } from '../../lib/query.ts';
import { ApiProblem } from '../../parts/api-problem.tsx';
import { IconButton } from '../../parts/buttons.tsx';
import { Picture } from '../../parts/empty-state.tsx';
import { notifyProblem } from '../../parts/notify.ts';
import { PageTitle } from '../../parts/page-header.tsx';
import { LabelChip } from '../labels/label-chip.tsx';
import { LabelMenu } from '../labels/label-menu.tsx';
import { useDeleteThreads } from '../threads/delete-threads.ts';
import { hasLostFocus } from '../threads/row-focus.ts';
import { useThreadChanges } from '../threads/thread-changes.ts';
import { readIntoRows, useRowLists } from '../threads/thread-rows.ts';
import { MessageCard } from './message-card.tsx';

const ReplyBox = lazy(async () => ({ default: (await import('../../compose/reply-box.tsx')).ReplyBox }));

/** A thread with its messages. The newest one is open, and those that were not read. */
export function ThreadPane({ threadId, onClose }: { threadId: string; onClose(): void }) {
  const lists = useRowLists();
  const read = useRead(['threads', 'one', threadId], ({ signal }) => readIntoRows(lists, threadId, signal));
  const { data: thread, error, refetch } = read;
  const newest = thread?.messages.at(-1);
  useMarkRead(threadId, thread?.messages);
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

/** Marks the messages that are shown as read, each once, so that one that a person marks as unread stays so. */
function useMarkRead(threadId: string, messages: readonly Message[] | undefined): void {
  const { mark } = useThreadChanges();
  const seen = useRef(new Set<string>());
  useEffect(() => {
    const newest = messages?.at(-1);
    const unread = messages?.filter(({ id, read }) => !read && !seen.current.has(id)) ?? [];
    if (newest === undefined || unread.length === 0) return;
    for (const { id } of unread) seen.current.add(id);
    mark([{ id: threadId, last_message: newest }], true).catch(notifyProblem);
  }, [threadId, messages, mark]);
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

function ThreadHeader(props: { thread: ThreadWithMessages; newest: Message; onClose(): void }) {
  const { thread, newest, onClose } = props;
  const { mark, addLabel, removeLabel } = useThreadChanges();
  const remove = useDeleteThreads();
  const title = useRef<HTMLHeadingElement>(null);
  // The list is hidden then, and with it the row that had the focus.
  useEffect(() => {
    if (hasLostFocus()) title.current?.focus({ preventScroll: true });
  }, []);
  const threads = [{ id: thread.id, last_message: newest }];
  return (
    <Group component="header" align="flex-start" gap={8} wrap="nowrap" mb={14}>
      <IconButton
        icon={IconArrowLeft}
        label={messageText.back}
        iconSize={18}
        className="mail-back"
        onClick={onClose}
      />
      <Box flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
        <Title
          order={2}
          lineClamp={4}
          title={thread.subject}
          ref={title}
          tabIndex={-1}
          style={{ outline: 'none' }}
        >
          {thread.subject || messageText.noSubject}
        </Title>
        {thread.labels.length > 0 && (
          <Group gap={4} mt={4}>
            {thread.labels.map((label) => (
              <LabelChip key={label.id} label={label} />
            ))}
          </Group>
        )}
      </Box>
      <Group gap={2} wrap="nowrap">
        <LabelMenu
          applied={thread.labels}
          onAdd={(label) => void addLabel(threads, label).catch(notifyProblem)}
          onRemove={(label) => void removeLabel(threads, label).catch(notifyProblem)}
        />
        <IconButton
          icon={IconMail}
          label={messageText.markUnread}
          onClick={() => {
            onClose();
            mark(threads, false).catch(notifyProblem);
          }}
        />
        <IconButton
          icon={IconTrash}
          label={messageText.remove}
          onClick={() => {
            onClose();
            remove([thread.id]);
          }}
        />
      </Group>
    </Group>
  );
}
