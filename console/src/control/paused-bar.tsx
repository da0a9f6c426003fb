import './control.css';
import { Box, Group } from '@mantine/core';
import type { PauseEntry, Waiting } from '@postrider/contract/console';
import { IconPlayerPause } from '@tabler/icons-react';
import { Link } from 'react-router';
import { pauseText } from '#strings/pause.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { Time } from '../parts/time.tsx';
import { useControl, useIsStopping } from './control-queries.ts';
import { ResumeButton } from './pause-buttons.tsx';

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
