import { Anchor, Code, Group, Text } from '@mantine/core';
import type { MailDecision } from '@postrider/contract/console';
import { Link } from 'react-router';
import { decisionsText } from '#strings/decisions.ts';
import { messagePath } from '../lib/mail-paths.ts';
import { countChanges } from '../lists/rank-names.ts';
import { StatusBadge, type Tone } from '../parts/status-badge.tsx';

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
      {message_id === null && (
        <Code display="inline-block" my={2} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
          {reply}
        </Code>
      )}
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
      <Text variant="detail">{helo ? by(helo, remote_address) : byAddress(remote_address)}</Text>
    </>
  );
}

/** The meaning of a reply in plain words, and the remedy. */
export interface Explanation {
  meaning: string;
  remedy: string | null;
}

type Reason = keyof typeof decisionsText.reasons;

/** The replies of the SMTP server by the beginning of their texts, the more exact ones first. */
const replies: [beginning: RegExp, reason: Reason][] = [
  [/^2\d\d /, 'accepted'],
  [/^550 5\.1\.1 /, 'unknownAddress'],
  [/^55\d 5\.1\.3 /, 'malformedAddress'],
  [/^550 5\.7\.1 .*DMARC/, 'unauthentic'],
  [/^550 5\.7\.1 /, 'blockedByRule'],
  [/^552 5\.3\.4 /, 'tooLarge'],
  [/^554 5\.4\.6 /, 'loop'],
  [/^452 4\.2\.2 .*sender/, 'senderFilledShare'],
  [/^452 4\.2\.2 /, 'full'],
  [/^45\d 4\.3\./, 'serverBusy'],
  [/^450 4\.7\.1 /, 'tooManyMessages'],
  [/^421 4\.3\.2 /, 'shuttingDown'],
  [/^421 4\.4\.2 /, 'timeout'],
  [/^421 /, 'tooManyConnections'],
];

/** Returns the meaning of a decision. Its reply is the text of the SMTP server, which begins with the code. */
export function explainReply({ reply, verdict }: Pick<MailDecision, 'reply' | 'verdict'>): Explanation {
  if (verdict === 'repeated') return decisionsText.reasons.repeated;
  const found = replies.find(([beginning]) => beginning.test(`${reply} `));
  return decisionsText.reasons[found?.[1] ?? fallbacks[verdict]];
}

const fallbacks = { accepted: 'accepted', refused: 'otherRefusal', deferred: 'otherDeferral' } as const;

const changesMax = 2;

/**
 * Returns the known address that is nearest to one that does not exist: with at most two letters added, left out, changed or swapped, not
 * counting a plus tag; or one with the same local part at another domain. Null if none is near.
 */
export function nearestAddress(address: string, known: readonly string[]): string | null {
  const [local, domain] = split(address);
  let best: { address: string; distance: number } | null = null;
  for (const candidate of known) {
    const [otherLocal, otherDomain] = split(candidate);
    const [wrong, right] = [`${local}@${domain}`, `${otherLocal}@${otherDomain}`];
    const isAlike = Math.abs(wrong.length - right.length) <= changesMax;
    const changes = isAlike ? (countChanges(wrong, right).at(-1) ?? Infinity) : Infinity;
    const elsewhere = local === otherLocal ? changesMax + 1 : Infinity;
    const distance = changes <= changesMax ? changes : elsewhere;
    if (distance > 0 && distance < (best?.distance ?? Infinity)) best = { address: candidate, distance };
  }
  return best?.address ?? null;
}

function split(address: string): [local: string, domain: string] {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at).replace(/\+.*$/, '');
  return [local.toLowerCase(), address.slice(at + 1).toLowerCase()];
}
