import { Button } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { eventsText } from '#strings/events.ts';
import type { LiveState } from '../lib/follow-changes.ts';
import { StatusBadge } from '../parts/status-badge.tsx';

/** Whether new events appear: the page is paused, or the connection is open or not. */
export function TailState({ state, isPaused }: { state: LiveState; isPaused: boolean }) {
  if (isPaused) return <StatusBadge tone="waiting">{eventsText.paused}</StatusBadge>;
  return state === 'open' ? (
    <StatusBadge tone="good">{eventsText.live}</StatusBadge>
  ) : (
    <StatusBadge tone="quiet">{eventsText.connecting}</StatusBadge>
  );
}

interface PauseButtonProps {
  isPaused: boolean;
  waiting: number;
  onPause(): void;
  onResume(): void;
}

/** The button that holds new events back, and lets them in again. */
export function PauseButton({ isPaused, waiting, onPause, onResume }: PauseButtonProps) {
  const Icon = isPaused ? IconPlayerPlay : IconPlayerPause;
  const name = waiting === 0 ? eventsText.resume : eventsText.resumeWith(waiting);
  return (
    <Button
      size="xs"
      variant={isPaused ? 'filled' : 'default'}
      leftSection={<Icon size={14} aria-hidden />}
      onClick={isPaused ? onResume : onPause}
    >
      {isPaused ? name : eventsText.pause}
    </Button>
  );
}
