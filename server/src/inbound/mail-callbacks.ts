import { type Batcher, createBatcher } from '../db/batched.ts';
import { findReturnPath, type MailTarget } from '../delivery/ingest-report.ts';
import type { Deps } from '../deps.ts';
import { leadsBack } from '../domains/mail-domain.ts';
import { findReportedDomain } from '../domains/reports/find-reported-domain.ts';
import { type Addressee, type Addressing, findAddressees } from '../inboxes/find-inbox.ts';
import { normalizeAddress } from '../lib/email-address.ts';
import { isReportAddress } from '../lib/signed-address.ts';
import type { RcptVerdict, SmtpCallbacks, SmtpReply } from '../mail/smtp/smtp-callbacks.ts';
import { hasMailRoom } from '../workspaces/usage.ts';
import { type MailPlace, newArrival, senderBlocked, settle, settleReported } from './arrival.ts';
import { createMailCollector, createMailPace } from './collect-mail.ts';
import type { Intake } from './intake.ts';
import { addressesPerQueryMax } from './limits.ts';
import { hasFilledShare, type MailSender } from './mail-shares.ts';
import { receive } from './receive.ts';
import { loggedClient, noteSettled, type Verdict } from './verdicts.ts';

const noRoom: SmtpReply = { code: 452, enhanced: '4.3.1', text: 'Too much mail at once, try again later' };

/** Creates the callbacks for the SMTP server and Amazon SES. Verdicts are recorded. */
export function createMailCallbacks(deps: Deps, intake: Intake): SmtpCallbacks<MailPlace> {
  const accept = createRecipientCheck(deps);
  const collect = createMailCollector();
  const pace = createMailPace(deps);
  return {
    onRcpt: async (session, envelopeFrom, recipient) => {
      const sender = { envelopeFrom, remoteAddress: session.remoteAddress };
      const { refusedInbox, ...verdict } = await accept(sender, recipient);
      const envelope = { mail_from: envelopeFrom, rcpt_to: recipient };
      if (!verdict.accept)
        intake.note(loggedClient(session), { ...ownerColumns(refusedInbox), ...envelope }, verdict);
      return verdict;
    },
    onData: async (session, { from: envelopeFrom, recipients }, stream) => {
      const { remoteAddress } = session;
      const passPiece = pace(recipients.flatMap(({ tag }) => ('inboxId' in tag ? [tag] : [])));
      const collected = await collect({ remoteAddress, stream, passPiece });
      const raw = collected?.raw ?? Buffer.alloc(0);
      const arrival = newArrival({ raw, envelopeFrom, client: session, recipients });
      try {
        if (collected) return await receive(deps, arrival, intake);
      } finally {
        collected?.release();
      }
      settleReported(arrival, noRoom);
      settle(arrival, arrival.recipients, noRoom);
      noteSettled(intake.note, arrival);
      return noRoom;
    },
    onRefused: ({ session, envelopeFrom, recipients, taken, ...reply }) => {
      for (const recipient of recipients.length > 0 ? recipients : [null]) {
        const place = taken.find(({ address }) => address === recipient)?.tag;
        const envelope = { mail_from: envelopeFrom, rcpt_to: recipient };
        intake.note(loggedClient(session), { ...ownerColumns(place), ...envelope }, reply);
      }
    },
  };
}

/** Returns the owner that the mail would have had; null if its recipient was not accepted. */
function ownerColumns(place: MailPlace | undefined): Verdict {
  if (!place) return {};
  return { workspace_id: place.workspaceId, inbox_id: 'inboxId' in place ? place.inboxId : null };
}

const unknownMailbox: SmtpReply = { code: 550, enhanced: '5.1.1', text: 'No such user here' };
const badAddress: SmtpReply = { code: 553, enhanced: '5.1.3', text: 'Mailbox syntax incorrect' };

