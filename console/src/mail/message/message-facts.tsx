import { Alert, Anchor, Group, Popover, Stack, Text, Timeline, Title } from '@mantine/core';
import type { ApprovalSummary } from '@postrider/contract/console';
import { IconAlertTriangle, IconHelpCircle, IconShieldCheck } from '@tabler/icons-react';
import type { Message } from 'postrider';
import { useState } from 'react';
import { Link } from 'react-router';
import { messageText } from '#strings/message.ts';
import { useApproval } from '../../approvals/approval-queries.tsx';
import { approvalPath } from '../../lib/mail-paths.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { Time } from '../../parts/time.tsx';
import { proveSender, recipientWord, statusTones, tellStory } from './plain-words.ts';

const { approval: approvalText, proof: proofText, story: storyText } = messageText;
const shownAtFirst = 6;
const toneColors = { good: 'pine', waiting: 'yellow', urgent: 'orange', bad: 'red', quiet: 'gray' };
const proofIcons = { proven: IconShieldCheck, unproven: IconHelpCircle, forged: IconAlertTriangle };
const checks = [
  ['spf', proofText.spf, proofText.spfHelp],
  ['dkim', proofText.dkim, proofText.dkimHelp],
  ['dmarc', proofText.dmarc, proofText.dmarcHelp],
] as const;

/** The recipients of a message. */
export function MessageDetails({ message }: { message: Message }) {
  const { to_addrs, cc_addrs, bcc_addrs, reply_to_addrs, envelope_to, direction } = message;
  const named = new Set([...to_addrs, ...cc_addrs]);
  // Plus tags and blind copies are in the envelope only.
  const envelope = direction === 'inbound' ? envelope_to.filter((address) => !named.has(address)) : [];
  return (
    <dl className="message-details">
      <Addresses name={messageText.to} addresses={to_addrs} />
      <Addresses name={messageText.cc} addresses={cc_addrs} />
      <Addresses name={messageText.bcc} addresses={bcc_addrs} />
      <Addresses name={messageText.replyTo} addresses={reply_to_addrs} />
      <Addresses name={messageText.envelope} addresses={envelope} />
    </dl>
  );
}

function Addresses({ name, addresses }: { name: string; addresses: readonly string[] }) {
  const [isWhole, setWhole] = useState(false);
  if (addresses.length === 0) return null;
  const shown = isWhole ? addresses : addresses.slice(0, shownAtFirst);
  const more = addresses.length - shown.length;
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {shown.join(', ')}{' '}
        {more > 0 && (
          <button type="button" className="mail-text-button" onClick={() => setWhole(true)}>
            {messageText.more(more)}
          </button>
        )}
      </dd>
    </>
  );
}

/** Says in plain words whether the sender is proven, and shows the checks on a click. */
export function SenderProof({ message }: { message: Message }) {
  const proof = proveSender(message);
  const { authentication, envelope_from } = message;
  if (proof === null || authentication === null) return null;
  const Icon = proofIcons[proof.level];
  return (
    <Popover width={340} position="bottom-start" shadow="md" withRoles trapFocus>
      <Popover.Target>
        <button
          type="button"
          className="message-proof"
          data-level={proof.level}
          aria-label={proofText.button(proof.sentence)}
        >
          <Icon size={15} aria-hidden />
          {proof.sentence}
        </button>
      </Popover.Target>
      <Popover.Dropdown aria-label={proofText.checks} tabIndex={-1} data-autofocus>
        <Text size="sm" mb="xs">
          {proof.help}
        </Text>
        <Stack component="dl" gap={6} m={0}>
          {checks.map(([name, label, help]) => (
            <Check key={name} name={`${label}: ${proofText.results[authentication[name]]}`} about={help} />
          ))}
          {envelope_from !== null && <Check name={proofText.envelopeFrom} about={envelope_from} />}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

function Check({ name, about }: { name: string; about: string }) {
  return (
    <div>
      <Text component="dt" size="sm" fw={600}>
        {name}
      </Text>
      <Text component="dd" variant="note" m={0} style={{ overflowWrap: 'anywhere' }}>
        {about}
      </Text>
    </div>
  );
}

/** Says that a message waits for approval, or who refused it and why. */
export function ApprovalNote({ message: { id, delivery_status } }: { message: Message }) {
  const isHeld = delivery_status === 'held';
  const { data: approval } = useApproval(id, !isHeld);
  if (!isHeld && approval === undefined) return null;
  return (
    <Alert role="note" color={isHeld ? 'yellow' : 'gray'} p="xs" mb="sm" className="console-warning">
      {approval === undefined ? approvalText.held : describeEnding(approval)}{' '}
      <Anchor component={Link} to={approvalPath(id)} inherit c="inherit" fw={500} underline="always">
        {isHeld ? approvalText.open : approvalText.show}
      </Anchor>
    </Alert>
  );
}

function describeEnding({ state, decided_by, reason }: ApprovalSummary): string {
  if (state === 'expired') return approvalText.expired;
  const by = decided_by?.name ?? approvalText.operator;
  return reason === null ? approvalText.refusedSilently(by) : approvalText.refused(by, reason);
}

/** The progress of a sent message for each recipient. */
export function RecipientStory({ message }: { message: Message }) {
  return (
    <section aria-label={storyText.title}>
      <Title order={3} mt="md" mb={6}>
        {storyText.title}
      </Title>
      {message.recipients.map((recipient) => {
        const tone = recipient.sandboxed ? 'quiet' : statusTones[recipient.status];
        const steps = tellStory(message, recipient);
        return (
          <div key={recipient.address}>
            <Group gap="xs" mb={6}>
              <Text size="sm" fw={550} style={{ overflowWrap: 'anywhere' }}>
                {recipient.address}
              </Text>
              <StatusBadge tone={tone}>{recipientWord(recipient)}</StatusBadge>
            </Group>
            <Timeline
              active={steps.length - 1}
              color={toneColors[tone]}
              bulletSize={12}
              lineWidth={2}
              ml={2}
              mb="md"
            >
              {steps.map(({ at, sentence, said }) => (
                <Timeline.Item key={`${at} ${sentence}`} fz="sm">
                  {sentence}{' '}
                  <Text span variant="note">
                    <Time value={at} absolute />
                  </Text>
                  {said !== null && (
                    <Text variant="detail" style={{ overflowWrap: 'anywhere' }}>
                      {storyText.server(said)}
                    </Text>
                  )}
                </Timeline.Item>
              ))}
            </Timeline>
          </div>
        );
      })}
    </section>
  );
}
