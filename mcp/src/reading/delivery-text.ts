/*
 * Says what happened to a sent mail and what to do next. Text from other servers is fenced. The reason why people did not approve a mail is
 * not fenced: it comes from the people whom the agent works for.
 */
import { DeliveryFailedError, type DeliveryFailureReason, type Message } from 'postrider';
import { cleanLine } from '../untrusted/clean-text.ts';
import type { Fence } from '../untrusted/fence.ts';

type Recipient = Message['recipients'][number];

const failedTexts: Record<DeliveryFailureReason, string> = {
  bounced:
    'It bounced, so no reply will come, and the address is now suppressed. Do not send it again: look for another address, or ask the person.',
  complained:
    'The recipient marked it as spam, and the address is now suppressed. Do not write to them again.',
  rejected: 'It was refused, so no reply will come. Do not send it again unchanged.',
  not_approved: 'People did not approve it, so it was not sent. Do not send it again unless they ask for it.',
  expired:
    'It could not be delivered in time, so no reply will come. You can send it once more, with a new client_id. If that also expires, tell the person.',
  unconfirmed:
    'It may or may not have arrived, because the connection broke. Do not send it again: tell the person.',
};
const heldText =
  'It is held until people approve it, and is then sent automatically. Do not send it again, and do not try another way.';
const deferredText = 'It has not arrived yet. The server will try again. Do not send it again.';
const failed = new Set(['bounced', 'complained', 'rejected', 'failed']);
const recipientsShown = 5;
const reasonShown = 500;
const notApproved = 'not_approved: ';

/** Returns what happened to a sent mail as a field of a result, if there is anything to say. */
export function deliveryFields(fence: Fence, message: Message): { delivery?: string } {
  const delivery = deliveryText(fence, message);
  return delivery === undefined ? {} : { delivery };
}

function deliveryText(fence: Fence, message: Message): string | undefined {
  if (message.direction === 'inbound') return undefined;
  const { recipients: lost, reason } = new DeliveryFailedError(message);
  if (hasFailed(message)) return withWords(failedTexts[reason], lost[0], fence);
  if (lost.length > 0)
    return `Some of its recipients did not get it: ${listRecipients(lost, fence)}. Others may reply.`;
  const has = (status: string) => message.recipients.find((one) => one.status === status);
  if (has('held')) return heldText;
  const deferred = has('deferred');
  return deferred && withWords(deferredText, deferred, fence);
}

/** Returns whether a sent mail has failed for every recipient. */
export function hasFailed({ recipients }: Message): boolean {
  return recipients.length > 0 && recipients.every(({ status }) => failed.has(status));
}

/** Returns the detail of a recipient, which is usually text from another server. */
export function fencedDetail({ status, detail }: Recipient, fence: Fence): string | null {
  if (detail === null) return null;
  return isOfPeople(status, detail) ? wordsOfPeople(detail) : fence.line(detail);
}

/** Returns the reason why people did not approve a mail. */
export function wordsOfPeople(detail: string): string {
  return cleanLine(detail.slice(notApproved.length, notApproved.length + reasonShown));
}

/** Only a rejected mail can have text from people: the reply of a server that refuses it begins with a code. */
export function isOfPeople(status: string, detail: string): boolean {
  return status === 'rejected' && detail.startsWith(notApproved);
}

function withWords(text: string, recipient: Recipient | undefined, fence: Fence): string {
  const detail = recipient && fencedDetail(recipient, fence);
  return detail ? `${text} Reason: ${detail}` : text;
}

function listRecipients(lost: Recipient[], fence: Fence): string {
  const shown = lost.slice(0, recipientsShown).map((one) => {
    const detail = fencedDetail(one, fence);
    return `${fence.line(one.address)} (${one.status}${detail === null ? '' : `: ${detail}`})`;
  });
  const more = lost.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
