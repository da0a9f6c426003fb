import type { Deps } from '../deps.ts';
import { FilesFull } from '../files/file-errors.ts';
import type { InboxAddress } from '../inboxes/find-inbox.ts';
import { newId } from '../lib/ids.ts';
import { settleFew } from '../lib/settle-few.ts';
import { sha256 } from '../lib/sha256.ts';
import type { ParsedMail } from '../mail/parsed-mail.ts';
import { type InboundMail, inboundRecord, withoutTexts } from './inbound-record.ts';
import { storeMessage } from './store-message.ts';
import { storeWithOriginal } from './store-with-original.ts';

/** A mail to many inboxes has this many copies in memory beside the original. */
const storedAtOnceMax = 2;

/** One mail as it came in, with the inboxes that take it. */
export interface Arrival {
  raw: Buffer;
  envelopeFrom: string;
  /** Each accepted recipient: the address as given, with its plus tag, and the inbox that it reaches. */
  recipients: { given: string; inbox: InboxAddress }[];
  helo: string | null;
  /** Null for mail that never left this server. */
  remoteAddress: string | null;
}

/** What became of the mail in one inbox. */
export interface Receipt {
  inbox: InboxAddress;
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
    const parsed = await parseArrival(deps, arrival);
    const authentication = await authenticateArrival(deps, arrival, parsed);
    const mail: InboundMail = { ...arrival, parsed, authentication, at, hash: sha256(arrival.raw) };
    const results = await settleFew(byInbox(arrival), storedAtOnceMax, (target) =>
      storeIn(deps, mail, target),
    );
    const receipts = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    const failures = results.filter((result) => result.status === 'rejected');
    for (const { reason } of failures) logFailure(deps, arrival, reason);
    return failures[0] ? failure(failures[0].reason, receipts) : answerFor(receipts);
  } catch (error) {
    logFailure(deps, arrival, error);
    return failure(error, []);
  }
};

const logFailure = (deps: Deps, { remoteAddress }: Arrival, error: unknown) =>
  deps.log.error({ err: error, remoteAddress }, 'a mail was not taken');

const failure = (error: unknown, receipts: Receipt[]): ReceiveAnswer => {
  const full = error instanceof FilesFull || (error as { code?: string }).code === '53100';
  return full
    ? { code: 452, enhanced: '4.3.1', text: 'Insufficient storage, try again later', receipts }
    : { code: 451, enhanced: '4.3.0', text: 'Local error, try again later', receipts };
};

const parseArrival = async (deps: Deps, { raw, envelopeFrom }: Arrival): Promise<ParsedMail> => {
  const reading = await deps.parser.parse(raw, { envelopeFrom });
  if (!('failed' in reading)) return reading;
  deps.log.warn(
    { failed: reading.failed, detail: reading.detail },
    'a mail was read no further than its header',
  );
  return reading.mail;
};

const authenticateArrival = async (deps: Deps, arrival: Arrival, parsed: ParsedMail) => {
  const { raw, remoteAddress, helo, envelopeFrom } = arrival;
  if (remoteAddress === null) return null;
  const from = parsed.from?.address ?? null;
  return deps.authenticator.authenticate({ raw, remoteAddress, helo, envelopeFrom, from });
};

/** An inbox that was deleted while the mail came in refuses it, unless another one took it. */
const answerFor = (receipts: Receipt[]): ReceiveAnswer => {
  const taken = receipts.find((receipt) => receipt.messageId !== null);
  return taken
    ? { code: 250, enhanced: '2.0.0', text: `Ok: ${taken.messageId}`, receipts }
    : { code: 550, enhanced: '5.1.1', text: 'No such mailbox here', receipts };
};

/** An inbox that is named twice, with two plus tags, gets one copy. */
const byInbox = (arrival: Arrival): { inbox: InboxAddress; given: string[] }[] => {
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
  const stored = await storeWithOriginal(deps, mail.raw, record, () =>
    storeMessage(ctx, record).catch((error: unknown) => {
      if (!isRefusedData(error)) throw error;
      deps.log.warn(
        { err: error, messageId },
        'the database refused the texts of a mail: stored without them',
      );
      return storeMessage(ctx, withoutTexts(record));
    }),
  );
  const { outcome } = stored;
  return { inbox, messageId: outcome === 'inbox_gone' ? null : stored.messageId, outcome };
};

/** Classes 22 and 54 of SQLSTATE: the database cannot hold these data, and never will, so that a 4xx would loop. */
const isRefusedData = (error: unknown): boolean => /^(22|54)/.test((error as { code?: string }).code ?? '');
