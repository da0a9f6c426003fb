import { limits } from '@postrider/contract';
import type { Config } from '../config/config.ts';
import { Circuit } from '../lib/admission/circuit.ts';
import { createTimeScale } from '../lib/clock.ts';
import { isPublicAddress } from '../lib/ip-address.ts';
import type { DnsResolve } from '../mail/authenticate/ask-dns.ts';
import { createFailoverTransport } from '../mail/transports/combine-transports.ts';
import { createDirectTransport } from '../mail/transports/direct/direct-transport.ts';
import { parseRelay } from '../mail/transports/relay.ts';
import { createSesTransport } from '../mail/transports/ses-transport.ts';
import { createSmtpTransport } from '../mail/transports/smtp-transport.ts';
import type { Transport } from '../mail/transports/transport.ts';

/** The shortest time limit, however fast the test clock runs: a peer on the same machine needs a moment to reply. */
export const peerWaits = { leastMs: 2_500 };

const relayRestMs = { first: 30_000, most: 5 * 60_000 };

/** Creates the transport that the configuration names. Returns null for the sandbox. */
export function createOutward(config: Config, resolve: DnsResolve): Transport | null {
  if (config.transport === 'direct') return createDirect(config, resolve);
  if (config.transport === 'smtp') return createRelays(config);
  return config.transport === 'ses' && config.ses ? createSesTransport(config.ses) : null;
}

function createDirect(config: Config, resolve: DnsResolve): Transport {
  const { port, allowPrivate } = config.direct;
  return createDirectTransport({
    hostname: config.smtp.hostname,
    domain: config.mailDomain,
    resolve,
    port,
    mayConnectTo: (address) => allowPrivate || isPublicAddress(address),
    afterDotTimeoutMs: limits.finalReplyWaitMs,
    scaleMs: createTimeScale(config.timeScale).scaleMs,
    scalePeerMs: peerScale(config),
  });
}

function createRelays(config: Config): Transport {
  const { scaleMs } = createTimeScale(config.timeScale);
  const create = (url: string, mayConnect?: () => boolean) =>
    createSmtpTransport({
      relay: parseRelay(url),
      hostname: config.smtp.hostname,
      afterDotTimeoutMs: limits.finalReplyWaitMs,
      scaleMs: peerScale(config),
      ...(mayConnect && { mayConnect }),
    });
  const [first = '', ...others] = config.smtpRelays;
  if (others.length === 0) return create(first);
  const relays = config.smtpRelays.map((url) => {
    const circuit = new Circuit({
      firstMs: scaleMs(relayRestMs.first),
      mostMs: scaleMs(relayRestMs.most),
    });
    return { transport: create(url, () => circuit.openMs === 0), circuit };
  });
  return createFailoverTransport(relays);
}

function peerScale({ timeScale }: Config): (durationMs: number) => number {
  return (durationMs) => Math.max(createTimeScale(timeScale).scaleMs(durationMs), peerWaits.leastMs);
}
