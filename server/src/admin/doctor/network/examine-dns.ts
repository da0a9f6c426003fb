import type { Config } from '../../../config/config.ts';
import { settingNames } from '../../../lib/start/start-error.ts';
import { type Finding, note, ok, problem } from '../finding.ts';
import { type Ask, addressesOf } from './ask-dns-records.ts';

/** Domains that are in no DNS (RFC 2606 and RFC 6761). */
const reserved = /(^|\.)(test|example|invalid|localhost|local|internal)$/;

/** Returns whether a domain is in no DNS, and so only for this machine. */
export function isReserved(domain: string): boolean {
  return reserved.test(domain);
}

/** Returns the hosts that take mail for a domain, in lower case; null if the resolver does not answer. */
export async function exchangesOf(domain: string, ask: Ask): Promise<string[] | null> {
  const exchanges = (await ask(domain, 'MX')) as { exchange: string }[] | null;
  return exchanges?.map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, '')) ?? null;
}

/** Checks whether mail for the shared domain reaches this server. */
export async function examineDns(
  { mailDomain, smtp }: Pick<Config, 'mailDomain' | 'smtp'>,
  ask: Ask,
): Promise<Finding[]> {
  const hosts = await exchangesOf(mailDomain, ask);
  if (hosts === null)
    return [
      problem(
        'dns',
        `The resolver does not answer for ${mailDomain}.`,
        `Check the network, or ${settingNames.dns}.`,
      ),
    ];
  const record = `${mailDomain}. MX 10 ${smtp.hostname}.`;
  if (hosts.length === 0)
    return [problem('dns', `${mailDomain} has no MX record, so no mail arrives.`, `Publish ${record}`)];
  const addresses = await Promise.all(hosts.map((host) => addressesOf(ask, host)));
  if (addresses.every((found) => !found || found.length === 0))
    return [
      problem('dns', `${hosts.join(', ')}, the MX of ${mailDomain}, has no address.`, 'Publish A or AAAA.'),
    ];
  return [
    hosts.includes(smtp.hostname.toLowerCase())
      ? ok('dns', `mail for ${mailDomain} goes to ${smtp.hostname}`)
      : note(
          'dns',
          `mail for ${mailDomain} goes to ${hosts.join(', ')}, and this server is called ${smtp.hostname}`,
          `If it should come here, publish ${record}`,
        ),
  ];
}
