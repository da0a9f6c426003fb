import ipaddr from 'ipaddr.js';
import { isPublicAddress } from '../../../lib/ip-address.ts';
import { settingNames } from '../../../lib/start/start-error.ts';
import { type Finding, note, ok, problem } from '../finding.ts';
import type { Ask } from './examine-dns.ts';

/**
 * Checks that the name of the SMTP greeting has addresses, and that each of them leads back to it (FCrDNS). Receivers refuse mail from
 * servers without that, so with `isSender` it is a problem.
 */
export async function examineHostname(
  hostname: string,
  { isSender, addresses, ask }: { isSender: boolean; addresses: string[] | null; ask: Ask },
): Promise<Finding[]> {
  const finding = isSender ? problem : note;
  if (!hostname.includes('.'))
    return [
      finding(
        'hostname',
        `${hostname} is not a public name, and other servers may refuse it in HELO.`,
        `Set ${settingNames.smtpHostname} to the public name of this server.`,
      ),
    ];
  if (addresses === null)
    return [
      finding('hostname', `The resolver does not respond for ${hostname}.`, `Check ${settingNames.dns}.`),
    ];
  if (addresses.length === 0)
    return [
      finding(
        'hostname',
        `${hostname} has no address, and other servers may refuse it in HELO.`,
        `Publish an A or AAAA record for ${hostname}, or correct ${settingNames.smtpHostname}.`,
      ),
    ];
  const found = await Promise.all(
    addresses.map((address) => examineAddress(hostname, address, finding, ask)),
  );
  return found.flat();
}

async function examineAddress(
  hostname: string,
  address: string,
  finding: typeof problem,
  ask: Ask,
): Promise<Finding[]> {
  if (!isPublicAddress(address))
    return [
      finding(
        'hostname',
        `${hostname} has the address ${address}, which is not public.`,
        'Publish the public address of this server.',
      ),
    ];
  const remedy = `Ask the provider of ${address} to set its reverse DNS (PTR) to ${hostname}.`;
  const pointers = (await ask(reverseName(address), 'PTR')) as string[] | null;
  if (pointers === null)
    return [note('hostname', `The resolver does not respond for the PTR record of ${address}.`)];
  if (pointers.length === 0)
    return [finding('hostname', `${address} has no PTR record; many receivers refuse mail from it.`, remedy)];
  const names = pointers.map((name) => name.toLowerCase().replace(/\.$/, '')).slice(0, 3);
  const back = await Promise.all(
    names.map(async (name) => ((await ask(name, address.includes(':') ? 'AAAA' : 'A')) ?? []) as string[]),
  );
  const confirmed = names.filter((_, at) => back[at]?.includes(address));
  if (confirmed.length === 0)
    return [
      finding(
        'hostname',
        `The PTR record of ${address} is ${names.join(', ')}, which does not lead back to it; many receivers refuse mail from it.`,
        remedy,
      ),
    ];
  return [
    confirmed.includes(hostname)
      ? ok('hostname', `${hostname} is ${address}, in both directions`)
      : note('hostname', `The PTR record of ${address} is ${confirmed.join(', ')}, not ${hostname}.`, remedy),
  ];
}

/** The lists that most receivers ask, and where an address is removed from them. */
const blocklists = [
  { zone: 'zen.spamhaus.org', hasIpv6: true, removal: 'https://check.spamhaus.org' },
  { zone: 'bl.spamcop.net', hasIpv6: false, removal: 'https://www.spamcop.net/bl.shtml' },
  { zone: 'b.barracudacentral.org', hasIpv6: false, removal: 'https://www.barracudacentral.org/lookups' },
];
type Blocklist = (typeof blocklists)[number];

const textMax = 200;

/** Asks well-known block lists for the public addresses of this server. */
export async function examineBlocklists(addresses: string[], ask: Ask): Promise<Finding[]> {
  const asked = addresses.filter(isPublicAddress);
  if (asked.length === 0) return [note('blocklists', 'No public address of this server is known.')];
  const found = asked.flatMap((address) =>
    blocklists
      .filter(({ hasIpv6 }) => hasIpv6 || !address.includes(':'))
      .map((list) => examineListing(address, list, ask)),
  );
  return Promise.all(found);
}

async function examineListing(address: string, { zone, removal }: Blocklist, ask: Ask): Promise<Finding> {
  const name = `${reverseLabels(address)}.${zone}`;
  const codes = (await ask(name, 'A')) as string[] | null;
  if (codes === null) return note('blocklists', `${zone} does not respond about ${address}.`);
  if (codes.length === 0) return ok('blocklists', `${address} is not on ${zone}`);
  if (codes.some((code) => code.startsWith('127.255.255.')))
    return note(
      'blocklists',
      `${zone} refused the query about ${address} (${codes.join(', ')}), because it does not serve public resolvers.`,
      `Set ${settingNames.dns} to your own resolver, or see ${removal}.`,
    );
  if (!codes.every((code) => code.startsWith('127.')))
    return note(
      'blocklists',
      `The resolver returns ${codes.join(', ')} for ${zone}, which is not a valid response from a block list.`,
      `Set ${settingNames.dns} to a resolver that does not change answers.`,
    );
  const texts = ((await ask(name, 'TXT')) ?? []) as string[][];
  const reason = texts
    .map((strings) => strings.join(''))
    .join(' ')
    .slice(0, textMax);
  return problem(
    'blocklists',
    `${address} is on ${zone} (${codes.join(', ')})${reason === '' ? '.' : `: ${reason}`}`,
    `Find the cause and ask for removal at ${removal}.`,
  );
}

/** Returns the labels of an address in reverse, as DNS looks them up: `4.3.2.1` for IPv4, and one for each digit of IPv6. */
function reverseLabels(address: string): string {
  const parsed = ipaddr.parse(address);
  const labels =
    parsed instanceof ipaddr.IPv4
      ? parsed.octets.map(String)
      : parsed.toByteArray().flatMap((byte) => [...byte.toString(16).padStart(2, '0')]);
  return labels.reverse().join('.');
}

/** Returns the name that has the PTR record of an address (RFC 1035, section 3.5; RFC 3596, section 2.5). */
function reverseName(address: string): string {
  return `${reverseLabels(address)}.${address.includes(':') ? 'ip6' : 'in-addr'}.arpa`;
}
