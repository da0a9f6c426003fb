import { batchedQuery } from '../db/batched.ts';
import { outsideTransactions } from '../db/connections.ts';
import type { Deps } from '../deps.ts';
import { isServedElsewhere } from '../domains/find-domain.ts';
import { newArrival } from '../inbound/arrival.ts';
import { acceptLocally } from '../inbound/mail-callbacks.ts';
import { receive } from '../inbound/receive.ts';
import { type Addressee, type Addressing, findAddressees, isReached } from '../inboxes/find-inbox.ts';
import { domainOf } from '../lib/email-address.ts';
import type { DnsResolve } from '../mail/authenticate/ask-dns.ts';
import type { SmtpReply } from '../mail/smtp/smtp-callbacks.ts';
import { createLocalFirstTransport } from '../mail/transports/combine-transports.ts';
import { createSandboxTransport } from '../mail/transports/sandbox-transport.ts';
import { createSimulatorTransport, simulatorDomain } from '../mail/transports/simulator.ts';
import type { Transport } from '../mail/transports/transport.ts';
import { createOutward } from './outward-transport.ts';

/** The transports of a server: the configured one and the one of test workspaces, both with the simulated recipients. */
interface Transports extends Pick<Deps, 'transport' | 'testTransport'> {
  /** Connects them with the server, once it is complete: mail within it takes the path of inbound mail, which needs all of its parts. */
  connect(server: Deps): void;
}

/** Creates the transports. They send nothing before they are connected. */
export function createTransports(config: Deps['config'], resolve: DnsResolve): Transports {
  let server: Deps | null = null;
  const deps = (): Deps => {
    if (!server) throw new Error('The transports are not connected yet.');
    return server;
  };
  const anybody = { isTest: false };
  const testers = { isTest: true };
  const complete = (transport: Transport, senders: Senders) =>
    outsideTransactions('Sending', withSimulator(deps, config, transport, senders));
  return {
    transport: complete(withLocal(deps, config, createOutward(config, resolve), anybody), anybody),
    testTransport: complete(createSandbox(deps, testers), testers),
    connect: (complete) => {
      server = complete;
    },
  };
}

/**
 * Returns the transport of mail that leaves the server. A relay gets all of it. With `direct`, mail to inboxes of this server and to the
 * shared domain stays here.
 */
function withLocal(
  deps: () => Deps,
  config: Deps['config'],
  outward: Transport | null,
  senders: Senders,
): Transport {
  if (outward === null) return createSandbox(deps, senders);
  if (config.transport !== 'direct') return outward;
  const local = createSandboxTransport({
    isLocal: async () => true,
    deliverLocally: (mail) => deliverLocally(deps(), mail, senders),
  });
  return createLocalFirstTransport(outward, local, async (recipient) => {
    const hostname = domainOf(recipient);
    if (hostname === config.mailDomain) return true;
    const reached = await findReached(deps(), { recipient, sender: '' }, senders);
    if (!reached) return false;
    // Its owner may have moved the mail of a domain away and left inboxes behind.
    return !(await isServedElsewhere({ db: deps().db, workspaceId: reached.inbox.workspaceId }, hostname));
  });
}

/** The workspaces whose mail is sent by a transport. */
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
    // Mail of the simulator stays on this server, so it needs no signature.
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
  const verdict = acceptLocally(deps, addressee, envelopeFrom);
  if (!verdict.accept) return verdict;
  const recipients = [{ address: recipient, tag: verdict.tag }];
  return receive(deps, newArrival({ raw, envelopeFrom, client: null, recipients }), null);
}

/** Creates a transport that delivers mail to inboxes of this server, if its senders reach them. Other mail goes nowhere. */
function createSandbox(deps: () => Deps, senders: Senders): Transport {
  return createSandboxTransport({
    isLocal: async (recipient) => (await findReached(deps(), { recipient, sender: '' }, senders)) !== null,
    deliverLocally: (mail) => deliverLocally(deps(), mail, senders),
  });
}
