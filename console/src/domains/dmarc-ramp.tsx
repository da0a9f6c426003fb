import { Button, Code, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import type { DmarcPolicy, Domain } from 'postrider';
import { domainsText } from '#strings/domains.ts';
import { useChange } from '../lib/query.ts';
import { ConfirmButton } from '../parts/confirm-dialog.tsx';
import { notify, notifyProblem } from '../parts/notify.ts';
import { OwnersOnly } from '../parts/owners-only.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { readFound } from './read-found.ts';

const text = domainsText.dmarc;
const steps: DmarcPolicy[] = ['none', 'quarantine', 'reject'];

/** The DMARC policy of a domain, and the steps to a stricter one. */
export function DmarcRamp({ domain }: { domain: Domain }) {
  const record = domain.records.find(({ purpose }) => purpose === 'dmarc');
  const reports = record ? (readFound(record)?.reports ?? null) : null;
  return (
    <section aria-labelledby="dmarc">
      <Title order={2} id="dmarc">
        {text.title}
      </Title>
      <Text c="dimmed" mb="sm">
        {text.about}
      </Text>
      <SimpleGrid component="ol" cols={{ base: 1, sm: 3 }} spacing="xs" m={0} mb="sm" p={0}>
        {steps.map((policy) => (
          <Step key={policy} policy={policy} isCurrent={policy === domain.dmarc_policy} />
        ))}
      </SimpleGrid>
      <Text mb="sm">
        <Text span c="dimmed">
          {text.reports}:
        </Text>{' '}
        {reports ?? text.noReports}
      </Text>
      <OwnersOnly>
        <Moves domain={domain} />
      </OwnersOnly>
    </section>
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
  const { mutate, mutateAsync, isPending } = useChange(
    ({ api }, policy: DmarcPolicy) => api.domains.dmarc(id, { policy }),
    ['domains'],
  );
  const place = steps.indexOf(dmarc_policy);
  const [up, down] = [steps[place + 1], steps[place - 1]];
  const done = (policy: string) =>
    void notify({ message: kind === 'byo' ? text.done(policy) : text.doneByUs(policy) });
  return (
    <Group gap="xs">
      {up && (
        <ConfirmButton
          variant="filled"
          title={text.upTitle(up)}
          message={text.upMessage}
          confirm={text.upConfirm(up)}
          onConfirm={async () => {
            await mutateAsync(up);
            done(up);
          }}
        >
          {text.up(up)}
        </ConfirmButton>
      )}
      {down && (
        <Button
          size="xs"
          variant="default"
          loading={isPending}
          onClick={() =>
            mutate(down, {
              onSuccess: () => done(down),
              onError: notifyProblem,
            })
          }
        >
          {text.down(down)}
        </Button>
      )}
    </Group>
  );
}
