import type { DroppedRecipient } from '@postrider/contract';
import type { Context } from '../context.ts';
import { ApiError } from '../lib/api-error.ts';
import { type NamedAddress, parseMailbox } from '../lib/email-address.ts';
import { findSuppressed } from '../suppressions/find-suppressed.ts';

/** One recipient as the sender wrote it. */
export interface OutgoingRecipient extends NamedAddress {
  kind: 'to' | 'cc' | 'bcc';
}

/** Who gets a message and who does not. */
export interface Deliverable {
  recipients: OutgoingRecipient[];
  dropped: DroppedRecipient[];
}

/** The recipients of a request, each address once: who stands in To is not copied again. */
export const namedRecipients = (input: {
  to: string[];
  cc?: string[] | undefined;
  bcc?: string[] | undefined;
}): OutgoingRecipient[] => {
  const seen = new Map<string, OutgoingRecipient>();
  for (const kind of ['to', 'cc', 'bcc'] as const) {
    for (const text of input[kind] ?? []) {
      const mailbox = parseMailbox(text);
      if (mailbox && !seen.has(mailbox.address)) seen.set(mailbox.address, { ...mailbox, kind });
    }
  }
  return [...seen.values()];
};

/** Messages 2: leaves out who is suppressed. */
export const dropUndeliverable = async (
  ctx: Context,
  recipients: OutgoingRecipient[],
): Promise<Deliverable> => {
  const suppressed = await findSuppressed(
    ctx,
    recipients.map((recipient) => recipient.address),
  );
  return {
    recipients: recipients.filter((recipient) => !suppressed.has(recipient.address)),
    dropped: recipients
      .filter((recipient) => suppressed.has(recipient.address))
      .map(({ address }) => ({ address, reason: 'suppressed' })),
  };
};

/**
 * Messages 2: as `dropUndeliverable`, when somebody is left.
 *
 * @throws ApiError `no_deliverable_recipients` that names everybody and why.
 */
export const requireDeliverable = async (
  ctx: Context,
  recipients: OutgoingRecipient[],
): Promise<Deliverable> => {
  const deliverable = await dropUndeliverable(ctx, recipients);
  if (deliverable.recipients.length > 0) return deliverable;
  throw new ApiError('no_deliverable_recipients', { blocked: deliverable.dropped });
};
