import { Button, Group, Paper, Skeleton, Text } from '@mantine/core';
import { IconArrowBackUp, IconArrowBackUpDouble, IconArrowForwardUp } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Draft, Message, Postrider } from 'postrider';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { composeText } from '#strings/compose.ts';
import { useApi } from '../lib/api.ts';
import { useShortcuts } from '../lib/shortcuts.ts';
import { shortTime } from '../lib/times.ts';
import { useQueryKey } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { isActionOpen } from '../parts/held-actions.ts';
import { notify } from '../parts/notify.ts';
import { findDraftFor } from './compose-queries.ts';
import { Composer } from './composer.tsx';
import { emptyFields, readPurpose, writeMetadata } from './draft-fields.ts';
import type { DraftSaver } from './draft-saver.ts';
import { joinQuote, quoteMessage, splitQuote } from './message-text.ts';
import { forgetSaver, openSaver } from './open-savers.ts';
import { sendActionId } from './use-composer.ts';

const closingMs = 5_000;

const icons = { reply: IconArrowBackUp, all: IconArrowBackUpDouble, forward: IconArrowForwardUp };

type Kind = keyof typeof icons;

/** Answers or forwards a message, in its thread. A draft that was begun is open again after a reload. */
export function ReplyBox({ message }: { message: Message }) {
  const [shown, setShown] = useState(message);
  const [isWriting, setWriting] = useState(false);
  const closedAt = useRef(Number.NEGATIVE_INFINITY);
  // A reply that is being written stays when another message arrives in its thread.
  const follows = shown.id !== message.id && (!isWriting || shown.thread_id !== message.thread_id);
  if (follows) setShown(message);
  return <ReplyBoxOf key={shown.id} message={shown} closedAt={closedAt} onWriting={setWriting} />;
}

interface ReplyBoxOfProps {
  message: Message;
  /** The time at which a composer of the thread was closed, in milliseconds since 1970. */
  closedAt: RefObject<number>;
  onWriting(isWriting: boolean): void;
}

