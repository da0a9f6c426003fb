import { Anchor, Code, Group, Text } from '@mantine/core';
import type { MailDecision } from '@postrider/contract/console';
import { Link } from 'react-router';
import { decisionsText } from '#strings/decisions.ts';
import { messagePath } from '../lib/mail-paths.ts';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';
import { Time } from '../parts/time.tsx';
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
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <StatusBadge tone={tones[verdict]}>{decisionsText.verdicts[verdict]}</StatusBadge>
        <Text>
          {meaning} {remedy}
        </Text>
      </Group>
      {nearest !== null && <Text fw={500}>{decisionsText.nearest(nearest)}</Text>}
      <Code className="console-reply">{reply}</Code>
      {message_id !== null && (
        <Text>
          <Anchor component={Link} to={messagePath(message_id)}>
            {decisionsText.show}
          </Anchor>
        </Text>
      )}
      <div className="console-narrow-only">
        <MailFacts decision={decision} />
        <Text size="xs" c="dimmed">
          <Time value={decision.at} absolute />
        </Text>
      </div>
    </>
  );
}

/** Sender, recipient and host of a mail. */
export function MailFacts({ decision }: { decision: MailDecision }) {
  const { mail_from, rcpt_to, helo, remote_address } = decision;
  const { noSender, noRecipient, fromTo, by, byAddress } = decisionsText;
  return (
    <>
      <Text>{fromTo(mail_from || noSender, rcpt_to || noRecipient)}</Text>
      <Text size="xs" c="dimmed">
        {helo ? by(helo, remote_address) : byAddress(remote_address)}
      </Text>
    </>
  );
}
