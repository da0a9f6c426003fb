import type { Message, SendReceipt, SentMessage } from 'postrider';
import * as z from 'zod';
import type { CallContext } from '../context.ts';
import { deliveryFields, hasFailed } from '../reading/delivery-text.ts';
import { bareAddress } from './recipients.ts';

/** The result of a tool that sends. With `--drafts-only`, it is a draft. */
export const SentView = z.object({
  outcome: z.string(),
  message_id: z.string().optional(),
  thread_id: z.string().optional(),
  draft_id: z.string().optional(),
  to: z.string(),
  cc: z.string().optional(),
  bcc: z.string().optional(),
  dropped: z.array(z.object({ address: z.string(), reason: z.string() })).optional(),
  status: z.string(),
  delivery: z.string().optional(),
  client_id: z.string().optional(),
});
export type SentView = z.infer<typeof SentView>;

/** The recipients of a mail, as To, Cc and Bcc. */
export interface SentTo {
  to: string[];
  cc: string[];
  bcc: string[];
}

interface Sent {
  receipt: Pick<SendReceipt, 'id' | 'thread_id' | 'delivery_status' | 'idempotent' | 'dropped'>;
  /** The message, if there is more to say about it than its status. */
  message: Message | null;
  recipients: SentTo;
}

/** Returns the result of a tool that sent to known recipients. Dropped recipients did not get the mail. */
export async function viewReceipt(
  ctx: CallContext,
  receipt: SendReceipt,
  given: SentTo,
  clientId: string,
): Promise<SentView> {
  const dropped = new Set(receipt.dropped.map(({ address }) => address.toLowerCase()));
  const kept = (list: string[]) => list.map(bareAddress).filter((address) => !dropped.has(address));
  const recipients = { to: kept(given.to), cc: kept(given.cc), bcc: kept(given.bcc) };
  return view(ctx, { receipt, message: await readTroubled(ctx, receipt), recipients }, clientId);
}

/** Returns the result of a tool that sent a reply or a forward. Its recipients are those of the message. */
export function viewSentMessage(ctx: CallContext, sent: SentMessage, clientId: string): SentView {
  const recipients = { to: sent.to_addrs, cc: sent.cc_addrs, bcc: sent.bcc_addrs };
  return view(ctx, { receipt: sent, message: sent, recipients }, clientId);
}

const untroubled = new Set(['delivered', 'sent', 'sending', 'queued']);

/** A receipt does not contain the replies of other servers. The mail was stored, whether or not it can be read now. */
async function readTroubled(
  { client, signal }: CallContext,
  { id, delivery_status }: SendReceipt,
): Promise<Message | null> {
  if (untroubled.has(delivery_status)) return null;
  return client.messages.get(id, { signal }).catch(() => null);
}

/** Bcc recipients are named, so that the result shows everything that was sent. */
function view(ctx: CallContext, { receipt, message, recipients }: Sent, client_id: string): SentView {
  const { id, thread_id, dropped, delivery_status: status, idempotent: wasSent } = receipt;
  if (wasSent)
    ctx.note(
      status === 'held'
        ? 'This was requested before. There is one email, which is waiting for people.'
        : 'This was sent before and was not sent again. To send it once more on purpose, pass a new client_id.',
    );
  if (dropped.some(({ reason }) => reason === 'policy'))
    ctx.note(
      'People do not allow mail to the addresses that were dropped by policy. Do not try another way.',
    );
  const left = dropped.map(({ address, reason }) => ({ address: ctx.fence.line(address), reason }));
  return {
    outcome: wasSent ? 'already_sent' : describeOutcome(status, message),
    message_id: id,
    thread_id,
    ...viewRecipients(ctx, recipients),
    ...(left.length > 0 && { dropped: left }),
    status,
    ...(message !== null && deliveryFields(ctx.fence, message)),
    client_id,
  };
}

function describeOutcome(status: string, message: Message | null): string {
  if (status === 'held') return 'held';
  return message !== null && hasFailed(message) ? 'failed' : 'sent';
}

/** Returns the recipients, each list as one text. */
export function viewRecipients(
  { fence }: CallContext,
  { to, cc, bcc }: SentTo,
): Pick<SentView, 'to' | 'cc' | 'bcc'> {
  return {
    to: fence.line(to.join(', ')),
    ...(cc.length > 0 && { cc: fence.line(cc.join(', ')) }),
    ...(bcc.length > 0 && { bcc: fence.line(bcc.join(', ')) }),
  };
}