const diskShort: SmtpReply = {
  code: 452,
  enhanced: '4.3.1',
  text: 'Insufficient system storage, try again later',
};
const mailboxFull: SmtpReply = { code: 452, enhanced: '4.2.2', text: 'Mailbox full, try again later' };
const shareFilled: SmtpReply = {
  code: 452,
  enhanced: '4.2.2',
  text: 'Too much mail from this sender for this mailbox, try again tomorrow',
};

/** The verdict on a recipient; for one that is refused or deferred, with the inbox if there is one. */
type RecipientVerdict = RcptVerdict<MailPlace> & { refusedInbox?: MailTarget };

/** Decides on a recipient of a client. */
type AcceptRecipient = (sender: MailSender, recipient: string) => Promise<RecipientVerdict>;

/** An accepted recipient's target, and whether a rule of its workspace blocks the sender. */
interface FoundTarget extends Addressee {
  inbox: MailTarget;
}

/** Creates a function that decides on recipients. One look-up serves all that are asked about at the same time. */
function createRecipientCheck(deps: Deps): AcceptRecipient {
  const findTogether = (mails: Addressing[]) => findAddressees(deps, mails);
  const findAddressee = createBatcher(findTogether, {
    countOf: ({ length }) => Math.min(length, addressesPerQueryMax),
    callsMax: 2,
  });
  return async (sender, given) => {
    const recipient = normalizeAddress(given);
    if (!recipient) return { accept: false, ...badAddress };
    const reported = isReportAddress(recipient) && (await findReportedDomain(deps, recipient));
    if (reported) return { accept: true, tag: reported };
    const target = await findTarget(deps, findAddressee, { recipient, sender: sender.envelopeFrom });
    const verdict = decideTarget(target, target && findDeferral(deps, target, sender));
    return target && !verdict.accept ? { ...verdict, refusedInbox: target.inbox } : verdict;
  };
}

/** Decides on a recipient of mail that never left this server. */
export function acceptLocally(
  deps: Deps,
  addressee: Addressee | null,
  envelopeFrom: string,
): RcptVerdict<MailTarget> {
  const sender = { envelopeFrom, remoteAddress: null };
  return decideTarget(addressee, addressee && findDeferral(deps, addressee, sender));
}

/**
 * Returns the target of a recipient. A return path leads to the inbox that sent the message. Its signature is checked before any look-up.
 */
async function findTarget(
  deps: Deps,
  findAddressee: Batcher<Addressing, Addressee | null>,
  { recipient, sender }: Addressing,
): Promise<FoundTarget | null> {
  if (!leadsBack(deps, recipient)) return findAddressee({ recipient, sender });
  const reportsOn = await findReturnPath(deps, recipient);
  const addressee = reportsOn && (await findAddressee({ recipient: reportsOn.inboxAddress, sender }));
  // The address may be another inbox's by now.
  if (addressee?.inbox.inboxId !== reportsOn?.inboxId) return null;
  return addressee && reportsOn && { ...addressee, inbox: { ...addressee.inbox, reportsOn } };
}

/** Returns the reply to a sender whose mail an inbox cannot take for now; null if there is room. */
function findDeferral(deps: Deps, { inbox, mailBytes }: Addressee, sender: MailSender): SmtpReply | null {
  if (deps.disk.isShort) return diskShort;
  const { address, workspaceId, inboxId, plan } = inbox;
  if (!hasMailRoom(deps, { address, workspaceId, plan, mailBytes })) return mailboxFull;
  return hasFilledShare(deps, { inboxId, plan }, sender) ? shareFilled : null;
}

/**
 * Accepts a recipient that has a live inbox here, does not block the sender and has room; nothing is relayed. Mail to a return path is
 * accepted without room, because a report takes none.
 */
function decideTarget(target: FoundTarget | null, deferral: SmtpReply | null): RcptVerdict<MailTarget> {
  if (!target) return { accept: false, ...unknownMailbox };
  const { inbox, isBlocked } = target;
  if (isBlocked) return { accept: false, ...senderBlocked };
  if (deferral && !inbox.reportsOn) return { accept: false, ...deferral };
  return { accept: true, tag: deferral ? { ...inbox, deferral } : inbox };
}
