import './sending.css';
import { Box, Group, Skeleton, Stack, Text } from '@mantine/core';
import type { PauseEntry } from '@postrider/contract/console';
import { Suspense } from 'react';
import { pauseText } from '#strings/pause.ts';
import { sendingText } from '#strings/sending.ts';
import { useControl } from '../control/control-queries.ts';
import { PauseStory, ResumeButton } from '../control/pausing.tsx';
import { lazyPart } from '../lib/lazy-part.ts';
import { useIsOwner } from '../lib/workspace.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { WorkspacePolicy } from './policy.tsx';

// The parts further down the page come after it.
const PolicyList = lazyPart(async () => (await import('./policy-list.tsx')).PolicyList);
const EffectivePanel = lazyPart(async () => (await import('./effective-panel.tsx')).EffectivePanel);
const DisclosureChoice = lazyPart(async () => (await import('./disclosure-choice.tsx')).DisclosureChoice);

/** The rules for agents that send: the active pauses, the policies, their combined effect, and the disclosure. */
export function SendingPage() {
  const { data, error, refetch } = useControl();
  return (
    <>
      <PageHeader title={sendingText.title} about={sendingText.about} />
      <Stack gap="lg" maw={900}>
        {error && <ApiProblem error={error} onRetry={() => void refetch()} />}
        {data ? (
          <>
            {data.pauses.length > 0 && <PausesPanel pauses={data.pauses} />}
            <WorkspacePolicy entry={data.policy} />
          </>
        ) : (
          !error && <Skeleton height={420} />
        )}
        <Suspense fallback={<Skeleton height={300} />}>
          <PolicyList />
          <EffectivePanel />
          {data && <DisclosureChoice chosen={data.disclosure} />}
        </Suspense>
      </Stack>
    </>
  );
}

const pausesText = sendingText.pauses;

function PausesPanel({ pauses }: { pauses: PauseEntry[] }) {
  return (
    <Panel title={pausesText.title}>
      <Box component="ul" className="console-rows" m={0} p={0} style={{ listStyle: 'none' }}>
        {pauses.map((pause) => (
          <PauseRow key={`${pause.level} ${pause.subject_id}`} pause={pause} />
        ))}
      </Box>
    </Panel>
  );
}

function PauseRow({ pause }: { pause: PauseEntry }) {
  const isOwner = useIsOwner();
  const { level, name, reason, subject_id: subjectId } = pause;
  return (
    <Group component="li" justify="space-between" wrap="nowrap" py="xs">
      <div>
        <Text fw={500}>{pausesText.places[level](name)}</Text>
        <Text variant="note">
          <PauseStory pause={pause} /> {reason !== null && pauseText.bar.reason(reason)}{' '}
          {level === 'server' && pauseText.bar.operatorOnly}
        </Text>
      </div>
      {level !== 'server' && isOwner && <ResumeButton place={{ level, subjectId, name }} />}
    </Group>
  );
}
