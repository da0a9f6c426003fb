import { Group, Text } from '@mantine/core';
import type { PauseEntry } from '@postrider/contract/console';
import { pauseText } from '#strings/pause.ts';
import { sendingText } from '#strings/sending.ts';
import { PauseStory } from '../control/paused-bar.tsx';
import { ResumeButton } from '../control/resume-button.tsx';
import { useIsOwner } from '../lib/workspace.ts';
import { Panel } from '../parts/panel.tsx';

const text = sendingText.pauses;

/** The pauses in force, each with the button that ends it. */
export function PausesPanel({ pauses }: { pauses: PauseEntry[] }) {
  return (
    <Panel title={text.title}>
      <ul className="sending-pauses console-rows">
        {pauses.map((pause) => (
          <PauseRow key={`${pause.level} ${pause.subject_id}`} pause={pause} />
        ))}
      </ul>
    </Panel>
  );
}

function PauseRow({ pause }: { pause: PauseEntry }) {
  const isOwner = useIsOwner();
  const { level, name, reason, subject_id: subjectId } = pause;
  return (
    <Group component="li" justify="space-between" wrap="nowrap" py="xs">
      <div>
        <Text fw={500}>{text.places[level](name)}</Text>
        <Text size="sm" c="dimmed">
          <PauseStory pause={pause} /> {reason !== null && pauseText.bar.reason(reason)}{' '}
          {level === 'server' && pauseText.bar.operatorOnly}
        </Text>
      </div>
      {level !== 'server' && isOwner && <ResumeButton place={{ level, subjectId, name }} />}
    </Group>
  );
}
