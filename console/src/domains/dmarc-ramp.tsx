import './dmarc-ramp.css';
import { Button, Code, Group, Text, Title } from '@mantine/core';
import type { DmarcPolicy, Domain } from 'postrider';
import { domainsText } from '#strings/domains.ts';
import { ConfirmButton } from '../parts/confirm-button.tsx';
import { notify } from '../parts/notify.ts';
import { notifyProblem } from '../parts/notify-problem.ts';
import { OwnersOnly } from '../parts/owners-only.tsx';
import { StatusBadge } from '../parts/status-badge.tsx';
import { useSetDmarcPolicy } from './domain-queries.ts';
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
      <ol className="console-ramp">
        {steps.map((policy) => (
          <li key={policy} aria-current={policy === domain.dmarc_policy ? 'step' : undefined}>
            <Group gap="xs">
              <Code>{text.policies[policy].name}</Code>
              {policy === domain.dmarc_policy && <StatusBadge tone="good">{text.current}</StatusBadge>}
            </Group>
            <Text size="sm" mt={4}>
              {text.policies[policy].about}
            </Text>
          </li>
        ))}
      </ol>
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

function Moves({ domain: { id, dmarc_policy, kind } }: { domain: Domain }) {
  const { mutate, mutateAsync, isPending } = useSetDmarcPolicy(id);
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
