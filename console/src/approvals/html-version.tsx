import { Button, Text } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { approvalText } from '#strings/approval.ts';
import { FrameNote } from '../mail/message/html-body.tsx';
import { MailFrame } from '../mail/message/mail-frame.tsx';
import { useFrameFacts } from '../mail/message/message-queries.ts';
import type { Display } from './use-display.ts';

interface HtmlVersionProps {
  subject: string;
  /** The page with the HTML. */
  url: string;
  display: Display;
}

/** The HTML of a message in its own frame, which loads no images from other servers until asked to. */
export function HtmlVersion({ subject, url, display }: HtmlVersionProps) {
  const { frame, onFrame, attempt } = display;
  const [showsImages, setShowsImages] = useState(false);
  const [loaded, setLoaded] = useState({ attempt: 0, isShown: false });
  const { data: facts, error } = useFrameFacts(`${url}?hidden=1`, true, attempt);
  const isLoaded = loaded.attempt === attempt;
  const hasFailed = error !== null || (isLoaded && !loaded.isShown);
  useEffect(() => {
    if (hasFailed) onFrame({ state: 'failed', hidden: [] });
    else if (isLoaded && facts) onFrame({ state: facts.isCut ? 'cut' : 'shown', hidden: facts.hidden });
  }, [hasFailed, isLoaded, facts, onFrame]);
  if (frame === null) return null;
  const isOpen = display.isOpen('html');
  return (
    <>
      {facts !== undefined && facts.imagesHeld > 0 && !showsImages && (
        <FrameNote
          icon={<IconPhotoOff size={16} aria-hidden />}
          action={approvalText.showImages}
          onAct={() => setShowsImages(true)}
        >
          {approvalText.images(facts.imagesHeld)} {approvalText.imagesHelp}
        </FrameNote>
      )}
      <MailFrame
        attempt={attempt}
        heightMax={isOpen ? frame.whole : frame.folded}
        title={approvalText.frame(subject || approvalText.noSubject)}
        src={showsImages ? `${url}?images=1` : url}
        onLoad={(isShown) => setLoaded({ attempt, isShown })}
      />
      {!isOpen && (
        <Button variant="default" size="xs" onClick={() => display.open('html')}>
          {approvalText.showAllHtml}
        </Button>
      )}
      {facts?.isCut && <Text c="var(--mantine-color-error)">{approvalText.cutHtml}</Text>}
    </>
  );
}
