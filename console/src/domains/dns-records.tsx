import { Box, Group, Paper, Text, Title } from '@mantine/core';
import type { DnsRecord, Domain } from 'postrider';
import { domainsText } from '#strings/domains.ts';
import { type Fact, FactList } from '../parts/fact-list.tsx';
import { Section } from '../parts/panel.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';

const text = domainsText.records;
const tones: Record<DnsRecord['status'], Tone> = { pending: 'waiting', verified: 'good', failed: 'bad' };

/** The records of a domain: the values to publish, the values found, and the changes to make. */
export function DnsRecords({ domain: { records } }: { domain: Domain }) {
  return (
    <Section title={text.title} about={text.about}>
      <Paper withBorder className="console-rows">
        {records.map((record) => (
          <RecordBlock key={record.purpose} record={record} />
        ))}
      </Paper>
    </Section>
  );
}

function RecordBlock({ record }: { record: DnsRecord }) {
  const { type, name, value, priority, purpose, status } = record;
  const purposeName = text.purposes[purpose];
  return (
    <Box px="md" py={14}>
      <Group gap="xs" align="baseline" mb={6}>
        <Title order={3}>{purposeName}</Title>
        <StatusBadge tone={tones[status]}>{text.status[status]}</StatusBadge>
        <Text variant="note">{text.purposeHelp[purpose]}</Text>
      </Group>
      <FactList
        facts={[
          { name: text.type, value: <Literal>{type}</Literal> },
          {
            name: text.name,
            value: <Literal>{name}</Literal>,
            copy: name,
            copyLabel: text.copyName(purposeName),
          },
          ...(priority === null ? [] : [{ name: text.priority, value: <Literal>{priority}</Literal> }]),
          {
            name: text.value,
            value: <Literal>{value}</Literal>,
            copy: value,
            copyLabel: text.copyValue(purposeName),
          },
          ...listFound(record),
        ]}
      />
    </Box>
  );
}

function Literal({ children }: { children: string | number }) {
  return (
    <Text component="code" ff="monospace" fz="xs">
      {children}
    </Text>
  );
}

function listFound(record: DnsRecord): Fact[] {
  const found = readFound(record);
  if (record.status === 'verified' && !found?.warning) return [];
  const value = (
    <>
      {found === null ? text.notLooked : found.text}
      {found?.warning && (
        <Text component="span" display="block" c="var(--mantine-color-error)">
          {found.warning}
        </Text>
      )}
      {found?.at && (
        <Text component="span" display="block" variant="detail">
          {found.server === null ? text.looked : text.asked(found.server)}, <Time value={found.at} />
        </Text>
      )}
    </>
  );
  const todo = adviceFor(record, found);
  return [{ name: text.found, value }, ...(todo === null ? [] : [{ name: text.toDo, value: todo }])];
}

function adviceFor({ purpose, status }: DnsRecord, found: Found | null): string | null {
  if (status === 'verified') return null;
  if (found?.text.startsWith('a weaker policy')) return text.advice.weaker;
  return status === 'failed' ? text.advice.failed[purpose] : text.advice.pending;
}

/** The result of the last check of a record, in parts. */
export interface Found {
  /** A sentence about the problem, or else the published value. */
  text: string;
  /** A risk that remains although the record is right. */
  warning: string | null;
  /** The reports of receivers; for DMARC. */
  reports: string | null;
  server: string | null;
  /** ISO 8601. */
  at: string | null;
  /** The time of the next check, in ISO 8601. */
  next: string | null;
}

const place =
  /; (?:looked|asked (?<server>[^;]{1,300})) at (?<at>[\d:.TZ-]+)(?:; next look at (?<next>[\d:.TZ-]+))?$/;
const reported = /(?:^|; )(?<reports>reports of \d+ days: .*|warning: receivers reported .*)$/;
const warned = /(?:^|; )warning: (?<warning>.*)$/;

/** Reads the API's result for a record; null if it has not been checked yet. */
export function readFound({ found, hint }: Pick<DnsRecord, 'found' | 'hint'>): Found | null {
  if (found === null && hint === null) return null;
  const [afterPlace, { server = null, at = null, next = null }] = cut(hint ?? '', place);
  const [afterReports, { reports = null }] = cut(afterPlace, reported);
  const [said, { warning = null }] = cut(afterReports, warned);
  return {
    text: said || (found ?? ''),
    warning,
    reports: reports?.replace(/^warning: /, '') ?? null,
    server,
    at,
    next,
  };
}

function cut(text: string, end: RegExp): [string, Record<string, string | undefined>] {
  const match = end.exec(text);
  return match ? [text.slice(0, match.index), match.groups ?? {}] : [text, {}];
}

/** Returns the time of the next look at any of the records; null if the API names none. */
export function nextLook(records: Pick<DnsRecord, 'found' | 'hint'>[]): string | null {
  const times = records.flatMap((record) => readFound(record)?.next ?? []);
  return times.sort()[0] ?? null;
}
