import type { SendCheck, SendMessage } from '@postrider/contract';
import type { Context } from '../context.ts';
import { notFound } from '../lib/api-error.ts';
import { newId } from '../lib/ids.ts';
import { sendModeOf } from './decide-sending.ts';
import { findSender } from './find-sender.ts';
import { addressesOf, leaveOut } from './recipients.ts';
import { readOutgoing } from './send-message.ts';
import { composeOutgoing } from './send-outgoing.ts';

/**
 * Returns the recipients that would get a message sent now, and those that would be left out. Nothing is stored, sent or reserved.
 *
 * @throws ApiError as `sendMessage` if the request itself is refused. A message that nobody would get is no error here.
 */
export async function checkMessage(ctx: Context, input: SendMessage): Promise<SendCheck> {
  const addresses = addressesOf(input);
  // A check uses nothing of the plan, so its attachments do not matter here.
  const request = {
    inboxId: input.inbox_id,
    clientId: null,
    addresses,
    hasAttachments: false,
    conversation: null,
  };
  const { inbox, ...obstacles } = await findSender(ctx, request);
  if (!inbox) throw notFound('inbox_id');
  const outgoing = readOutgoing(ctx, input);
  const { recipients, dropped } = leaveOut(outgoing.recipients, obstacles);
  // A send refuses some messages only once they are composed: those with an invalid header or too many bytes.
  if (recipients.length > 0) {
    const at = ctx.clock.now();
    await composeOutgoing(ctx, inbox, outgoing, recipients, { at, messageId: newId('msg', at) });
  }
  return {
    deliverable: recipients.map(({ address }) => address),
    dropped,
    send: sendModeOf(obstacles.controls),
  };
}
