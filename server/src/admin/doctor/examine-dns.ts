import type { Config } from '../../config.ts';
import { settingNames } from '../../lib/start/setting-names.ts';
import { codeOf } from '../../lib/start/start-error.ts';
import type { DnsResolve } from '../../mail/authenticate/ask-dns.ts';
import { type Finding, note, ok, problem } from './finding.ts';

/** Domains that are in no DNS (RFC 2606 and RFC 6761). */
const reserved = /(^|\.)(test|example|invalid|localhost|local|internal)$/;

/** Returns whether a domain is in no DNS, and so only for this machine. */
export function isReserved(domain: string): boolean {
  return reserved.test(domain);
}

/** Checks whether mail for the shared domain reaches this server, and whether receivers can tell mail from it from forged mail. */
export async function examineDns(
  { mailDomain, smtp, transport }: Pick<Config, 'mailDomain' | 'smtp' | 'transport'>,
  resolve: DnsResolve,
): Promise<Finding[]> {
  if (isReserved(mailDomain))
    return [ok('dns', `${mailDomain} is for this machine only: no mail from outside is addressed to it`)];
  const ask = askIn(resolve);
  const exchanges = (await ask(mailDomain, 'MX')) as { exchange: string }[] | null;
  if (exchanges === null)
    return [
      problem(
        'dns',
        `The resolver does not answer for ${mailDomain}.`,
        `Check the network, or ${settingNames.dns}.`,
      ),
    ];
  const record = `${mailDomain}. MX 10 ${smtp.hostname}.`;
  if (exchanges.length === 0)
    return [problem('dns', `${mailDomain} has no MX record, so no mail arrives.`, `Publish ${record}`)];
  const hosts = exchanges.map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, ''));
  const addresses = await Promise.all(hosts.flatMap((host) => [ask(host, 'A'), ask(host, 'AAAA')]));
  if (addresses.every((found) => !found || found.length === 0))
    return [
      problem('dns', `${hosts.join(', ')}, the MX of ${mailDomain}, has no address.`, 'Publish A or AAAA.'),
    ];
  const isOurs = hosts.includes(smtp.hostname.toLowerCase());
  return [
    isOurs
      ? ok('dns', `mail for ${mailDomain} goes to ${smtp.hostname}`)
      : note(
          'dns',
          `mail for ${mailDomain} goes to ${hosts.join(', ')}, and this server is called ${smtp.hostname}`,
        ),
    ...(transport === 'sandbox' ? [] : await examineSender(mailDomain, ask)),
  ];
}

type Ask = (name: string, type: string) => Promise<unknown[] | null>;

/** Returns a function that resolves a name: an empty list if there is no record, and null if the resolver does not respond. */
export function askIn(resolve: DnsResolve): Ask {
  return async (name, type) => {
    try {
      return await resolve(name, type);
    } catch (error) {
      return /^(ENOTFOUND|ENODATA)$/.test(codeOf(error)) ? [] : null;
    }
  };
}

async function examineSender(domain: string, ask: Ask): Promise<Finding[]> {
  const wanted = [
    { name: domain, mark: 'v=spf1', missing: 'no SPF record; receivers may take its mail for forged' },
    { name: `_dmarc.${domain}`, mark: 'v=DMARC1', missing: 'no DMARC record; large receivers ask for one' },
  ];
  const found = wanted.map(async ({ name, mark, missing }) => {
    const texts = ((await ask(name, 'TXT')) ?? []) as string[][];
    return texts.some((text) => text.join('').startsWith(mark))
      ? []
      : [note('dns', `${domain} has ${missing}`)];
  });
  return (await Promise.all(found)).flat();
}
