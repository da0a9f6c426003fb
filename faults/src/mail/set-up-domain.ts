import type { DnsRecord, Domain, Inbox, Postrider } from 'postrider';
import type { Expect } from './expectations.ts';
import { makeOtherDkimRecord } from './mail-filters.ts';
import type { Network } from './network.ts';
import { hosts, receiverSelector, zones } from './scene.ts';

/** Adds the domain by the API, publishes the records that it asks for, has them checked, and creates an inbox at the domain. */
export async function setUpDomain(
  client: Postrider,
  network: Network,
  expect: Expect,
): Promise<{ domain: Domain; inbox: Inbox }> {
  const { id, records } = await client.domains.create({ hostname: zones.own });
  await network.publish(zones.own, records);
  const domain = await client.domains.verify(id);
  expect('the domain: its status', domain.status, 'verified');
  const wrong = domain.records.filter(({ status }) => status !== 'verified');
  expect('the domain: records that were not found', wrong.map(describe), []);
  const inbox = await client.inboxes.create({ local_part: 'agent', domain_id: id });
  return { domain, inbox };
}

/** Publishes a key that nothing is signed with, and an SPF record for another host, on both sides. */
export async function publishWrongRecords(network: Network, { records }: Domain): Promise<void> {
  const wrong = (purpose: DnsRecord['purpose'], value: string) =>
    records.filter((record) => record.purpose === purpose).map((record) => ({ ...record, value }));
  await network.publish(zones.own, [...wrong('dkim', makeOtherDkimRecord()), ...wrong('spf', otherSpf)]);
  await network.publishText(zones.receiver, zones.receiver, otherSpf);
  await publishReceiverKey(network, makeOtherDkimRecord());
}

/** Publishes the key that OpenDKIM signs with, or another one. */
export function publishReceiverKey(network: Network, record: string): Promise<void> {
  return network.publishText(zones.receiver, `${receiverSelector}._domainkey.${zones.receiver}`, record);
}

/** Publishes the records of the shared domain, with the key as the output of `doctor` tells the operator to. */
export async function publishSharedDomain(network: Network, report: string): Promise<void> {
  const { shared } = zones;
  const [, name, strings] =
    new RegExp(`(\\S+_domainkey\\.${shared})\\. TXT ((?:\\\\?"[^"\\\\]+\\\\?" ?)+)`).exec(report) ?? [];
  if (!name || !strings) throw new Error(`doctor does not tell the record of the key:\n${report}`);
  await network.publishText(shared, name, strings.replace(/\\?"(?: \\?")?/g, ''));
  await network.publishText(shared, shared, `v=spf1 a:${hosts.server.name} -all`);
  await network.publishText(shared, `_dmarc.${shared}`, 'v=DMARC1; p=reject');
}

/** Names an address that no host of the scene has. */
const otherSpf = 'v=spf1 ip4:11.22.33.99 -all';

function describe({ type, name, found }: DnsRecord): string {
  return `${type} ${name}: ${found}`;
}
