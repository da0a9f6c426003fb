import { Group, Text } from '@mantine/core';
import type { PolicyIn } from '@postrider/contract';
import { partsText } from '#strings/parts.ts';
import { policyText } from '#strings/sending.ts';
import { StatusBadge } from '../parts/status-badge.tsx';
import { summarizePolicy } from './describe-policy.ts';

const tones = { approve: 'waiting', never: 'bad' } as const;

/** The lines of a policy in short words. */
export function PolicySummary({ lines }: { lines: PolicyIn }) {
  const { send = 'allow' } = lines;
  const others = summarizePolicy(lines);
  if (send === 'allow' && others.length === 0) return <Text c="dimmed">{policyText.nothingSet}</Text>;
  return (
    <Group gap={6}>
      {send !== 'allow' && <StatusBadge tone={tones[send]}>{policyText.modes[send].short}</StatusBadge>}
      <Text style={{ overflowWrap: 'anywhere' }}>{others.join(partsText.separator)}</Text>
    </Group>
  );
}
