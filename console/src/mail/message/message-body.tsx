import { Box, Group, Tabs } from '@mantine/core';
import { IconPhotoOff, IconRefresh } from '@tabler/icons-react';
import type { Message } from 'postrider';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { messageText } from '#strings/message.ts';
import { useRead } from '../../lib/query.ts';
import { keepForPerson } from '../../lib/session.ts';
import { FrameNote, MailFrame, useFrameFacts, useFrameUrl } from './mail-frame.tsx';
import { PlainBody } from './plain-body.tsx';

const text = messageText.body;
const HeadersBody = lazy(async () => ({ default: (await import('./source-body.tsx')).HeadersBody }));
const SourceBody = lazy(async () => ({ default: (await import('./source-body.tsx')).SourceBody }));
/** A message that is read here has links to its files, which expire. */
const freshMs = 10 * 60_000;
const mayHaveRemoteImages = /<img|background|url\(|srcset/i;
/** The messages whose images were asked for, until the page is closed or somebody else signs in. */
const withImages = new Set<string>();
keepForPerson({ clear: () => withImages.clear() });

interface MessageBodyProps {
  message: Message;
  /** Marks about the message, at the beginning of the line that chooses its form. */
  marks?: ReactNode;
  /** Notes between that line and the body. */
  notes?: ReactNode;
}

/** The body of a message in each of its forms: formatted, plain, its header fields, and its source. */
export function MessageBody({ message, marks, notes }: MessageBodyProps) {
  // A thread has the bodies cut.
  const { data: whole = message } = useRead(
    ['whole-message', message.id],
    ({ api, signal }) => api.messages.get(message.id, { signal }),
    { enabled: message.body_truncated, staleTime: freshMs },
  );
  const hasHtml = whole.body_html !== null;
  return (
    <Tabs
      defaultValue={hasHtml ? 'html' : 'text'}
      keepMounted={false}
      variant="pills"
      color="gray"
      className="message-tabs"
    >
      <Group justify="space-between" gap="xs" mb="sm">
        <Group gap={6}>{marks}</Group>
        <Tabs.List aria-label={text.label}>
          {hasHtml && <Tabs.Tab value="html">{text.html}</Tabs.Tab>}
          <Tabs.Tab value="text">{text.text}</Tabs.Tab>
          <Tabs.Tab value="headers">{text.headers}</Tabs.Tab>
          <Tabs.Tab value="raw">{text.raw}</Tabs.Tab>
        </Tabs.List>
      </Group>
      {notes}
      <Suspense fallback={<Box mih={120} />}>
        {hasHtml && (
          <Tabs.Panel value="html">
            <HtmlBody message={whole} />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="text">
          <PlainBody message={whole} />
        </Tabs.Panel>
        <Tabs.Panel value="headers">
          <HeadersBody messageId={message.id} />
        </Tabs.Panel>
        <Tabs.Panel value="raw">
          <SourceBody messageId={message.id} />
        </Tabs.Panel>
      </Suspense>
    </Tabs>
  );
}

/** The HTML of a message in its own frame, which loads no images from other servers until asked to. */
function HtmlBody({ message: { id, subject, body_html } }: { message: Message }) {
  const [showsImages, setShowsImages] = useState(withImages.has(id));
  const [attempt, setAttempt] = useState(1);
  const [hasFailed, setFailed] = useState(false);
  const plainUrl = useFrameUrl(id, { images: false });
  const facts = useFrameFacts(plainUrl, !showsImages && mayHaveRemoteImages.test(body_html ?? ''));
  const held = facts.data?.imagesHeld ?? 0;
  const url = useFrameUrl(id, { images: showsImages });
  function showImages() {
    withImages.add(id);
    setShowsImages(true);
  }
  function showAgain() {
    setFailed(false);
    setAttempt(attempt + 1);
  }
  return (
    <>
      {held > 0 && !showsImages && (
        <FrameNote icon={<IconPhotoOff size={16} aria-hidden />} action={text.showImages} onAct={showImages}>
          {text.held(held)} {text.heldHelp}
        </FrameNote>
      )}
      {hasFailed && (
        <FrameNote icon={<IconRefresh size={16} aria-hidden />} action={text.showAgain} onAct={showAgain}>
          {text.notShown}
        </FrameNote>
      )}
      <MailFrame
        attempt={attempt}
        title={text.frame(subject || messageText.noSubject)}
        src={url}
        onLoad={(isShown) => setFailed(!isShown)}
      />
    </>
  );
}
