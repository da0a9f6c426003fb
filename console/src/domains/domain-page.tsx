import { Button, Group, Paper, Skeleton, Stack, Text, Timeline, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCheck, IconDownload, IconRefresh } from '@tabler/icons-react';
import type { Domain } from 'postrider';
import { useNavigate, useParams } from 'react-router';
import { domainsText } from '#strings/domains.ts';
import { saveText } from '../lib/browser.ts';
import { useChange, useClients, useRead } from '../lib/query.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { ActionButton } from '../parts/buttons.tsx';
import { CodeBlock } from '../parts/code-block.tsx';
import { ConfirmButton } from '../parts/confirm-dialog.tsx';
import { OwnersOnly } from '../parts/owners-only.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { Section } from '../parts/panel.tsx';
import { Time } from '../parts/time.tsx';
import { DmarcRamp } from './dmarc-ramp.tsx';
import { DnsRecords, nextLook } from './dns-records.tsx';
import { countRight, DomainStatus, lookAgainMs } from './domain-status.tsx';

const { actions: actionText, zone: zoneText } = domainsText;
const back = { to: '/domains', label: domainsText.back };

/** One domain: how far its verification is, its records, and its DMARC policy. */
export function DomainPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useRead(
    ['domains', id],
    ({ api, signal }) => api.domains.get(id, { signal }),
    { refetchInterval: ({ state }) => (state.data ? lookAgainMs([state.data]) : false) },
  );
  if (data) return <DomainContent domain={data} />;
  return (
    <>
      <PageHeader title={domainsText.title} back={back} />
      {error ? (
        <ApiProblem error={error} onRetry={() => void refetch()} />
      ) : (
        <Stack gap="xl">
          <Skeleton height={150} />
          <Skeleton height={620} />
        </Stack>
      )}
    </>
  );
}

function DomainContent({ domain }: { domain: Domain }) {
  return (
    <>
      <PageHeader
        title={domain.hostname}
        about={domainsText.kinds[domain.kind]}
        back={back}
        actions={<DomainActions domain={domain} />}
      />
      <Stack gap="xl">
        <StatusTimeline domain={domain} />
        <DnsRecords domain={domain} />
        {domain.kind === 'byo' && <ZoneFile domain={domain} />}
        <DmarcRamp domain={domain} />
      </Stack>
    </>
  );
}

function DomainActions({ domain: { id, hostname } }: { domain: Domain }) {
  const { mutateAsync: verify } = useChange(['domains'], ({ api }) => api.domains.verify(id));
  const { api } = useClients();
  const navigate = useNavigate();
  async function check() {
    const domain = await verify();
    const wrong = domain.records.length - countRight(domain);
    return wrong === 0
      ? { message: actionText.verified }
      : { message: actionText.incomplete(wrong), tone: 'bad' as const };
  }
  async function remove() {
    await api.domains.delete(id);
    void navigate('/domains');
  }
  return (
    <>
      <ActionButton variant="filled" leftSection={<IconRefresh size={14} aria-hidden />} onAct={check}>
        {actionText.verify}
      </ActionButton>
      <OwnersOnly>
        <ConfirmButton {...actionText.delete(hostname)} onConfirm={remove} />
      </OwnersOnly>
    </>
  );
}

function ZoneFile({ domain: { id, hostname } }: { domain: Domain }) {
  const [isShown, { open }] = useDisclosure(false);
  const { data, error, refetch } = useRead(
    ['domains', id, 'zone'],
    async ({ ask }) => (await ask('records.zoneFile', { params: { id } })).text,
    { enabled: isShown },
  );
  const isMissing = data === undefined;
  const action = (
    <Button
      size="xs"
      variant="default"
      leftSection={isMissing ? null : <IconDownload size={14} aria-hidden />}
      loading={isMissing && isShown && !error}
      onClick={isMissing ? open : () => saveText(`${hostname}.zone`, data)}
    >
      {isMissing ? zoneText.show : zoneText.download}
    </Button>
  );
  return (
    <Section title={zoneText.title} about={zoneText.about} actions={action}>
      {error && <ApiProblem error={error} onRetry={() => void refetch()} />}
      {isShown && isMissing && !error && <Skeleton height={200} />}
      {!isMissing && <CodeBlock label={`${hostname}.zone`} code={data} />}
    </Section>
  );
}

const text = domainsText.timeline;
const done = <IconCheck size={12} aria-hidden />;

function StatusTimeline({ domain }: { domain: Domain }) {
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
            <Text variant="detail">
              <Time value={created_at} absolute />
            </Text>
          </Timeline.Item>
          <Timeline.Item
            bullet={isAll ? done : null}
            title={isAll ? text.foundAll : text.found(right, records.length)}
          />
          <Timeline.Item bullet={status === 'verified' ? done : null} title={text.verified}>
            <Text variant="detail">
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
