import './message.css';
import { Alert, Button, Skeleton, Stack, Text, Title } from '@mantine/core';
import { lazy, Suspense, useCallback, useState } from 'react';
import { useSearchParams } from 'react-router';
import { messageText } from '#strings/message.ts';
import { partsText } from '#strings/parts.ts';
import { errorCode } from '../../lib/problem.ts';
import { ApiProblem } from '../../parts/api-problem.tsx';
import { Picture } from '../../parts/empty-state.tsx';
import { PageTitle } from '../../parts/page-header.tsx';
import { useThreadChanges } from '../threads/thread-changes.ts';
import { MessageCard } from './message-card.tsx';
import { useMarkRead, useThread } from './message-queries.ts';
import { ThreadHeader } from './thread-header.tsx';

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
