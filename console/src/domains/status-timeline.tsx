import { Group, Paper, Text, Timeline, Title } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import type { Domain } from 'postrider';
import { domainsText } from '#strings/domains.ts';
import { Time } from '../parts/time.tsx';
import { countRight, DomainStatus } from './domain-status.tsx';
import { nextLook } from './read-found.ts';

const text = domainsText.timeline;
const done = <IconCheck size={12} aria-hidden />;

/** How far a domain is: added, found, verified; what that means, and when we look next. */
export function StatusTimeline({ domain }: { domain: Domain }) {
  const { status, created_at, verified_at, records } = domain;
  const right = countRight(domain);
  const isAll = right === records.length;
  const isChecked = records.some(({ found }) => found !== null);
  const next = nextLook(records);
  const reached = status === 'verified' ? 2 : isAll ? 1 : 0;
  return (
    <Paper withBorder p="md" component="section" aria-label={text.title}>
      <Group justify="space-between" align="flex-start" gap="xl">
        <Timeline active={reached} bulletSize={20} lineWidth={2}>
          <Timeline.Item bullet={done} title={text.added}>
            <Text size="xs" c="dimmed">
              <Time value={created_at} absolute />
            </Text>
          </Timeline.Item>
          <Timeline.Item
            bullet={isAll ? done : null}
            title={isAll ? text.foundAll : text.found(right, records.length)}
          />
          <Timeline.Item bullet={status === 'verified' ? done : null} title={text.verified}>
            <Text size="xs" c="dimmed">
              {verified_at === null ? text.notYet : <Time value={verified_at} absolute />}
            </Text>
          </Timeline.Item>
        </Timeline>
        <div style={{ flex: '1 1 320px' }}>
          <Group gap="xs" mb={6}>
            <Title order={2}>{domainsText.statusTitle}</Title>
            <DomainStatus status={status} />
          </Group>
          <Text>{explain(domain)}</Text>
          {next !== null && (
            <Text c="dimmed" mt={6}>
              {text.next}: <Time value={next} absolute /> (<Time value={next} />)
            </Text>
          )}
          {!isChecked && (
            <Text c="dimmed" mt={6}>
              {text.soon}
            </Text>
          )}
        </div>
      </Group>
    </Paper>
  );
}

function explain({ status, verified_at }: Domain): string {
  if (verified_at !== null && status === 'verifying') return text.explain.lost;
  if (verified_at !== null && status === 'failed') return text.explain.lostForGood;
  return text.explain[status];
}
