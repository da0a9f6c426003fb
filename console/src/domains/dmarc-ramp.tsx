import { Code, Group, Paper, SimpleGrid, Text } from '@mantine/core';
import type { DmarcPolicy, Domain } from 'postrider';
import { domainsText } from '#strings/domains.ts';
import { useChange } from '../lib/query.ts';
import { ActionButton } from '../parts/buttons.tsx';
import { ConfirmButton } from '../parts/confirm-dialog.tsx';
import { OwnersOnly } from '../parts/owners-only.tsx';
import { Section } from '../parts/panel.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { readFound } from './dns-records.tsx';

const text = domainsText.dmarc;
const steps: DmarcPolicy[] = ['none', 'quarantine', 'reject'];

/** The DMARC policy of a domain, and the steps to a stricter one. */
export function DmarcRamp({ domain }: { domain: Domain }) {
  const record = domain.records.find(({ purpose }) => purpose === 'dmarc');
  const reports = record ? (readFound(record)?.reports ?? null) : null;
  return (
    <Section title={text.title} about={text.about}>
      <SimpleGrid component="ol" cols={{ base: 1, sm: 3 }} spacing="xs" m={0} p={0}>
        {steps.map((policy) => (
          <Step key={policy} policy={policy} isCurrent={policy === domain.dmarc_policy} />
        ))}
      </SimpleGrid>
      <Text>
        <Text span c="dimmed">
          {text.reports}:
        </Text>{' '}
        {reports ?? text.noReports}
      </Text>
      <OwnersOnly>
        <Moves domain={domain} />
      </OwnersOnly>
    </Section>
  );
}

function Step({ policy, isCurrent }: { policy: DmarcPolicy; isCurrent: boolean }) {
  return (
    <Paper
      component="li"
      withBorder
      px="sm"
      py={10}
      aria-current={isCurrent ? 'step' : undefined}
      style={{ listStyle: 'none', ...(isCurrent && currentLook) }}
    >
      <Group gap="xs">
        <Code>{text.policies[policy].name}</Code>
        {isCurrent && <StatusBadge tone="good">{text.current}</StatusBadge>}
      </Group>
      <Text size="sm" mt={4}>
        {text.policies[policy].about}
      </Text>
    </Paper>
  );
}

const currentLook = {
  borderColor: 'var(--mantine-primary-color-filled)',
  background: 'var(--console-selected)',
};

function Moves({ domain: { id, dmarc_policy, kind } }: { domain: Domain }) {
  const { mutateAsync } = useChange(['domains'], ({ api }, policy: DmarcPolicy) =>
    api.domains.dmarc(id, { policy }),
  );
  const place = steps.indexOf(dmarc_policy);
  const [up, down] = [steps[place + 1], steps[place - 1]];
  const done = kind === 'byo' ? text.done : text.doneByUs;
  async function goBack(policy: DmarcPolicy) {
    await mutateAsync(policy);
    return { message: done(policy) };
  }
  return (
    <Group gap="xs">
      {up && (
        <ConfirmButton variant="filled" {...text.up(up)} done={done(up)} onConfirm={() => mutateAsync(up)} />
      )}
      {down && <ActionButton onAct={() => goBack(down)}>{text.down(down)}</ActionButton>}
    </Group>
  );
}
