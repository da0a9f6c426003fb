import './control.css';
import { Box, Button, type ButtonProps, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { Link } from 'react-router';
import { pauseText } from '#strings/pause.ts';
import { useIsOwner, useWorkspace } from '../lib/workspace.ts';
import { ConfirmDialog } from '../parts/confirm-dialog.tsx';
import { IconButton } from '../parts/icon-button.tsx';
import { notify } from '../parts/notify.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { type Place, useActivePause, useIsStopping, useResume } from './control-queries.ts';
import { PauseDialog } from './pause-dialog.tsx';

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
        <IconButton icon={IconPlayerPause} label={label} c="var(--mantine-color-error)" onClick={open} />
      )}
      <PauseDialog place={place} isOpen={isOpen} onClose={close} />
    </>
  );
}

const text = pauseText.resume;

interface ResumeButtonProps extends Pick<ButtonProps, 'variant' | 'color'> {
  place: Place;
  /** Whether there is room for an icon only. */
  isIcon?: boolean;
}

/** The button with which an owner ends a pause. */
export function ResumeButton({ place, isIcon = false, ...looks }: ResumeButtonProps) {
  const { mutateAsync } = useResume(place);
  const [isOpen, { open, close }] = useDisclosure(false);
  const label = text.ofPlace(place.name);
  async function resume() {
    await mutateAsync(undefined);
    void notify({ message: text.done });
  }
  return (
    <>
      {isIcon ? (
        <IconButton icon={IconPlayerPlay} label={label} variant="filled" color="red.9" onClick={open} />
      ) : (
        <Button size="xs" variant="default" {...looks} aria-label={label} onClick={open}>
          {text.button}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isOpen}
        onClose={close}
        title={text.title(place)}
        message={text.message}
        confirm={text.confirm}
        onConfirm={resume}
        isHarmless
      />
    </>
  );
}
