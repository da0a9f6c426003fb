import type { MailDecision } from '@postrider/contract/console';
import { decisionsText } from '#strings/decisions.ts';

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
