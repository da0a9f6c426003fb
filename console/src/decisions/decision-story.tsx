import { Anchor, Code, Group, Text } from '@mantine/core';
import type { MailDecision } from '@postrider/contract/console';
import { Link } from 'react-router';
import { decisionsText } from '#strings/decisions.ts';
import { messagePath } from '../lib/mail-paths.ts';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { explainReply } from './explain-reply.ts';
import { nearestAddress } from './nearest-address.ts';

const tones: Record<MailDecision['verdict'], Tone> = {
  accepted: 'good',
  refused: 'bad',
  deferred: 'waiting',
  repeated: 'quiet',
};

interface DecisionStoryProps {
  decision: MailDecision;
  /** The addresses of the workspace. */
  addresses: readonly string[];
}

/** A decision in plain words, the reply that the sender got, and what can be done. */
export function DecisionStory({ decision, addresses }: DecisionStoryProps) {
  const { verdict, reply, rcpt_to, inbox_id, message_id } = decision;
  const { meaning, remedy } = explainReply(decision);
  const isUnknown = verdict === 'refused' && inbox_id === null && rcpt_to !== null;
  const nearest = isUnknown ? nearestAddress(rcpt_to, addresses) : null;
  return (
    <>
      <Group gap="xs" align="flex-start">
        <StatusBadge tone={tones[verdict]}>{decisionsText.verdicts[verdict]}</StatusBadge>
        <Text title={message_id === null ? undefined : reply} flex="0 1 auto" maw="calc(100% - 90px)">
          {meaning} {remedy}
        </Text>
        {message_id !== null && (
          <Anchor component={Link} to={messagePath(message_id)} size="sm">
            {decisionsText.show}
          </Anchor>
        )}
      </Group>
      {nearest !== null && <Text fw={500}>{decisionsText.nearest(nearest)}</Text>}
      {message_id === null && <Code className="console-reply">{reply}</Code>}
    </>
  );
}

/** Sender, recipient and host of a mail. */
export function MailFacts({ decision }: { decision: MailDecision }) {
  const { mail_from, rcpt_to, helo, remote_address } = decision;
  const { noSender, noRecipient, from, to, by, byAddress } = decisionsText;
  return (
    <>
      <Text>{from(mail_from || noSender)}</Text>
      <Text>{to(rcpt_to || noRecipient)}</Text>
      <Text size="xs" c="dimmed">
        {helo ? by(helo, remote_address) : byAddress(remote_address)}
      </Text>
    </>
  );
}
