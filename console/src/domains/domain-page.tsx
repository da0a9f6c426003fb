import { Skeleton, Stack } from '@mantine/core';
import type { Domain } from 'postrider';
import { useParams } from 'react-router';
import { domainsText } from '#strings/domains.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { DmarcRamp } from './dmarc-ramp.tsx';
import { DnsRecords } from './dns-records.tsx';
import { DomainActions } from './domain-actions.tsx';
import { useDomain } from './domain-queries.ts';
import { StatusTimeline } from './status-timeline.tsx';
import { ZoneFile } from './zone-file.tsx';

const back = { to: '/domains', label: domainsText.back };

/** One domain: how far its verification is, its records, and its DMARC policy. */
export function DomainPage() {
  const { id = '' } = useParams();
  const { data: domain, error, refetch } = useDomain(id);
  if (domain) return <DomainContent domain={domain} />;
  return (
    <>
      <PageHeader title={domainsText.title} back={back} />
      {error ? <ApiProblem error={error} onRetry={() => void refetch()} /> : <DomainSkeleton />}
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

function DomainSkeleton() {
  return (
    <Stack gap="xl">
      <Skeleton height={150} />
      <Skeleton height={620} />
    </Stack>
  );
}
