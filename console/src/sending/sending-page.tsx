import './sending.css';
import { Skeleton, Stack } from '@mantine/core';
import { Suspense } from 'react';
import { sendingText } from '#strings/sending.ts';
import { useControl } from '../control/control-queries.ts';
import { lazyPart } from '../lib/lazy-part.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { PausesPanel } from './pauses-panel.tsx';
import { WorkspacePolicy } from './workspace-policy.tsx';

// The parts further down the page come after it.
const PolicyList = lazyPart(async () => (await import('./policy-list.tsx')).PolicyList);
const EffectivePanel = lazyPart(async () => (await import('./effective-panel.tsx')).EffectivePanel);
const DisclosureChoice = lazyPart(async () => (await import('./disclosure-choice.tsx')).DisclosureChoice);

/** The rules for agents that send: the pauses in force, the policies, what they mean together, and the disclosure. */
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
