import type { DroppedRecipient } from '@postrider/contract';
import { ApiError, invalidField } from '../lib/api-error.ts';
import { type NamedAddress, parseMailbox } from '../lib/email-address.ts';

/** One recipient as the sender wrote it. */
export interface OutgoingRecipient extends NamedAddress {
  kind: 'to' | 'cc' | 'bcc';
}

/** Who gets a message and who does not. */
export interface Deliverable {
  recipients: OutgoingRecipient[];
  dropped: DroppedRecipient[];
}

type RecipientLists = Partial<Record<OutgoingRecipient['kind'], string[] | undefined>>;

/**
 * The recipients of a request, each address once: who stands in To is not copied again.
 *
 * @throws ApiError `invalid_request` for one that passes for an address and cannot be mailed, such as a domain that is too
 * long once it is spelled in ASCII.
 */
export const readRecipients = (lists: RecipientLists): OutgoingRecipient[] =>
  eachOnce(lists, (field) => {
    throw invalidField(field, 'must be an address that mail can be sent to');
  });

/** The recipients that a stored message names, each address once; what is no address there is passed over. */
export const recipientsFrom = (lists: RecipientLists): OutgoingRecipient[] => eachOnce(lists, () => {});

/** Every address that a request may send to, whether mail can be sent to it or not. */
export const addressesOf = (lists: RecipientLists): string[] =>
  recipientsFrom(lists).map((recipient) => recipient.address);

const eachOnce = (lists: RecipientLists, onInvalid: (field: string) => void): OutgoingRecipient[] => {
  const found = new Map<string, OutgoingRecipient>();
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    for (const [index, text] of (lists[kind] ?? []).entries()) {
      const mailbox = parseMailbox(text);
      if (!mailbox) onInvalid(`${kind}.${index}`);
      else if (!found.has(mailbox.address)) found.set(mailbox.address, { ...mailbox, kind });
    }
  }
  return [...found.values()];
};

/**
 * Messages 2: leaves out who is suppressed.
 *
 * @throws ApiError `no_deliverable_recipients` that names everybody and why, when nobody is left.
 */
export const requireDeliverable = (
  recipients: OutgoingRecipient[],
  suppressed: ReadonlySet<string>,
): Deliverable => {
  const isLeftOut = ({ address }: OutgoingRecipient) => suppressed.has(address);
  const dropped = recipients
    .filter(isLeftOut)
    .map(({ address }): DroppedRecipient => ({ address, reason: 'suppressed' }));
  if (dropped.length === recipients.length)
    throw new ApiError('no_deliverable_recipients', { blocked: dropped });
  return { recipients: recipients.filter((recipient) => !isLeftOut(recipient)), dropped };
};
