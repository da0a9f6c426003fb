import { Button, Text } from '@mantine/core';
import { IconPhotoOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { approvalText } from '#strings/approval.ts';
import { problemText } from '#strings/problem.ts';
import { useFrameFacts } from '../mail/message/message-queries.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import type { Display } from './use-display.ts';

interface HtmlVersionProps {
  subject: string;
  /** The page with the HTML. */
  url: string;
  display: Display;
}

/** The HTML of a message in a frame of its own, which runs nothing and loads no image of another server until it is asked to. */
export function HtmlVersion({ subject, url, display }: HtmlVersionProps) {
  const { frame, onFrame } = display;
  const [showsImages, setShowsImages] = useState(false);
  const [isLoaded, setLoaded] = useState(false);
  const [attempt, setAttempt] = useState(1);
  const { data: facts, error, refetch } = useFrameFacts(`${url}?hidden=1`, true);
  const isCut = facts?.isCut;
  useEffect(() => {
    if (isLoaded && facts) onFrame({ state: facts.isCut ? 'cut' : 'shown', hidden: facts.hidden });
  }, [isLoaded, facts, onFrame]);
  if (frame === null) return null;
  /** On a busy server, the page of the frame may have taken too much time. */
  function tryAgain() {
    setLoaded(false);
    setAttempt(attempt + 1);
    void refetch();
  }
  const isOpen = display.isOpen('html');
  return (
    <>
      {error && <ApiProblem error={error} onRetry={() => void refetch()} />}
      {facts !== undefined && facts.imagesHeld > 0 && !showsImages && (
        <div className="message-held" role="status">
          <IconPhotoOff size={16} aria-hidden />
          <Text size="sm" flex="1 1 220px">
            {approvalText.images(facts.imagesHeld)} {approvalText.imagesHelp}
          </Text>
          <Button size="compact-sm" variant="default" onClick={() => setShowsImages(true)}>
            {approvalText.showImages}
          </Button>
        </div>
      )}
      <iframe
        key={attempt}
        className="message-frame"
        style={{ height: isOpen ? frame.whole : frame.folded }}
        title={approvalText.frame(subject || approvalText.noSubject)}
        src={showsImages ? `${url}?images=1` : url}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        referrerPolicy="no-referrer"
        onLoad={() => setLoaded(true)}
      />
      {!isOpen && (
        <Button variant="default" size="xs" onClick={() => display.open('html')}>
          {approvalText.showAllHtml}
        </Button>
      )}
      {isCut && (
        <>
          <Text c="var(--mantine-color-error)">{approvalText.cutHtml}</Text>
          <Button variant="default" size="xs" onClick={tryAgain}>
            {problemText.retry}
          </Button>
        </>
      )}
    </>
  );
}
