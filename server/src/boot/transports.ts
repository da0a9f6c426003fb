import { limits } from '@postrider/contract';
import { batchedQuery } from '../db/batched-query.ts';
import { outsideTransactions } from '../db/transaction-guard.ts';
import type { Deps } from '../deps.ts';
import { findDeferral } from '../inbound/inbound-policy.ts';
import { receiveMail } from '../inbound/receive-mail.ts';
import { screenMail, senderBlocked } from '../inbound/screen-mail.ts';
import { type Addressee, type Addressing, findAddressees, isReached } from '../inboxes/find-inbox.ts';
import { createTimeScale } from '../lib/clock.ts';
import type { SmtpReply } from '../mail/smtp/smtp-callbacks.ts';
import { parseRelay } from '../mail/transports/relay.ts';
import { createSandboxTransport } from '../mail/transports/sandbox-transport.ts';
import { createSesTransport } from '../mail/transports/ses-transport.ts';
import { createSimulatorTransport } from '../mail/transports/simulator-transport.ts';
import { createSmtpTransport } from '../mail/transports/smtp-transport.ts';
import type { Transport } from '../mail/transports/transport.ts';

/** The shortest time limit, however fast time is made to run: a peer on the same machine needs a moment to reply. */
const peerWaitLeastMs = 2_500;

/** The domain of the scripted recipients. */
function simulatorDomain(mailDomain: string): string {
  return `simulator.${mailDomain}`;
}

/**
 * Creates the transports: the configured one and the one of test workspaces, both with the simulated recipients. `deps` is a function
 * because they are created before the other dependencies are complete: mail within this server takes the path of inbound mail.
 */
export function createTransports(
  deps: () => Deps,
  config: Deps['config'],
): { transport: Transport; testTransport: Transport } {
  const anybody = { isTest: false };
  const testers = { isTest: true };
  const complete = (transport: Transport, senders: Senders) =>
    outsideTransactions('Sending', withSimulator(deps, config, transport, senders));
  return {
    transport: complete(createOutward(config) ?? createSandbox(deps, anybody), anybody),
    testTransport: complete(createSandbox(deps, testers), testers),
  };
}

/** Creates the configured transport to the outside; null if mail stays on this server. */
export function createOutward(config: Deps['config']): Transport | null {
  const { transport, smtpRelay, ses } = config;
  if (transport === 'smtp' && smtpRelay) return createRelay(config, smtpRelay);
  return transport === 'ses' && ses ? createSesTransport(ses) : null;
}

function createRelay(config: Deps['config'], relay: string): Transport {
  return createSmtpTransport({
    relay: parseRelay(relay),
    hostname: config.smtp.hostname,
    afterDotTimeoutMs: limits.finalReplyWaitMs,
    scaleMs: (durationMs) => Math.max(createTimeScale(config.timeScale).scaleMs(durationMs), peerWaitLeastMs),
  });
}

/** The workspaces whose mail goes out by a transport. */
interface Senders {
  isTest: boolean;
}

function withSimulator(
  deps: () => Deps,
  config: Deps['config'],
  transport: Transport,
  senders: Senders,
): Transport {
  return createSimulatorTransport(transport, simulatorDomain(config.mailDomain), {
    parse: async (raw, envelopeFrom) => {
      const reading = await deps().parser.parse(raw, { envelopeFrom });
      return 'failed' in reading ? reading.mail : reading;
    },
    // What the simulator composes stays on this server, so it needs no signature.
    compose: (mail) => deps().composer.compose(mail, null),
    deliverLocally: (mail) => deliverLocally(deps(), mail, senders),
  });
}

const findAddressee = batchedQuery(findAddressees);

async function findReached(deps: Deps, mail: Addressing, senders: Senders): Promise<Addressee | null> {
  const addressee = await findAddressee(deps, mail);
  return addressee && isReached(addressee.inbox, senders) ? addressee : null;
}

/** Takes mail of this server in as if it had arrived by SMTP. */
async function deliverLocally(
  deps: Deps,
  { raw, envelopeFrom, recipient }: { raw: Buffer; envelopeFrom: string; recipient: string },
  senders: Senders,
): Promise<SmtpReply> {
  const addressee = await findReached(deps, { recipient, sender: envelopeFrom }, senders);
  if (!addressee) return { code: 550, enhanced: '5.1.1', text: 'No such user here' };
  if (addressee.isBlocked) return senderBlocked;
  const deferral = await findDeferral(deps, addressee, { envelopeFrom, remoteAddress: null });
  if (deferral) return deferral;
  const mail = { raw, envelopeFrom };
  const recipients = await screenMail(deps, mail, [{ given: recipient, inbox: addressee.inbox }]);
  return receiveMail(deps, { ...mail, recipients, helo: null, remoteAddress: null });
}

/** Creates a transport that delivers mail to inboxes of this server, if its senders reach them. Other mail goes nowhere. */
function createSandbox(deps: () => Deps, senders: Senders): Transport {
  return createSandboxTransport({
    isLocal: async (recipient) => (await findReached(deps(), { recipient, sender: '' }, senders)) !== null,
    deliverLocally: (mail) => deliverLocally(deps(), mail, senders),
  });
}
