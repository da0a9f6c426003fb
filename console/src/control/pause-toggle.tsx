import { ActionIcon, Box, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlayerPause } from '@tabler/icons-react';
import { pauseText } from '#strings/pause.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { type Place, useActivePause } from './control-queries.ts';
import { PauseDialog } from './pause-dialog.tsx';
import { ResumeButton } from './resume-button.tsx';

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
        <ActionIcon aria-label={label} title={label} onClick={open}>
          <IconPlayerPause size={16} color="var(--mantine-color-error)" aria-hidden />
        </ActionIcon>
      )}
      <PauseDialog place={place} isOpen={isOpen} onClose={close} />
    </>
  );
}
