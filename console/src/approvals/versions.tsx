import { Button, Text } from '@mantine/core';
import type { Approval } from '@postrider/contract/console';
import { IconPhotoOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { approvalText } from '#strings/approval.ts';
import { FrameNote, MailFrame, useFrameFacts } from '../mail/message/mail-frame.tsx';
import { LinkedText } from '../mail/message/plain-body.tsx';
import { countLines, type Display } from './use-display.ts';

/** The formatted version of a message and the plain one, as far as it has them. */
export function Versions(props: { message: Approval['message']; display: Display; frameUrl: string }) {
  const { display, frameUrl } = props;
  const { body_html, body_text, subject } = props.message;
  const hasPlain = body_text !== null && body_text !== '';
  return (
    <>
      {body_html === null && !hasPlain && <Text c="dimmed">{approvalText.noBody}</Text>}
      {body_html !== null && (
        <>
          <h3>{approvalText.formatted}</h3>
          <HtmlVersion subject={subject} url={frameUrl} display={display} />
        </>
      )}
      {hasPlain && (
        <>
          <h3>{approvalText.plain}</h3>
          <PlainVersion value={body_text} display={display} />
        </>
      )}
    </>
  );
}

function PlainVersion({ value, display }: { value: string; display: Display }) {
  const isOpen = display.isOpen('text');
  return (
    <>
      <div className="approval-text" data-folded={!isOpen || undefined}>
        <LinkedText value={value} charactersMax={Number.POSITIVE_INFINITY} />
      </div>
      {!isOpen && (
        <Button variant="default" size="xs" mt="xs" onClick={() => display.open('text')}>
          {approvalText.showAllText(countLines(value))}
        </Button>
      )}
    </>
  );
}

/** The HTML of a message in its own frame, which loads no images from other servers until asked to. */
function HtmlVersion({ subject, url, display }: { subject: string; url: string; display: Display }) {
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
