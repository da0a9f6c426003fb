import { isIPv6 } from 'node:net';
import { DnsFailure, type MailDns } from './dns-answers.ts';

/** The addresses of a server to connect to, in order, and why there are none. */
export interface FoundAddresses {
  addresses: string[];
  /** Null if there are addresses. */
  problem: string | null;
  /** Whether this server is the reason that there are none: it does not connect to what DNS names, or cannot ask DNS. */
  isOurs: boolean;
}

/**
 * Finds the addresses of a server, IPv6 and IPv4 in turn (RFC 8305, section 4), without those for which `mayConnectTo` returns false. Never
 * rejects.
 */
export async function findAddresses(
  dns: MailDns,
  host: string,
  mayConnectTo: (address: string) => boolean,
): Promise<FoundAddresses> {
  const answers = await Promise.allSettled([dns.addresses(host, 6), dns.addresses(host, 4)]);
  const found = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.records : []));
  const all = interleave(found[0] ?? [], found[1] ?? []);
  const addresses = all.filter(mayConnectTo);
  if (addresses.length > 0) return { addresses, problem: null, isOurs: false };
  if (all.length > 0)
    return {
      addresses,
      problem: `${host} has only addresses of private or reserved networks (${all[0]}), to which this server sends no mail`,
      isOurs: true,
    };
  const failed = answers.find((answer) => answer.status === 'rejected')?.reason;
  const problem = failed instanceof DnsFailure ? failed.message : `${host} has no address`;
  return { addresses, problem: problem.replace(/\.$/, ''), isOurs: failed !== undefined };
}

function interleave(first: string[], second: string[]): string[] {
  const length = Math.max(first.length, second.length);
  return Array.from({ length }, (_, index) => [first[index], second[index]])
    .flat()
    .filter((address) => address !== undefined);
}

/** Returns an address with its port, as logs show it. */
export function withPort(address: string, port: number): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}
