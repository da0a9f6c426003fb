import type { DroppedRecipient, SendReceipt, SentMessage } from 'postrider';
import * as z from 'zod';
import type { CallContext } from '../context.ts';
import { bareAddress } from './recipients.ts';

/** What a tool that sends answers. With `--drafts-only`, it is a draft. */
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
  client_id: z.string().optional(),
});
export type SentView = z.infer<typeof SentView>;

/** The recipients of a mail, by how they see each other. */
export interface SentTo {
  to: string[];
  cc: string[];
  bcc: string[];
}

interface Sent {
  message_id: string;
  thread_id: string;
  recipients: SentTo;
  dropped: DroppedRecipient[];
  status: string;
  wasSent: boolean;
}

/** Returns the answer of a tool that sent to recipients that are known. Those that were dropped did not get it. */
export function viewReceipt(
  ctx: CallContext,
  receipt: SendReceipt,
  given: SentTo,
  clientId: string,
): SentView {
  const dropped = new Set(receipt.dropped.map(({ address }) => address.toLowerCase()));
  const kept = (list: string[]) => list.map(bareAddress).filter((address) => !dropped.has(address));
  const recipients = { to: kept(given.to), cc: kept(given.cc), bcc: kept(given.bcc) };
  const { id, thread_id, delivery_status: status, idempotent: wasSent } = receipt;
  return view(
    ctx,
    { message_id: id, thread_id, recipients, dropped: receipt.dropped, status, wasSent },
    clientId,
  );
}

/** Returns the answer of a tool that sent a reply or a forward, whose recipients are those of the message. */
export function viewSentMessage(ctx: CallContext, sent: SentMessage, clientId: string): SentView {
  const { id, thread_id, dropped, delivery_status: status, idempotent: wasSent } = sent;
  const recipients = { to: sent.to_addrs, cc: sent.cc_addrs, bcc: sent.bcc_addrs };
  return view(ctx, { message_id: id, thread_id, recipients, dropped, status, wasSent }, clientId);
}

/** Hidden copies are named, so that whoever reads the answer sees all that left. */
function view(ctx: CallContext, sent: Sent, client_id: string): SentView {
  const { message_id, thread_id, recipients, dropped, status, wasSent } = sent;
  if (wasSent)
    ctx.note(
      'This was sent before and not again. To send the same once more on purpose, pass a new client_id.',
    );
  const left = dropped.map(({ address, reason }) => ({ address: ctx.fence.line(address), reason }));
  return {
    outcome: wasSent ? 'already_sent' : 'sent',
    message_id,
    thread_id,
    ...viewRecipients(ctx, recipients),
    ...(left.length > 0 && { dropped: left }),
    status,
    client_id,
  };
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
