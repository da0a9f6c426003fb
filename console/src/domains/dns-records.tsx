import './dns-records.css';
import { Group, Paper, Text, Title } from '@mantine/core';
import type { DnsRecord, Domain } from 'postrider';
import { domainsText } from '#strings/domains.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
import { type Found, readFound } from './read-found.ts';

const text = domainsText.records;
const tones: Record<DnsRecord['status'], Tone> = { pending: 'waiting', verified: 'good', failed: 'bad' };

/** The records of a domain: the values to publish, the values found, and the changes to make. */
export function DnsRecords({ domain: { records } }: { domain: Domain }) {
  return (
    <section aria-labelledby="records">
      <Title order={2} id="records">
        {text.title}
      </Title>
      <Text c="dimmed" mb="sm">
        {text.about}
      </Text>
      <Paper withBorder className="console-rows">
        {records.map((record) => (
          <RecordBlock key={record.purpose} record={record} />
        ))}
      </Paper>
    </section>
  );
}

function RecordBlock({ record }: { record: DnsRecord }) {
  const { type, name, value, priority, purpose, status } = record;
  const found = readFound(record);
  return (
    <div className="console-record">
      <Group gap="xs" align="baseline">
        <Title order={3}>{text.purposes[purpose]}</Title>
        <StatusBadge tone={tones[status]}>{text.status[status]}</StatusBadge>
        <Text size="sm" c="dimmed">
          {text.purposeHelp[purpose]}
        </Text>
      </Group>
      <dl>
        <dt>{text.type}</dt>
        <dd>
          <code>{type}</code>
        </dd>
        <dt>{text.name}</dt>
        <dd>
          <code>{name}</code>
          <CopyButton value={name} label={text.copyName(text.purposes[purpose])} size="xs" />
        </dd>
        {priority !== null && (
          <>
            <dt>{text.priority}</dt>
            <dd>
              <code>{priority}</code>
            </dd>
          </>
        )}
        <dt>{text.value}</dt>
        <dd>
          <code>{value}</code>
          <CopyButton value={value} label={text.copyValue(text.purposes[purpose])} size="xs" />
        </dd>
        {(status !== 'verified' || found?.warning) && <FoundRows record={record} found={found} />}
      </dl>
    </div>
  );
}

function FoundRows({ record, found }: { record: DnsRecord; found: Found | null }) {
  const todo = adviceFor(record, found);
  return (
    <>
      <dt>{text.found}</dt>
      <dd style={{ display: 'block' }}>
        {found === null ? text.notLooked : found.text}
        {found?.warning && <Text c="var(--mantine-color-error)">{found.warning}</Text>}
        {found?.at && (
          <Text size="xs" c="dimmed">
            {found.server === null ? text.looked : text.asked(found.server)}, <Time value={found.at} />
          </Text>
        )}
      </dd>
      {todo !== null && (
        <>
          <dt>{text.toDo}</dt>
          <dd>{todo}</dd>
        </>
      )}
    </>
  );
}

function adviceFor({ purpose, status }: DnsRecord, found: Found | null): string | null {
  if (status === 'verified') return null;
  if (found?.text.startsWith('a weaker policy')) return text.advice.weaker;
  return status === 'failed' ? text.advice.failed[purpose] : text.advice.pending;
}
