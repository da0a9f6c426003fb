import { Button, Group, Text } from '@mantine/core';
import { IconPhotoOff, IconRefresh } from '@tabler/icons-react';
import type { Message } from 'postrider';
import { type ReactNode, useState } from 'react';
import { messageText } from '#strings/message.ts';
import { MailFrame } from './mail-frame.tsx';
import { useFrameFacts, useFrameUrl } from './message-queries.ts';

const text = messageText.body;
const mayHaveRemoteImages = /<img|background|url\(|srcset/i;

/** The messages whose images were asked for, until the page is closed. */
const withImages = new Set<string>();

/** The HTML of a message in its own frame, which loads no images from other servers until asked to. */
export function HtmlBody({ message: { id, subject, body_html } }: { message: Message }) {
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

interface FrameNoteProps {
  icon: ReactNode;
  action: string;
  children: ReactNode;
  onAct(): void;
}

/** A line above the frame of a mail, with the possible actions. */
export function FrameNote({ icon, action, children, onAct }: FrameNoteProps) {
  return (
    <Group role="status" gap="xs" px="sm" py={6} mb="xs" bg="var(--console-hover)" bdrs="md">
      {icon}
      <Text size="sm" flex="1 1 220px">
        {children}
      </Text>
      <Button size="compact-sm" variant="default" onClick={onAct}>
        {action}
      </Button>
    </Group>
  );
}
