import { Button, Text } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import type { Message } from 'postrider';
import { useState } from 'react';
import { messageText } from '#strings/message.ts';
import { MailFrame } from './mail-frame.tsx';
import { useFrameFacts, useFrameUrl } from './message-queries.ts';

const text = messageText.body;
const mayHaveRemoteImages = /<img|background|url\(|srcset/i;
const shortCharacters = 600;

/** The messages whose images were asked for, until the page is closed. */
const withImages = new Set<string>();

/** The HTML of a message in a frame of its own, which runs nothing and loads no image of another server until it is asked to. */
export function HtmlBody({ message }: { message: Message }) {
  const { id, subject, body_html } = message;
  const [showsImages, setShowsImages] = useState(withImages.has(id));
  const [isTall, setTall] = useState(false);
  const [attempt, setAttempt] = useState(1);
  const [hasFailed, setFailed] = useState(false);
  const plainUrl = useFrameUrl(id, { images: false });
  const facts = useFrameFacts(plainUrl, !showsImages && mayHaveRemoteImages.test(body_html ?? ''));
  const held = facts.data?.imagesHeld ?? 0;
  const url = useFrameUrl(id, { images: showsImages });
  return (
    <>
      {held > 0 && !showsImages && (
        <div className="message-held" role="status">
          <IconPhotoOff size={16} aria-hidden />
          <Text size="sm" flex={1}>
            {text.held(held)} {text.heldHelp}
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              withImages.add(id);
              setShowsImages(true);
            }}
          >
            {text.showImages}
          </Button>
        </div>
      )}
      <MailFrame
        attempt={attempt}
        size={isTall ? 'tall' : isShort(message) ? 'short' : 'usual'}
        title={text.frame(subject || messageText.noSubject)}
        src={url}
        onLoad={(isShown) => setFailed(!isShown)}
      />
      {hasFailed && (
        <div className="message-held" role="status">
          <Text size="sm" flex={1}>
            {text.notShown}
          </Text>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              setFailed(false);
              setAttempt(attempt + 1);
            }}
          >
            {text.showAgain}
          </Button>
        </div>
      )}
      <button
        type="button"
        className="mail-text-button"
        aria-expanded={isTall}
        onClick={() => setTall(!isTall)}
      >
        {isTall ? text.shorter : text.taller}
      </button>
    </>
  );
}

/** A page cannot know the height of a frame that it may not look into, so the amount of text decides. */
function isShort({ body_text, extracted_text, body_html }: Message): boolean {
  const length = Math.max(body_text?.length ?? 0, extracted_text?.length ?? 0);
  return length > 0 && length < shortCharacters && !mayHaveRemoteImages.test(body_html ?? '');
}
