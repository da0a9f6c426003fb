import type { DnsUpdate } from '../../config/dns-update.ts';
import type { DnsPublisher } from './publish-records.ts';
import { createRfc2136Publisher } from './rfc2136-publisher.ts';
import { createRoute53Publisher } from './route53-publisher.ts';

/** Creates the publisher that `POSTRIDER_DNS_UPDATE` names. It connects when it is first used. */
export function createPublisher(update: DnsUpdate): DnsPublisher {
  if (update.kind === 'route53') return createRoute53Publisher({ hostedZoneId: update.hostedZoneId });
  const { host, port, keyName, secret, zone } = update;
  return createRfc2136Publisher({ host, port, key: { name: keyName, secret }, zone });
}
