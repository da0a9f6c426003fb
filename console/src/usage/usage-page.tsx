import { Group, Progress, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { UsageDay } from '@postrider/contract/console';
import { keepPreviousData } from '@tanstack/react-query';
import type { Account } from 'postrider';
import { lazy, Suspense } from 'react';
import { usageText } from '#strings/usage.ts';
import { byteSize, formatCount, formatFinePercent, formatPercent } from '../lib/numbers.ts';
import { useRead } from '../lib/query.ts';
import { useAccount } from '../lib/shared-queries.ts';
import { useUrlState } from '../lib/use-url-state.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Panel } from '../parts/panel.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import {
  bounceRate,
  complaintRate,
  type Fullness,
  judgeFullness,
  type Rate,
  usedShare,
} from './judge-usage.ts';

// The library of charts is larger than all other pages together.
const DayCharts = lazy(async () => ({ default: (await import('./day-charts.tsx')).DayCharts }));

const defaults = { days: '30' };
const chartsHeight = 640;

/** The usage of the plan, how well mail arrives, and the figures of each day. */
export function UsagePage() {
  const [asked, change] = useUrlState(defaults);
  const range = asked.days in usageText.ranges ? asked.days : defaults.days;
  const { data, error, refetch } = useRead(
    ['usage', 'days', range],
    ({ ask }) => ask('records.usage', { query: { days: Number(range) } }),
    { placeholderData: keepPreviousData },
  );
  const days = data?.days;
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

const metersText = usageText.meters;
const colours: Record<Fullness, string> = { fine: 'pine', near: 'yellow', full: 'red' };
const skeletonHeight = 44;
/** Something that is used is seen, however little it is. */
const shownPercentMin = 1;

interface MeterProps {
  name: string;
  used: number;
  limit: number;
  format(amount: number): string;
  /** The advice at 80 per cent, and at the limit. */
  near(share: string): string;
  full: string;
  help?: string;
}

function PlanMeters() {
  const { data, error, refetch } = useAccount();
  return (
    <Panel title={metersText.title}>
      {error && !data && <ApiProblem error={error} onRetry={() => void refetch()} />}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xl" verticalSpacing="lg">
        {data
          ? listMeters(data).map((meter) => <Meter key={meter.name} {...meter} />)
          : !error && ['1', '2', '3', '4'].map((key) => <Skeleton key={key} height={skeletonHeight} />)}
      </SimpleGrid>
    </Panel>
  );
}

function listMeters({ usage, limits }: Account): MeterProps[] {
  const renewed = new Date(usage.month_ends_at);
  const { near, full } = metersText;
  const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
  return [
    {
      name: metersText.emails,
      used: usage.emails_this_month,
      limit: limits.emails_per_month,
      format: formatCount,
      near: metersText.nearEmails,
      full: metersText.fullEmails,
      help: metersText.emailsHelp(date.format(renewed)),
    },
    { name: metersText.inboxes, used: usage.inboxes, limit: limits.inboxes, format: formatCount, near, full },
    {
      name: metersText.storage,
      used: usage.storage_bytes,
      limit: limits.storage_bytes,
      format: byteSize,
      near,
      full,
    },
    { name: metersText.mail, used: usage.mail_bytes, limit: limits.mail_bytes, format: byteSize, near, full },
  ];
}

function Meter({ name, used, limit, format, near, full, help }: MeterProps) {
  const fullness = judgeFullness(used, limit);
  const share = usedShare(used, limit);
  const amount = metersText.of(format(used), format(limit));
  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs">
        <Text fw={500}>{name}</Text>
        <Text c="dimmed">{amount}</Text>
      </Group>
      <Progress.Root size="md">
        <Progress.Section
          value={used === 0 ? 0 : Math.max(shownPercentMin, Math.round(share * 100))}
          color={colours[fullness]}
          aria-label={name}
          aria-valuetext={amount}
        />
      </Progress.Root>
      {fullness === 'fine' && help !== undefined && <Text variant="note">{help}</Text>}
      {fullness !== 'fine' && (
        <Text size="sm" role="status" c={fullness === 'full' ? 'var(--mantine-color-error)' : undefined}>
          {fullness === 'full' ? full : near(formatPercent(share))}
        </Text>
      )}
    </Stack>
  );
}

const healthText = usageText.health;

const tones: Record<Exclude<Rate['verdict'], 'none'>, Tone> = { few: 'quiet', good: 'good', bad: 'bad' };
const rateHeight = 108;

function SendingHealth({ days }: { days: UsageDay[] | undefined }) {
  return (
    <Panel title={healthText.title}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xl">
        {days ? (
          <>
            <RateFigure
              name={healthText.bounce}
              help={healthText.bounceHelp}
              of={healthText.ofOutcomes}
              rate={bounceRate(days)}
            />
            <RateFigure
              name={healthText.complaint}
              help={healthText.complaintHelp}
              of={healthText.ofDelivered}
              rate={complaintRate(days)}
            />
          </>
        ) : (
          ['1', '2'].map((key) => <Skeleton key={key} height={rateHeight} />)
        )}
      </SimpleGrid>
    </Panel>
  );
}

interface RateFigureProps {
  name: string;
  help: string;
  of(count: string, all: string): string;
  rate: Rate;
}

function RateFigure({ name, help, of, rate: { count, all, share, verdict } }: RateFigureProps) {
  return (
    <div style={{ minHeight: rateHeight }}>
      <Text fw={500}>{name}</Text>
      {verdict === 'none' ? (
        <Text c="dimmed">{healthText.none}</Text>
      ) : (
        <>
          <Group gap="sm">
            <Text fz={22} fw={600} lh={1.4}>
              {formatFinePercent(share)}
            </Text>
            <StatusBadge tone={tones[verdict]}>{healthText[verdict]}</StatusBadge>
          </Group>
          <Text size="sm">{of(formatCount(count), formatCount(all))}</Text>
        </>
      )}
      <Text variant="note" mt={4}>
        {help}
      </Text>
    </div>
  );
}
