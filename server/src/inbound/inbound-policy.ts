import { findReturnPath } from '../delivery/find-return-path.ts';
import type { MailTarget } from '../delivery/mail-target.ts';
import type { Deps } from '../deps.ts';
import { leadsBack } from '../domains/mail-domain.ts';
import { findReportedDomain } from '../domains/reports/find-reported-domain.ts';
import { type Addressee, type Addressing, findAddressees } from '../inboxes/find-inbox.ts';
import { type Batcher, createBatcher } from '../lib/concurrency/batcher.ts';
import { normalizeAddress } from '../lib/email-address.ts';
import type { RcptVerdict, SmtpCallbacks, SmtpReply, SmtpSession } from '../mail/smtp/smtp-callbacks.ts';
import { hasMailRoom } from '../workspaces/mail-room.ts';
import { createMessageBuffer } from './buffer-message.ts';
import type { Intake } from './intake.ts';
import { createMailPace } from './mail-pace.ts';
import { hasFilledShare, type MailSender } from './mail-shares.ts';
import { loggedClient, type Verdict, verdictOf } from './note-verdicts.ts';
import { senderBlocked } from './screen-mail.ts';
import { type MailPlace, takeDmarcReports } from './take-dmarc-reports.ts';

const unknownMailbox: SmtpReply = { code: 550, enhanced: '5.1.1', text: 'No such user here' };
const badAddress: SmtpReply = { code: 553, enhanced: '5.1.3', text: 'Mailbox syntax incorrect' };
const noRoom: SmtpReply = { code: 452, enhanced: '4.3.1', text: 'Too much mail at once, try again later' };

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

const addressesPerQueryMax = 200;

/** Creates the callbacks of the SMTP server, which decide on recipients and take mails. Verdicts are noted. */
export function createSmtpCallbacks(deps: Deps, intake: Intake): SmtpCallbacks<MailPlace> {
  const collect = createMessageBuffer();
  const pace = createMailPace(deps);
  const findTogether = (mails: Addressing[]) => findAddressees(deps, mails);
  const findAddressee = createBatcher(findTogether, {
    countOf: ({ length }) => Math.min(length, addressesPerQueryMax),
    callsMax: 2,
  });
  const note = (session: SmtpSession, verdict: Verdict, reply: SmtpReply) =>
    intake.note(loggedClient(session), verdict, reply);
  return {
    onRcpt: async (session, sender, recipient) => {
      const address = normalizeAddress(recipient);
      const reported = address && (await findReportedDomain(deps, address));
      if (reported) return { accept: true, tag: reported };
      const addressee = address
        ? await findTarget(deps, findAddressee, { recipient: address, sender })
        : null;
      const client = { envelopeFrom: sender, remoteAddress: session.remoteAddress };
      const verdict = address
        ? decideAddressee(addressee, addressee && (await findDeferral(deps, addressee, client)))
        : { accept: false as const, ...badAddress };
      if (!verdict.accept) {
        const refused = addressee ? verdictOf([], addressee.inbox) : {};
        const envelope = { mail_from: sender, rcpt_to: recipient };
        note(session, { ...refused, ...envelope, verdict: verdictFor(verdict) }, verdict);
      }
      return verdict;
    },
    onData: async (session, envelope, stream) => {
      const { from, recipients } = envelope;
      const passPiece = pace(recipients.flatMap(({ tag }) => ('inboxId' in tag ? [tag] : [])));
      const answer = await collect({ remoteAddress: session.remoteAddress, stream, passPiece }, (raw) =>
        takeDmarcReports(deps, intake, { raw, session, envelope }),
      );
      if (answer) return answer;
      for (const { address, tag } of recipients) {
        const inbox = 'inboxId' in tag ? tag : { workspaceId: tag.workspaceId, inboxId: null };
        note(session, { mail_from: from, rcpt_to: address, ...verdictOf([], inbox) }, noRoom);
      }
      return noRoom;
    },
    onRefused: ({ session, envelopeFrom, recipients, taken, ...reply }) => {
      for (const recipient of recipients.length > 0 ? recipients : [null]) {
        const place = taken.find(({ address }) => address === recipient)?.tag;
        const envelope = { mail_from: envelopeFrom, rcpt_to: recipient };
        note(session, { ...ownerOf(place), ...envelope, verdict: verdictFor(reply) }, reply);
      }
    },
  };
}

/** An accepted recipient's target, and whether a rule of its workspace blocks the sender. */
interface Found extends Addressee {
  inbox: MailTarget;
}

/**
 * Returns the target of a recipient. A return path leads to the inbox that sent the message. Its signature is checked before any look-up.
 */
async function findTarget(
  deps: Deps,
  findAddressee: Batcher<Addressing, Addressee | null>,
  { recipient, sender }: Addressing,
): Promise<Found | null> {
  if (!leadsBack(deps, recipient)) return findAddressee({ recipient, sender });
  const reportsOn = await findReturnPath(deps, recipient);
  const addressee = reportsOn && (await findAddressee({ recipient: reportsOn.inboxAddress, sender }));
  // The address may be another inbox's by now.
  if (addressee?.inbox.inboxId !== reportsOn?.inboxId) return null;
  return addressee && reportsOn && { ...addressee, inbox: { ...addressee.inbox, reportsOn } };
}

/** Returns the reply to a sender whose mail an inbox cannot take for now; null if there is room. */
export async function findDeferral(
  deps: Pick<Deps, 'memory' | 'config' | 'clock' | 'timeScale' | 'disk'>,
  { inbox, mailBytes }: Addressee,
  sender: MailSender,
): Promise<SmtpReply | null> {
  if (await deps.disk.isShort()) return diskShort;
  const { address, workspaceId, inboxId, plan } = inbox;
  if (!hasMailRoom(deps, { address, workspaceId, plan, mailBytes })) return mailboxFull;
  return hasFilledShare(deps, { inboxId, plan }, sender) ? shareFilled : null;
}

/**
 * Accepts a recipient that has a live inbox here, does not block the sender and has room; nothing is relayed. Mail to a return path is
 * accepted without room, because a report takes none.
 */
function decideAddressee(addressee: Found | null, deferral: SmtpReply | null): RcptVerdict<MailTarget> {
  if (!addressee) return { accept: false, ...unknownMailbox };
  const { inbox, isBlocked } = addressee;
  if (isBlocked) return { accept: false, ...senderBlocked };
  if (deferral && !inbox.reportsOn) return { accept: false, ...deferral };
  return { accept: true, tag: deferral ? { ...inbox, deferral } : inbox };
}

/** Returns whose mail it would have been; nobody's if its recipient was not taken before. */
function ownerOf(place: MailPlace | undefined): Partial<Verdict> {
  if (!place) return {};
  return { workspace_id: place.workspaceId, inbox_id: 'inboxId' in place ? place.inboxId : null };
}

function verdictFor({ code }: SmtpReply): 'deferred' | 'refused' {
  return code < 500 ? 'deferred' : 'refused';
}
