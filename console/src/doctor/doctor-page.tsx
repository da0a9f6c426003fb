import './doctor.css';
import { Box, Button, Group, Paper, Skeleton, Stack, Text, Title } from '@mantine/core';
import type { Finding } from '@postrider/contract/console';
import { IconRefresh } from '@tabler/icons-react';
import { useId } from 'react';
import { doctorText } from '#strings/doctor.ts';
import { errorCode } from '../lib/problem.ts';
import { useRead } from '../lib/query.ts';
import { withLocalTimes } from '../lib/times.ts';
import { ApiProblem } from '../parts/api-problem.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { PageHeader } from '../parts/page-header.tsx';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';

const tones: Record<Finding['state'], Tone> = { ok: 'good', note: 'waiting', problem: 'bad' };

/** The findings of the server about itself, worst first, each with a remedy. */
export function DoctorPage() {
  const { data, error, refetch, isFetching } = useRead(['doctor'], ({ ask }) => ask('records.doctor'), {
    // An examination asks other servers, so it happens when the page is opened or the button is pressed.
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isElsewhere = errorCode(error) === 'owner_only';
  const notice = isElsewhere ? doctorText.elsewhere : data?.findings.length === 0 && doctorText.empty;
  const again = (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={isFetching}
      onClick={() => void refetch()}
    >
      {doctorText.again}
    </Button>
  );
  return (
    <>
      <PageHeader
        title={doctorText.title}
        about={doctorText.about}
        actions={isElsewhere ? undefined : again}
      />
      <Stack gap="lg" maw={860}>
        {notice && (
          <Paper withBorder>
            <EmptyState {...notice} picture="search" />
          </Paper>
        )}
        {error && !isElsewhere && <ApiProblem error={error} onRetry={() => void refetch()} />}
        {!data && !error && (
          <>
            <Text role="status" c="dimmed">
              {doctorText.looking}
            </Text>
            <Skeleton height={420} />
          </>
        )}
        {data && <Summary at={data.at} findings={data.findings} />}
        {data && data.findings.length > 0 && (
          <Paper withBorder px="lg" py={4} className="console-rows">
            {groupFindings(data.findings).map((part) => (
              <PartRow key={part.name} part={part} />
            ))}
          </Paper>
        )}
      </Stack>
    </>
  );
}

function Summary({ at, findings }: { at: string; findings: Finding[] }) {
  const problems = countIn(findings, 'problem');
  const notes = countIn(findings, 'note');
  return (
    <Group gap="sm" role="status">
      {problems > 0 && <StatusBadge tone="bad">{doctorText.problems(problems)}</StatusBadge>}
      {notes > 0 && <StatusBadge tone="waiting">{doctorText.notes(notes)}</StatusBadge>}
      <StatusBadge tone="good">{doctorText.fine(countIn(findings, 'ok'))}</StatusBadge>
      {problems + notes === 0 && <Text>{doctorText.allGood}</Text>}
      <Text c="dimmed">
        {doctorText.looked} <Time value={at} />
      </Text>
    </Group>
  );
}

function PartRow({ part: { name, findings } }: { part: Part }) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="console-part">
      <Title order={2} id={id}>
        {name}
      </Title>
      <Stack component="ul" gap={8} m={0} p={0} style={{ listStyle: 'none' }}>
        {findings.map((finding) => (
          <FindingItem key={finding.state + finding.text} finding={finding} />
        ))}
      </Stack>
    </section>
  );
}

function FindingItem({ finding: { state, text, remedy } }: { finding: Finding }) {
  return (
    <Group component="li" align="flex-start" gap={12} wrap="nowrap" style={{ overflowWrap: 'anywhere' }}>
      <Box flex="none" w={72}>
        <StatusBadge tone={tones[state]}>{doctorText.states[state]}</StatusBadge>
      </Box>
      <Box miw={0}>
        <Text className="console-sentence">{withLocalTimes(text)}</Text>
        {remedy !== null && (
          <Text c="dimmed" style={{ whiteSpace: 'pre-line' }}>
            {doctorText.remedy}: {remedy}
          </Text>
        )}
      </Box>
    </Group>
  );
}

/** The findings about one part of the server. */
export interface Part {
  name: string;
  findings: Finding[];
}

const urgency: Record<Finding['state'], number> = { problem: 0, note: 1, ok: 2 };

/** Groups findings by part. Parts with problems come first, then those with notes, and the same within each part. */
export function groupFindings(findings: readonly Finding[]): Part[] {
  const names = [...new Set(findings.map(({ part }) => part))];
  return names
    .map((name) => ({ name, findings: sorted(findings.filter(({ part }) => part === name)) }))
    .sort((a, b) => greatestUrgency(a) - greatestUrgency(b));
}

/** Returns how many findings are in a state. */
export function countIn(findings: readonly Finding[], state: Finding['state']): number {
  return findings.filter((finding) => finding.state === state).length;
}

function sorted(findings: Finding[]): Finding[] {
  return findings.toSorted((a, b) => urgency[a.state] - urgency[b.state]);
}

function greatestUrgency({ findings }: Part): number {
  return Math.min(...findings.map(({ state }) => urgency[state]));
}
