import './control.css';
import { Box, Button, type ButtonProps, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { PauseEntry, Waiting } from '@postrider/contract/console';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from 'react-router';
import { pauseText } from '#strings/pause.ts';
import { useIsOwner, useWorkspace } from '../lib/workspace.ts';
import { IconButton } from '../parts/buttons.tsx';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { notify } from '../parts/notify.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { type Place, useActivePause, useControl, useIsStopping, useResume } from './control-queries.ts';
import { PauseDialog } from './pause-dialog.tsx';

const text = pauseText.bar;

/** Says on every page what is paused, since when, by whom and why, and what is waiting. */
export function PausedBar() {
  const { data } = useControl();
  const isStopping = useIsStopping();
  const pauses = data?.pauses ?? [];
  const wide = pauses.filter(({ level }) => level === 'server' || (level === 'workspace' && !isStopping));
  const narrow = pauses.filter(({ level }) => level === 'inbox' || level === 'key');
  return (
    <div role="status" className="console-paused-bars">
      {wide.map((pause) => (
        <WidePause key={pause.level} pause={pause} waiting={data?.waiting ?? null} />
      ))}
      {wide.length === 0 && narrow.length > 0 && (
        <Group className="console-paused" wrap="nowrap" gap={8} py={4}>
          <IconPlayerPause size={16} aria-hidden />
          <span>{text.narrow(narrow.length)}</span>
          <Link to="/sending">{text.show}</Link>
        </Group>
      )}
    </div>
  );
}

function WidePause({ pause, waiting }: { pause: PauseEntry; waiting: Waiting | null }) {
  const isOwner = useIsOwner();
  const { level, subject_id, name, reason } = pause;
  const isServer = level === 'server';
  return (
    <Group className="console-paused" wrap="nowrap" gap={12} py={8}>
      <IconPlayerPause size={18} aria-hidden />
      <Box flex={1} miw={0}>
        <strong>{isServer ? text.server : text.workspace}</strong> <PauseStory pause={pause} />{' '}
        {reason !== null && <span>{text.reason(reason)}</span>}
        <div>
          {waitingText(waiting)} {isServer ? text.operatorOnly : !isOwner && text.ownersOnly}
        </div>
      </Box>
      {level === 'workspace' && isOwner && (
        <ResumeButton place={{ level, subjectId: subject_id, name }} color="red.9" variant="white" />
      )}
    </Group>
  );
}

/** Since when a place is paused, and by whom. */
export function PauseStory({ pause: { paused_at, paused_by } }: { pause: PauseEntry }) {
  return (
    <>
      {text.since} <Time value={paused_at} absolute />
      {paused_by === null ? text.operator : text.by(paused_by.name)}
    </>
  );
}

function waitingText(waiting: Waiting | null): string {
  if (waiting === null) return '';
  const { recipients, scheduled_drafts, held, under_way } = waiting;
  const parts = [
    recipients > 0 && text.recipients(recipients),
    scheduled_drafts > 0 && text.scheduled(scheduled_drafts),
    held > 0 && text.held(held),
  ].filter((part) => part !== false);
  const waits = parts.length === 0 ? text.nothingWaits : text.waiting(parts);
  return under_way > 0 ? `${waits} ${text.underWay(under_way)}` : waits;
}

/** The red button at the top of every page: it stops everything that the workspace sends. */
export function PauseButton() {
  const { workspace_id, title } = useWorkspace();
  const place = { level: 'workspace', subjectId: workspace_id, name: title } as const;
  const isPaused = useActivePause(place) !== undefined;
  const isStopping = useIsStopping();
  const [isOpen, { open, close }] = useDisclosure(false);
  const label = isPaused && !isStopping ? pauseText.pausedLink : pauseText.button;
  const looks = {
    size: 'xs',
    className: 'console-pause',
    'aria-label': label,
    leftSection: <IconPlayerPause size={16} aria-hidden />,
  } as const;
  return (
    <>
      {isPaused && !isStopping ? (
        <Button {...looks} component={Link} to="/sending">
          <span>{label}</span>
        </Button>
      ) : (
        <Button {...looks} variant="outline" onClick={open}>
          <span>{label}</span>
        </Button>
      )}
      <PauseDialog place={place} isOpen={isOpen} onClose={close} />
    </>
  );
}

/** Pauses an inbox or a key; while it is paused, it says so, and owners resume it. */
export function PauseToggle({ place }: { place: Place }) {
  const pause = useActivePause(place);
  const isOwner = useIsOwner();
  const [isOpen, { open, close }] = useDisclosure(false);
  const label = pauseText.ofPlace(place.name);
  return (
    <>
      {pause ? (
        <Group gap={6} wrap="nowrap" justify="flex-end">
          <Box component="span" visibleFrom={isOwner ? 'sm' : undefined}>
            <StatusBadge tone="bad">{pauseText.badge}</StatusBadge>
          </Box>
          {isOwner && <ResumeButton place={place} isIcon />}
        </Group>
      ) : (
        <IconButton icon={IconPlayerPause} label={label} onClick={open} />
      )}
      <PauseDialog place={place} isOpen={isOpen} onClose={close} />
    </>
  );
}

const resumeText = pauseText.resume;

interface ResumeButtonProps extends Pick<ButtonProps, 'variant' | 'color'> {
  place: Place;
  /** Whether there is room for an icon only. */
  isIcon?: boolean;
}

/** The button with which an owner ends a pause. */
export function ResumeButton({ place, isIcon = false, ...looks }: ResumeButtonProps) {
  const { mutateAsync } = useResume(place);
  const [isOpen, { open, close }] = useDisclosure(false);
  const label = resumeText.ofPlace(place.name);
  async function resume() {
    await mutateAsync();
    void notify({ message: resumeText.done });
  }
  return (
    <>
      {isIcon ? (
        <IconButton icon={IconPlayerPlay} label={label} variant="filled" color="red.9" onClick={open} />
      ) : (
        <Button size="xs" variant="default" {...looks} aria-label={label} onClick={open}>
          {resumeText.button}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title={resumeText.title(place)}
        message={resumeText.message}
        confirm={resumeText.confirm}
        onConfirm={resume}
        isHarmless
      />
    </>
  );
}
