import type { DroppedRecipient } from '@postrider/contract';
import type { Context } from '../context.ts';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { type NamedAddress, parseMailbox } from '../lib/email-address.ts';
import { isUnknownToSimulator, simulatedNames } from '../mail/transports/simulator-scripts.ts';
import type { Controls } from '../policies/controls.ts';
import { decideRule, type MatchingRule, patternsFor } from '../rules/decide-rule.ts';
import type { Sender } from './find-sender.ts';
import type { Deliverable, OutgoingRecipient } from './sending.ts';

type RecipientLists = Partial<Record<OutgoingRecipient['kind'], string[] | undefined>>;

/**
 * Returns the recipients of a request, each address once: an address in To is left out of Cc and Bcc.
 *
 * @throws ApiError `invalid_request` for one that passes for an address and cannot be mailed, such as a domain that is too
 * long once it is spelled in ASCII, and for a name that the simulator does not have.
 */
export function readRecipients(
  { config }: Pick<Context, 'config'>,
  lists: RecipientLists,
): OutgoingRecipient[] {
  return eachOnce(lists, (mailbox, field) => {
    if (!mailbox) throw invalidField(field, 'must be an address that mail can be sent to');
    if (isUnknownToSimulator(mailbox.address, config.mailDomain)) throw invalidField(field, unknownName);
  });
}

const unknownName = `must be one of ${simulatedNames.join(', ')} at the simulator, with or without a +tag`;

/** Returns the recipients that a stored message names, each address once. Anything there that is no address is skipped. */
export function recipientsFrom(lists: RecipientLists): OutgoingRecipient[] {
  return eachOnce(lists);
}

/** Returns every address that a request names, whether mail can be sent to it or not. */
export function namedAddresses(lists: RecipientLists): string[] {
  return recipientsFrom(lists).map((recipient) => recipient.address);
}

function eachOnce(
  lists: RecipientLists,
  check?: (mailbox: NamedAddress | null, field: string) => void,
): OutgoingRecipient[] {
  const found = new Map<string, OutgoingRecipient>();
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    for (const [index, text] of (lists[kind] ?? []).entries()) {
      const mailbox = parseMailbox(text);
      check?.(mailbox, `${kind}.${index}`);
      if (mailbox && !found.has(mailbox.address)) found.set(mailbox.address, { ...mailbox, kind });
    }
  }
  return [...found.values()];
}

/** The reasons not to send to an address: suppressions, outbound rules and policies. */
export type Obstacles = Pick<Sender, 'suppressed' | 'rules' | 'controls'>;

/**
 * Messages 2: leaves out recipients that are suppressed, blocked by a rule or not allowed by a policy, with the reason. An allow does not
 * lift a suppression.
 */
export function leaveOut(recipients: OutgoingRecipient[], obstacles: Obstacles): Deliverable {
  const left: Deliverable = { recipients: [], dropped: [] };
  for (const recipient of recipients) {
    const dropped = reasonToDrop(recipient.address, obstacles);
    if (dropped) left.dropped.push(dropped);
    else left.recipients.push(recipient);
  }
  return left;
}

/**
 * As `leaveOut`.
 *
 * @throws ApiError `no_deliverable_recipients`, with each recipient and its reason, if nobody is left.
 */
export function requireDeliverable(recipients: OutgoingRecipient[], obstacles: Obstacles): Deliverable {
  const deliverable = leaveOut(recipients, obstacles);
  if (deliverable.recipients.length > 0) return deliverable;
  throw new ApiError('no_deliverable_recipients', { blocked: deliverable.dropped });
}

function reasonToDrop(address: string, { suppressed, rules, controls }: Obstacles): DroppedRecipient | null {
  if (suppressed.has(address)) return { address, reason: 'suppressed' };
  const rule = decideRule(rules, address);
  if (rule?.kind === 'block') return { address, reason: 'rule', rule_id: rule.id };
  return isAllowedRecipient(controls, rules, address) ? null : { address, reason: 'policy' };
}

/** Returns whether every policy lets mail go to an address. */
function isAllowedRecipient(controls: Controls, rules: readonly MatchingRule[], address: string): boolean {
  return controls.policies.every(({ lines: { recipients = 'anyone' } }) => {
    if (recipients === 'anyone') return true;
    if (recipients === 'known')
      return (controls.known ?? []).includes(address) || decideRule(rules, address)?.kind === 'allow';
    return patternsFor(address).some((pattern) => recipients.includes(pattern));
  });
}
