import { limits } from '@postrider/contract';
import { groupedQuery } from '../db/grouped-query.ts';
import { outsideTransactions } from '../db/transaction-guard.ts';
import type { Deps } from '../deps.ts';
import { findDeferral } from '../inbound/find-room.ts';
import { receiveMail } from '../inbound/receive-mail.ts';
import { screenMail, senderBlocked } from '../inbound/screen-mail.ts';
import { type Addressee, type Addressing, findAddressees, isReached } from '../inboxes/find-inbox.ts';
import { createTimeScale } from '../lib/clock.ts';
import type { SmtpReply } from '../mail/smtp/smtp-callbacks.ts';
import { parseRelay } from '../mail/transports/relay.ts';
import { createSandboxTransport } from '../mail/transports/sandbox-transport.ts';
import { createSimulatorTransport } from '../mail/transports/simulator-transport.ts';
import { createSmtpTransport } from '../mail/transports/smtp-transport.ts';
import type { Transport } from '../mail/transports/transport.ts';

/** However fast time is made to run, a peer on the same machine needs a moment to answer. */
const peerWaitLeastMs = 2_500;

/** The domain of the scripted recipients. */
const simulatorDomain = (mailDomain: string): string => `simulator.${mailDomain}`;

/**
 * The ways out: as configured, and the one of test workspaces, both with the simulated recipients. They are made before the rest
 * of the dependencies is whole, because mail within this server goes through the path of inbound mail; hence the function.
 */
export const createTransports = (
  deps: () => Deps,
  config: Deps['config'],
): { transport: Transport; testTransport: Transport } => {
  const anybody = { isTest: false };
  const testers = { isTest: true };
  const complete = (transport: Transport, senders: Senders) =>
    outsideTransactions('Sending', withSimulator(deps, config, transport, senders));
  return {
    transport: complete(
      config.smtpRelay && config.transport === 'smtp'
        ? createRelay(config, config.smtpRelay)
        : createSandbox(deps, anybody),
      anybody,
    ),
    testTransport: complete(createSandbox(deps, testers), testers),
  };
};

const createRelay = (config: Deps['config'], relay: string): Transport =>
  createSmtpTransport({
    relay: parseRelay(relay),
    hostname: config.smtp.hostname,
    afterDotTimeoutMs: limits.finalReplyWaitMs,
    scaleMs: (durationMs) => Math.max(createTimeScale(config.timeScale).scaleMs(durationMs), peerWaitLeastMs),
  });

/** Whose mail goes out by a transport. */
interface Senders {
  isTest: boolean;
}

const withSimulator = (
  deps: () => Deps,
  config: Deps['config'],
  transport: Transport,
  senders: Senders,
): Transport =>
  createSimulatorTransport(transport, simulatorDomain(config.mailDomain), {
    parse: async (raw, envelopeFrom) => {
      const reading = await deps().parser.parse(raw, { envelopeFrom });
      return 'failed' in reading ? reading.mail : reading;
    },
    deliverLocally: (mail) => deliverLocally(deps(), mail, senders),
  });

const findAddressee = groupedQuery(findAddressees);

const findReached = async (deps: Deps, mail: Addressing, senders: Senders): Promise<Addressee | null> => {
  const addressee = await findAddressee(deps, mail);
  return addressee && isReached(addressee.inbox, senders) ? addressee : null;
};

/** Takes mail of this server in as if it had come by SMTP. */
const deliverLocally = async (
  deps: Deps,
  { raw, envelopeFrom, recipient }: { raw: Buffer; envelopeFrom: string; recipient: string },
  senders: Senders,
): Promise<SmtpReply> => {
  const addressee = await findReached(deps, { recipient, sender: envelopeFrom }, senders);
  if (!addressee) return { code: 550, enhanced: '5.1.1', text: 'No such mailbox here' };
  if (addressee.isBlocked) return senderBlocked;
  const deferral = await findDeferral(deps, addressee, { envelopeFrom, remoteAddress: null });
  if (deferral) return deferral;
  const mail = { raw, envelopeFrom };
  const recipients = await screenMail(deps, mail, [{ given: recipient, inbox: addressee.inbox }]);
  return receiveMail(deps, { ...mail, recipients, helo: null, remoteAddress: null });
};

/** Mail to an inbox of this server that its senders reach is really delivered; any other goes nowhere. */
const createSandbox = (deps: () => Deps, senders: Senders): Transport =>
  createSandboxTransport({
    isLocal: async (recipient) => (await findReached(deps(), { recipient, sender: '' }, senders)) !== null,
    deliverLocally: (mail) => deliverLocally(deps(), mail, senders),
  });
