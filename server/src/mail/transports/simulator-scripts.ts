import { domainOf, stripPlusTag } from '../../lib/email-address.ts';
import { newOwnMessageId } from './sandbox-transport.ts';
import type { Accepted, Outcome } from './transport.ts';

/** How a simulated recipient replies to the message: like a vacation program, or like a person who quotes it. */
export type AnswerKind = 'automatic' | 'echo';

/** The behaviour of a simulated recipient for a message. */
export interface Script {
  outcome: Outcome;
  answer: AnswerKind | null;
}

/** Long enough to see the previous state, and short enough to wait for. */
const nextStepMs = 2_000;
const deferralsMax = 2;

/** Returns the domain of the simulated recipients. */
export function simulatorDomain(mailDomain: string): string {
  return `simulator.${mailDomain}`;
}

/** Returns the outcome of a message that a simulated recipient has received. */
export function simulatedDelivery(detail: string, complaintAfterMs?: number): Accepted {
  return {
    kind: 'accepted',
    providerMessageId: newOwnMessageId('simulator'),
    detail: `simulator: ${detail}`,
    final: true,
    ...(complaintAfterMs !== undefined && { complaintAfterMs }),
  };
}

function delivered(): Script {
  return { outcome: simulatedDelivery('delivered'), answer: null };
}

function refused(
  reply: { scope: 'recipient' | 'message'; code: number; enhanced: string; isSoft?: true },
  text: string,
): Script {
  return {
    outcome: { kind: 'rejected', ...reply, detail: `${reply.code} ${reply.enhanced} simulator: ${text}` },
    answer: null,
  };
}

const deferred: Script = {
  outcome: {
    kind: 'deferred',
    cause: 'recipient',
    code: 451,
    enhanced: '4.7.1',
    detail: '451 4.7.1 simulator: try again in a moment',
    retryAfterMs: nextStepMs,
  },
  answer: null,
};

const scripts = new Map<string, (attempt: number) => Script>([
  ['success', delivered],
  ['bounce', () => refused({ scope: 'recipient', code: 550, enhanced: '5.1.1' }, 'no such mailbox')],
  [
    'softbounce',
    () => refused({ scope: 'recipient', code: 452, enhanced: '4.2.2', isSoft: true }, 'the mailbox is full'),
  ],
  ['complaint', () => ({ outcome: simulatedDelivery('delivered', nextStepMs), answer: null })],
  ['reject', () => refused({ scope: 'message', code: 554, enhanced: '5.7.1' }, 'the message is refused')],
  ['defer', (attempt) => (attempt <= deferralsMax ? deferred : delivered())],
  ['autoreply', () => ({ outcome: simulatedDelivery('delivered and answered'), answer: 'automatic' })],
  ['echo', () => ({ outcome: simulatedDelivery('delivered and answered'), answer: 'echo' })],
]);

/** The names that simulated recipients have, with or without a plus tag. */
export const simulatedNames = [...scripts.keys()];

/** Returns whether an address is in the domain of the simulated recipients and is none of theirs. */
export function isUnknownToSimulator(address: string, mailDomain: string): boolean {
  return domainOf(address) === simulatorDomain(mailDomain) && !scripts.has(nameOf(address));
}

function nameOf(address: string): string {
  const bare = stripPlusTag(address);
  return bare.slice(0, bare.lastIndexOf('@'));
}

/** A reply to everybody may have a recipient that the sender did not write. */
const unknown = refused({ scope: 'recipient', code: 550, enhanced: '5.1.1' }, 'no such address');

/** Returns what the simulated recipient with this address does at the given attempt. A plus tag makes it another recipient. */
export function scriptOf(address: string, attempt: number): Script {
  return scripts.get(nameOf(address))?.(attempt) ?? unknown;
}
