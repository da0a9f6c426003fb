import { Group, SegmentedControl, Skeleton, Stack } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { usageText } from '#strings/usage.ts';
import { useRead } from '../lib/query.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { PlanMeters } from './plan-meters.tsx';
import { SendingHealth } from './sending-health.tsx';

// The library of charts is larger than all other pages together.
const DayCharts = lazy(async () => ({ default: (await import('./day-charts.tsx')).DayCharts }));

const defaults = { days: '30' };
const chartsHeight = 640;

/** The usage of the plan, how well mail arrives, and the figures of each day. */
export function UsagePage() {
  const [asked, change] = useUrlState(defaults);
  const range = asked.days in usageText.ranges ? asked.days : defaults.days;
  // The days before are shown until the new ones are there.
  const {
    data: days,
    error,
    refetch,
  } = useRead(
    ['usage', 'days', range],
    async ({ ask }) => (await ask('records.usage', { query: { days: Number(range) } })).days,
    { placeholderData: keepPreviousData },
  );
  const ranges = Object.entries(usageText.ranges).map(([value, label]) => ({ value, label }));
  return (
    <>
      <PageHeader title={usageText.title} about={usageText.about} />
      <Stack gap="lg">
        <PlanMeters />
        <Group justify="flex-end">
          <SegmentedControl
            aria-label={usageText.range}
            size="xs"
            value={range}
            onChange={(next) => change({ days: next })}
            data={ranges}
          />
        </Group>
        {error && !days && <ApiProblem error={error} onRetry={() => void refetch()} />}
        <SendingHealth days={days} />
        <Panel title={usageText.charts.title}>
          <Suspense fallback={<Skeleton height={chartsHeight} />}>
            {days ? <DayCharts days={days} /> : <Skeleton height={chartsHeight} />}
          </Suspense>
        </Panel>
      </Stack>
    </>
  );
}
