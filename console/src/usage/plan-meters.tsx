import { Group, Progress, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import type { Account } from 'postrider';
import { usageText } from '#strings/usage.ts';
import { byteSize } from '../lib/byte-size.ts';
import { formatCount, formatPercent } from '../lib/numbers.ts';
import { useAccount } from '../lib/shared-queries.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { Panel } from '../parts/panel.tsx';
import { type Fullness, judgeFullness, usedShare } from './judge-usage.ts';

const text = usageText.meters;
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

/** The used part of the limits of the plan, with warnings from 80 per cent on. */
export function PlanMeters() {
  const { data, error, refetch } = useAccount();
  return (
    <Panel title={text.title}>
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
  const { near, full } = text;
  const date = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' });
  return [
    {
      name: text.emails,
      used: usage.emails_this_month,
      limit: limits.emails_per_month,
      format: formatCount,
      near: text.nearEmails,
      full: text.fullEmails,
      help: text.emailsHelp(date.format(renewed)),
    },
    { name: text.inboxes, used: usage.inboxes, limit: limits.inboxes, format: formatCount, near, full },
    {
      name: text.storage,
      used: usage.storage_bytes,
      limit: limits.storage_bytes,
      format: byteSize,
      near,
      full,
    },
    { name: text.mail, used: usage.mail_bytes, limit: limits.mail_bytes, format: byteSize, near, full },
  ];
}

function Meter({ name, used, limit, format, near, full, help }: MeterProps) {
  const fullness = judgeFullness(used, limit);
  const share = usedShare(used, limit);
  const amount = text.of(format(used), format(limit));
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
      {fullness === 'fine' && help !== undefined && (
        <Text size="sm" c="dimmed">
          {help}
        </Text>
      )}
      {fullness !== 'fine' && (
        <Text size="sm" role="status" c={fullness === 'full' ? 'var(--mantine-color-error)' : undefined}>
          {fullness === 'full' ? full : near(formatPercent(share))}
        </Text>
      )}
    </Stack>
  );
}
