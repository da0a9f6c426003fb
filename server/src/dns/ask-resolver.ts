import { getServers } from 'node:dns';
import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { DnsResolve } from '../mail/authenticate/ask-dns.ts';
import { type AskedType, type DnsReply, NoReply } from './dns-message.ts';
import { type Budget, type Endpoint, isSpent, sendQuery } from './send-query.ts';

const dnsPort = 53;
const resolversMax = 3;
const rounds = 2;
const noError = 0;
const nameError = 3;

/**
 * Returns the resolvers to ask: the one at `server` (`host:port`), or those of the system.
 *
 * @throws Error if the host of that resolver cannot be found.
 */
export async function findResolvers(server: string | null): Promise<Endpoint[]> {
  if (server === null) return getServers().slice(0, resolversMax).map(readEndpoint);
  const { address, port } = readEndpoint(server);
  return [{ address: isIP(address) ? address : (await lookup(address, 4)).address, port }];
}

/**
 * Asks the resolvers in turn, until one knows whether the record exists; returns the last reply if none does.
 *
 * @throws NoReply if no resolver replied.
 */
export async function askResolver(
  resolvers: Endpoint[],
  name: string,
  type: AskedType,
  budget: Budget,
): Promise<DnsReply & { from: Endpoint }> {
  if (isSpent(budget)) throw new NoReply('Finding the record took too many steps or too much time.');
  let failure = new NoReply('There is no resolver.');
  let last: (DnsReply & { from: Endpoint }) | null = null;
  for (let round = 0; round < rounds && last === null; round += 1) {
    for (const from of resolvers) {
      if (isSpent(budget)) break;
      try {
        last = { ...(await sendQuery(from, { name, type, isRecursive: true }, budget)), from };
        if (last.code === noError || last.code === nameError) return last;
      } catch (error) {
        if (!(error instanceof NoReply)) throw error;
        failure = new NoReply(`The resolver ${endpointText(from)} ${error.message}.`);
      }
    }
  }
  if (last === null) throw failure;
  return last;
}

/** Returns an address for people, with the port if it is not that of DNS. */
export function endpointText({ address, port }: Endpoint): string {
  if (port === dnsPort) return address;
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

function readEndpoint(text: string): Endpoint {
  if (isIP(text)) return { address: text, port: dnsPort };
  const [, address = text, port = String(dnsPort)] = /^\[?([^\]]*?)\]?(?::(\d+))?$/.exec(text) ?? [];
  return { address, port: Number(port) };
}

const timeoutMs = 2_000;
const tries = 2;

/**
 * Returns a function that resolves DNS queries by the system's resolver, or by the one at `server` (`host:port`).
 *
 * @throws Error if the host of that resolver cannot be found.
 */
export async function openDns(server: string | null): Promise<DnsResolve> {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (server !== null) resolver.setServers([await findAddress(server)]);
  return (name, type) => resolver.resolve(name, type) as Promise<string[] | string[][]>;
}

/** A resolver is queried by its address, so its name is looked up once, at the start. */
async function findAddress(server: string): Promise<string> {
  const [host = '', port = '53'] = server.split(':');
  return isIP(host) ? server : `${(await lookup(host, 4)).address}:${port}`;
}
