import { lookup, Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { DnsResolve } from '../mail/authenticate/ask-dns.ts';

const timeoutMs = 2_000;
const tries = 2;

/**
 * Returns a function that resolves DNS queries by the system's resolver, or by the one at `server` (`host:port`).
 *
 * @throws Error if the host of that resolver cannot be found.
 */
export async function openDns(server: string | null): Promise<DnsResolve> {
  const resolver = new Resolver({ timeout: timeoutMs, tries });
  if (server !== null) resolver.setServers([await addressOf(server)]);
  return (name, type) => resolver.resolve(name, type) as Promise<string[] | string[][]>;
}

/** A resolver is queried by its address, so its name is looked up once, at the start. */
async function addressOf(server: string): Promise<string> {
  const [host = '', port = '53'] = server.split(':');
  return isIP(host) ? server : `${(await lookup(host, 4)).address}:${port}`;
}
