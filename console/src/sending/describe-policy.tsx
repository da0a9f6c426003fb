import { Group, Text } from '@mantine/core';
import type { EffectivePolicy, Policy, PolicyIn, PolicyLine } from '@postrider/contract';
import type { HeldWebhook } from '@postrider/contract/console';
import { partsText } from '#strings/parts.ts';
import { policyText, sendingText } from '#strings/sending.ts';
import { notify } from '../parts/notify.ts';
import { StatusBadge } from '../parts/status-badge.tsx';

/** A line with a number. */
export type CapLine = Exclude<PolicyLine, 'send' | 'recipients'>;

/** The lines with numbers, in the order in which they are shown. */
export const capLines: CapLine[] = [
  'per_hour',
  'per_day',
  'per_thread_hour',
  'per_recipient_day',
  'recipients_max',
];

/** All lines, in the order in which they are shown. */
export const policyLines: PolicyLine[] = ['send', 'recipients', ...capLines];

/** Returns the value of a setting in a few words; null if the setting limits nothing. */
export function shortValue(line: PolicyLine, lines: PolicyIn): string | null {
  if (line === 'send') {
    const { send = 'allow' } = lines;
    return send === 'allow' ? null : policyText.modes[send].short;
  }
  if (line === 'recipients') {
    const { recipients = 'anyone' } = lines;
    if (recipients === 'anyone') return null;
    return recipients === 'known' ? policyText.recipients.known.name : policyText.listOf(recipients.length);
  }
  const count = lines[line];
  return count == null ? null : String(count);
}

/** Returns who may get mail and the caps of a policy in short words, such as "Known" and "20 an hour". */
export function summarizePolicy(lines: PolicyIn): string[] {
  const { recipients = 'anyone' } = lines;
  const who = Array.isArray(recipients) ? listText(recipients) : shortValue('recipients', lines);
  const caps = capLines.flatMap((line) => {
    const count = lines[line];
    return count == null ? [] : [policyText.shortCaps[line](count)];
  });
  return who === null ? caps : [who, ...caps];
}

/** Returns the meaning of a setting of an effective policy, as a sentence; null if it limits nothing. */
export function describeLine(line: PolicyLine, policy: EffectivePolicy): string | null {
  if (line === 'send') return policy.send === 'allow' ? null : policyText.modes[policy.send].about;
  if (line === 'recipients') {
    const { recipients } = policy;
    if (recipients === 'anyone') return null;
    if (recipients === 'known') return policyText.recipients.known.about;
    return recipients.length === 0 ? policyText.toNobody : policyText.onlyTo(listText(recipients));
  }
  const count = policy[line];
  return count === null ? null : policyText.caps[line](count);
}

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

function listText(list: string[]): string {
  return list.length === 0 ? policyText.nobody : policyText.listed(list);
}

/** Names the webhooks of keys under a policy, which stay active, until the notice is closed. */
export function notifyHeld(webhooks: HeldWebhook[]): void {
  if (webhooks.length > 0) void notify({ message: sendingText.workspace.held(webhooks), tone: 'bad' });
}

/** The careful defaults of the contract. A test keeps them equal, because the contract itself is too large for pages. */
export const carefulPolicy: Policy = {
  send: 'allow',
  recipients: 'known',
  per_hour: 20,
  per_day: 100,
  per_thread_hour: 10,
  per_recipient_day: 10,
  recipients_max: 5,
};