function ReplyBoxOf({ message, closedAt, onWriting }: ReplyBoxOfProps) {
  const api = useApi();
  const queries = useQueryClient();
  const queryKey = useQueryKey('reply-draft', message.id);
  const found = useQuery({
    queryKey,
    queryFn: ({ signal }) => findDraftFor(api, message, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const begin = useMutation({
    mutationFn: (kind: Kind) => createDraftFor(api, message, kind),
    onSuccess: (draft) => queries.setQueryData(queryKey, draft),
  });
  const draft = found.data ?? null;
  const close = () => {
    queries.setQueryData(queryKey, null);
    closedAt.current = Date.now();
  };
  const isWriting = draft !== null;
  useEffect(() => onWriting(isWriting), [isWriting, onWriting]);
  useShortcuts({ r: () => void (draft === null && !begin.isPending && begin.mutate('reply')) });
  if (found.isPending) return <Skeleton height={36} width={280} />;
  if (draft !== null)
    return (
      <OpenReply
        key={draft.id}
        draft={draft}
        message={message}
        isNew={begin.data?.id === draft.id}
        onClose={close}
      />
    );
  return (
    <>
      {(begin.error ?? found.error) !== null && <ApiProblem error={begin.error ?? found.error} />}
      <ReplyButtons
        message={message}
        isBusy={begin.isPending}
        closedAt={closedAt}
        onChoose={(kind) => begin.mutate(kind)}
      />
    </>
  );
}

interface ReplyButtonsProps {
  message: Message;
  isBusy: boolean;
  closedAt: RefObject<number>;
  onChoose(kind: Kind): void;
}

function ReplyButtons({ message, isBusy, closedAt, onChoose }: ReplyButtonsProps) {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The message that was sent is soon the newest one of the thread, with buttons of its own.
    const isAfterClosing = Date.now() - closedAt.current < closingMs;
    if (isAfterClosing && document.activeElement === document.body) first.current?.focus();
  }, [closedAt]);
  const hasOthers = message.to_addrs.length + message.cc_addrs.length > 1;
  function describe(kind: Kind) {
    const Picture = icons[kind];
    return {
      variant: 'default',
      leftSection: <Picture size={16} aria-hidden />,
      onClick: () => onChoose(kind),
      children: composeText.reply[kind],
    };
  }
  return (
    <Group gap="xs">
      <Button ref={first} {...describe('reply')} loading={isBusy} aria-keyshortcuts="r" />
      {hasOthers && <Button {...describe('all')} disabled={isBusy} />}
      <Button {...describe('forward')} disabled={isBusy} />
    </Group>
  );
}

interface OpenReplyProps {
  draft: Draft;
  message: Message;
  /** Whether the person began it here, a moment ago. */
  isNew: boolean;
  onClose(): void;
}

function OpenReply({ draft, message, isNew, onClose }: OpenReplyProps) {
  const api = useApi();
  const purpose = readPurpose(draft);
  const [saver] = useState(() => openSaver(api, draft));
  const isOver = useRef(false);
  const end = () => {
    isOver.current = true;
    forgetSaver(draft.id);
    onClose();
  };
  const latest = useRef({ api, message, isNew });
  useEffect(() => {
    latest.current = { api, message, isNew };
  });
  useEffect(
    () => () => {
      const last = latest.current;
      // A draft that was here before belongs to another person or a program.
      if (last.isNew && !isOver.current) void deleteIfEmpty(last.api, saver, quoteMessage(last.message));
    },
    [saver],
  );
  return (
    <Paper
      withBorder
      p="md"
      component="section"
      aria-label={composeText.titles[purpose.kind]}
      tabIndex={-1}
      onKeyDown={leaveOnEscape}
    >
      <Text fw={600} mb="sm">
        {composeText.titles[purpose.kind]}
      </Text>
      <Composer
        saver={saver}
        purpose={purpose}
        original={message}
        takesFocus={isNew}
        onSent={end}
        onScheduled={(time) => {
          void notify({ message: composeText.scheduledDone(shortTime(time)) });
          end();
        }}
        onDiscarded={end}
      />
    </Paper>
  );
}

/** Escape leaves a field, so that the keys of the page work again. */
function leaveOnEscape(event: KeyboardEvent<HTMLElement>): void {
  const { key, target, currentTarget } = event;
  const isInside = currentTarget.contains(target as Node) && target !== currentTarget;
  // The editor takes every Escape for its own.
  const isTaken = event.defaultPrevented && !(target as HTMLElement).isContentEditable;
  if (key !== 'Escape' || isTaken || !isInside) return;
  event.preventDefault();
  currentTarget.focus();
}

/** Creates the draft of an answer, whose recipients and subject the API fills in; or the draft of a forward. */
async function createDraftFor(api: Postrider, message: Message, kind: Kind): Promise<Draft> {
  const { id, inbox_id, subject } = message;
  if (kind === 'forward') {
    const metadata = writeMetadata({ kind: 'forward', messageId: id }, emptyFields(inbox_id));
    const forwarded = /^fwd?:/i.test(subject) ? subject : `Fwd: ${subject}`;
    return api.drafts.create({ inbox_id, subject: forwarded.slice(0, 998), metadata });
  }
  const { text } = joinQuote({ text: '', html: '' }, quoteMessage(message));
  return api.drafts.create({ inbox_id, reply_to_message_id: id, reply_all: kind === 'all', text });
}

/** Deletes the draft of an answer that was opened and closed again without a word. */
async function deleteIfEmpty(api: Postrider, saver: DraftSaver, quote: string): Promise<void> {
  const { text, html, files, to } = saver.fields();
  const { draft, phase } = saver.state();
  const isEmpty = splitQuote({ text, html }, quote).text.trim() === '' && html === '' && files.length === 0;
  const isUntouched = phase === 'saved' && JSON.stringify(draft?.to) === JSON.stringify(to);
  if (draft?.status !== 'draft' || !isEmpty || !isUntouched || isActionOpen(sendActionId(draft.id))) return;
  forgetSaver(draft.id);
  await api.drafts.delete(draft.id).then(undefined, () => undefined);
}
