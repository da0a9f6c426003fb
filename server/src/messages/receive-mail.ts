import type { Deps } from '../deps.ts';
import { FilesFull } from '../files/file-errors.ts';
import type { InboxAddress } from '../inboxes/find-inbox.ts';
import { newId } from '../lib/ids.ts';
import { settleFew } from '../lib/settle-few.ts';
import { type InboundMail, inboundRecord } from './inbound-record.ts';
import { type ReceivedMail, readInbound } from './read-inbound.ts';
import { storeInbound } from './store-inbound.ts';
import { storeWithOriginal } from './store-with-original.ts';

/** A mail to many inboxes has this many copies in memory beside the original. */
const storedAtOnceMax = 2;

/** One mail as it came in, with the inboxes that take it. */
export interface Arrival extends ReceivedMail {
  /** Each accepted recipient: the address as given, with its plus tag, and the inbox that it reaches. */
  recipients: { given: string; inbox: InboxAddress }[];
}

/** What became of the mail in one inbox. */
export interface Receipt {
  inbox: Pick<InboxAddress, 'workspaceId' | 'inboxId'>;
  messageId: string | null;
  outcome: 'stored' | 'repeated' | 'inbox_gone';
}

/** An answer of SMTP, and what it stands for in each inbox. */
export interface ReceiveAnswer {
  code: number;
  enhanced: string;
  text: string;
  receipts: Receipt[];
}

/**
 * Takes a mail into every inbox that it is for. The answer is 250 only after all of them have it durably, raw source and
 * rows; our own failures are 4xx, so that the sender tries again, and what was stored before is then known as a repetition.
 * The receipts are of all that was stored, also when another inbox failed.
 */
export const receiveMail = async (deps: Deps, arrival: Arrival): Promise<ReceiveAnswer> => {
  const at = deps.clock.now();
  try {
    const mail = await readInbound(deps, arrival, at);
    const results = await settleFew(byInbox(arrival), storedAtOnceMax, (target) =>
      storeIn(deps, mail, target),
    );
    const receipts = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failures = results.filter((result) => result.status === 'rejected');
    for (const { reason } of failures) logFailure(deps, arrival.remoteAddress, reason);
    return failures[0] ? failure(failures[0].reason, receipts) : answerFor(receipts);
  } catch (error) {
    logFailure(deps, arrival.remoteAddress, error);
    return failure(error, []);
  }
};

/** Says why a mail was not taken. */
export const logFailure = (deps: Deps, remoteAddress: string | null, error: unknown): void =>
  deps.log.error({ err: error, remoteAddress }, 'a mail was not taken');

/** The answer to a failure of ours: the sender keeps the mail and tries again. */
export const failure = (error: unknown, receipts: Receipt[]): ReceiveAnswer => {
  const full = error instanceof FilesFull || (error as { code?: string }).code === '53100';
  return full
    ? { code: 452, enhanced: '4.3.1', text: 'Insufficient storage, try again later', receipts }
    : { code: 451, enhanced: '4.3.0', text: 'Local error, try again later', receipts };
};

/** The answer when every inbox of a mail was deleted while it came in. */
export const inboxGone: ReceiveAnswer = {
  code: 550,
  enhanced: '5.1.1',
  text: 'No such mailbox here',
  receipts: [],
};

/** An inbox that was deleted while the mail came in refuses it, unless another one took it. */
const answerFor = (receipts: Receipt[]): ReceiveAnswer => {
  const taken = receipts.find((receipt) => receipt.messageId !== null);
  return taken
    ? { code: 250, enhanced: '2.0.0', text: `Ok: ${taken.messageId}`, receipts }
    : { ...inboxGone, receipts };
};

/** The inboxes of a mail with the recipients that lead there: one that is named twice, with two plus tags, gets one copy. */
export const byInbox = (arrival: Pick<Arrival, 'recipients'>): { inbox: InboxAddress; given: string[] }[] => {
  const targets = new Map<string, { inbox: InboxAddress; given: string[] }>();
  for (const { inbox, given } of arrival.recipients) {
    const target = targets.get(inbox.inboxId) ?? { inbox, given: [] };
    target.given.push(given);
    targets.set(inbox.inboxId, target);
  }
  return [...targets.values()];
};

const storeIn = async (
  deps: Deps,
  mail: InboundMail,
  target: { inbox: InboxAddress; given: string[] },
): Promise<Receipt> => {
  const { inbox } = target;
  const messageId = newId('msg', mail.at);
  const ctx = { ...deps, workspaceId: inbox.workspaceId };
  const record = inboundRecord(deps, mail, { ...target, messageId });
  const stored = await storeWithOriginal(deps, mail.raw, record, (original) =>
    storeInbound(ctx, record, original),
  );
  const { outcome } = stored;
  return { inbox, messageId: outcome === 'inbox_gone' ? null : stored.messageId, outcome };
};
