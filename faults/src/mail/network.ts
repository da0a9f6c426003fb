/*
 * The network of the scene: the addresses of its hosts on the loopback interface, and a real name server that every program finds in
 * `/etc/resolv.conf`. It changes the machine's network and mounts, so it runs in namespaces of its own, which end with their process.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DnsRecord } from 'postrider';
import { runCommand } from './daemon.ts';
import { type Knot, startKnot } from './knot.ts';
import { hosts, zones } from './scene.ts';

const dnsPort = 53;
const reverseZone = '33.22.11.in-addr.arpa';

/** The name server of the scene. */
export interface Network extends Pick<Knot, 'address' | 'stop'> {
  /** Publishes TXT records, one string or a long one in parts. */
  publishText(zone: string, name: string, text: string): Promise<void>;
  publishExchange(zone: string, name: string, exchange: string, priority?: number): Promise<void>;
  /** Publishes records of a domain as the API returns them. */
  publish(zone: string, records: DnsRecord[]): Promise<void>;
}

/** Opens the network. The stranger and the server have names and addresses, and the receiver everything but its DKIM key. */
export async function openNetwork(folder: string): Promise<Network> {
  await addAddresses();
  const knot = await startKnot({ zones: [...Object.values(zones), reverseZone], port: dnsPort });
  const file = join(folder, 'resolv.conf');
  await writeFile(file, 'nameserver 127.0.0.1\noptions timeout:2 attempts:2\n');
  await runCommand('mount', ['--bind', file, '/etc/resolv.conf']);
  const network: Network = {
    address: knot.address,
    stop: knot.stop,
    publishText: (zone, name, text) => knot.setRecord(zone, name, 'TXT', [quote(text)]),
    publishExchange: (zone, name, exchange, priority = 10) =>
      knot.setRecord(zone, name, 'MX', [`${priority} ${exchange}.`]),
    publish: async (zone, records) => {
      for (const { type, name, value, priority } of records)
        if (type === 'MX') await network.publishExchange(zone, name, value, priority ?? undefined);
        else await network.publishText(zone, name, value);
    },
  };
  await publishHosts(knot);
  await publishReceiver(network);
  return network;
}

async function addAddresses(): Promise<void> {
  await runCommand('ip', ['link', 'set', 'lo', 'up']);
  for (const { address } of Object.values(hosts))
    await runCommand('ip', ['address', 'add', `${address}/32`, 'dev', 'lo']);
  // Without it, a connection to an address of this machine comes from that address itself.
  const route = ['local', hosts.postfix.address, 'dev', 'lo', 'table', 'local', 'proto', 'kernel'];
  await runCommand('ip', ['route', 'replace', ...route, 'scope', 'host', 'src', hosts.server.address]);
}

async function publishHosts(knot: Knot): Promise<void> {
  for (const { name, address } of Object.values(hosts)) {
    const zone = name.slice(name.indexOf('.') + 1);
    await knot.setRecord(zone, name, 'A', [address]);
    await knot.setRecord(reverseZone, `${address.split('.').pop()}.${reverseZone}`, 'PTR', [`${name}.`]);
  }
}

/** The receiver also says who may send with the name of its host, as bounces have no other sender. */
async function publishReceiver(network: Network): Promise<void> {
  const { receiver } = zones;
  await network.publishExchange(receiver, receiver, hosts.postfix.name);
  await network.publishText(receiver, receiver, `v=spf1 ip4:${hosts.postfix.address} -all`);
  await network.publishText(receiver, hosts.postfix.name, 'v=spf1 a -all');
  await network.publishText(receiver, `_dmarc.${receiver}`, 'v=DMARC1; p=reject');
}

/** A string of TXT has 255 octets at most. */
function quote(text: string): string {
  return (text.match(/.{1,255}/g) ?? ['']).map((part) => `"${part}"`).join(' ');
}
