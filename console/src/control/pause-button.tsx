import './control.css';
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlayerPause } from '@tabler/icons-react';
import { Link } from 'react-router';
import { pauseText } from '#strings/pause.ts';
import { useWorkspace } from '../lib/workspace.ts';
import { useActivePause, useIsStopping } from './control-queries.ts';
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
