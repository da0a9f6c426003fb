import { limits } from '@postrider/contract';
import { groupedQuery } from '../db/grouped-query.ts';
import { outsideTransactions } from '../db/transaction-guard.ts';
import type { Deps } from '../deps.ts';
import { type Addressing, findAddressees, type InboxAddress } from '../inboxes/find-inbox.ts';
import { createTimeScale } from '../lib/clock.ts';
import { parseRelay } from '../mail/relay.ts';
import { createSandboxTransport } from '../mail/sandbox-transport.ts';
import { createSmtpTransport } from '../mail/smtp-transport.ts';
import type { Transport } from '../mail/transport.ts';
import { receiveMail } from './receive-mail.ts';
import { screenMail, senderBlocked } from './screen-mail.ts';

/** However fast time is made to run, a peer on the same machine needs a moment to answer. */
const peerWaitLeastMs = 2_500;

/**
 * The ways out: as configured, and the one of test workspaces. They are made before the rest of the dependencies is whole,
 * because the sandbox delivers through the path of inbound mail; hence the function.
 */
export const createTransports = (
  deps: () => Deps,
  config: Deps['config'],
): { transport: Transport; testTransport: Transport } => ({
  transport: outsideTransactions(
    'Sending',
    config.smtpRelay && config.transport === 'smtp'
      ? createSmtpTransport({
          relay: parseRelay(config.smtpRelay),
          hostname: config.smtp.hostname,
          afterDotTimeoutMs: limits.finalReplyWaitMs,
          scaleMs: (durationMs) =>
            Math.max(createTimeScale(config.timeScale).scaleMs(durationMs), peerWaitLeastMs),
        })
      : createSandbox(deps, () => true),
  ),
  testTransport: outsideTransactions(
    'Sending',
    createSandbox(deps, (inbox) => inbox.isTest),
  ),
});

const findAddressee = groupedQuery(findAddressees);

/** Mail to an inbox of this server that `reaches` allows is really delivered; any other goes nowhere. */
const createSandbox = (deps: () => Deps, reaches: (inbox: InboxAddress) => boolean): Transport => {
  const find = async (mail: Addressing) => {
    const addressee = await findAddressee(deps(), mail);
    return addressee && reaches(addressee.inbox) ? addressee : null;
  };
  return createSandboxTransport({
    isLocal: async (recipient) => (await find({ recipient, sender: '' })) !== null,
    deliverLocally: async ({ raw, envelopeFrom, recipient }) => {
      const addressee = await find({ recipient, sender: envelopeFrom });
      if (!addressee) return { code: 550, enhanced: '5.1.1', text: 'No such mailbox here' };
      if (addressee.isBlocked) return senderBlocked;
      const mail = { raw, envelopeFrom };
      const recipients = await screenMail(deps(), mail, [{ given: recipient, inbox: addressee.inbox }]);
      return receiveMail(deps(), { ...mail, recipients, helo: null, remoteAddress: null });
    },
  });
};
