import type { Deps } from '../deps.ts';
import type { SmtpCallbacks, SmtpReply } from '../mail/smtp/smtp-callbacks.ts';
import { createRecipientCheck } from './accept-recipient.ts';
import { type MailPlace, newArrival, settle, settleReported } from './arrival.ts';
import { createMailCollector, createMailPace } from './collect-mail.ts';
import type { Intake } from './intake.ts';
import { receive } from './receive.ts';
import { loggedClient, noteSettled, type Verdict } from './verdicts.ts';

const noRoom: SmtpReply = { code: 452, enhanced: '4.3.1', text: 'Too much mail at once, try again later' };

/** Creates what the SMTP server and Amazon SES call. Verdicts are noted. */
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
        intake.note(loggedClient(session), { ...placeOf(refusedInbox), ...envelope }, verdict);
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
        intake.note(loggedClient(session), { ...placeOf(place), ...envelope }, reply);
      }
    },
  };
}

/** Returns whose mail it would have been; nobody's if its recipient was not taken. */
function placeOf(place: MailPlace | undefined): Verdict {
  if (!place) return {};
  return { workspace_id: place.workspaceId, inbox_id: 'inboxId' in place ? place.inboxId : null };
}
