import { Group, SimpleGrid, Skeleton, Text } from '@mantine/core';
import type { UsageDay } from '@postrider/contract/console';
import { usageText } from '#strings/usage.ts';
import { formatCount, formatFinePercent } from '../lib/numbers.ts';
import { Panel } from '../parts/panel.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { bounceRate, complaintRate, type Rate } from './judge-usage.ts';

const text = usageText.health;

const tones: Record<Exclude<Rate['verdict'], 'none'>, Tone> = { few: 'quiet', good: 'good', bad: 'bad' };
const rateHeight = 108;

/** The rates by which providers judge a sender. */
export function SendingHealth({ days }: { days: UsageDay[] | undefined }) {
  return (
    <Panel title={text.title}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xl">
        {days ? (
          <>
            <RateFigure
              name={text.bounce}
              help={text.bounceHelp}
              of={text.ofOutcomes}
              rate={bounceRate(days)}
            />
            <RateFigure
              name={text.complaint}
              help={text.complaintHelp}
              of={text.ofDelivered}
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
        <Text c="dimmed">{text.none}</Text>
      ) : (
        <>
          <Group gap="sm">
            <Text fz={22} fw={600} lh={1.4}>
              {formatFinePercent(share)}
            </Text>
            <StatusBadge tone={tones[verdict]}>{text[verdict]}</StatusBadge>
          </Group>
          <Text size="sm">{of(formatCount(count), formatCount(all))}</Text>
        </>
      )}
      <Text size="sm" c="dimmed" mt={4}>
        {help}
      </Text>
    </div>
  );
}
