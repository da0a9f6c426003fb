import type { Config } from '../../../config/config.ts';
import { withinTime } from '../../../lib/concurrency/wait.ts';
import { codeOf, settingNames } from '../../../lib/start/start-error.ts';
import type { DnsResolve } from '../../../mail/authenticate/ask-dns.ts';
import { type Finding, note, ok, problem } from '../finding.ts';

/** Domains that are in no DNS (RFC 2606 and RFC 6761). */
const reserved = /(^|\.)(test|example|invalid|localhost|local|internal)$/;

/** Returns whether a domain is in no DNS, and so only for this machine. */
export function isReserved(domain: string): boolean {
  return reserved.test(domain);
}

/** Returns the hosts that accept mail for a domain, in lower case; null if the resolver does not respond. */
export async function readExchanges(domain: string, ask: Ask): Promise<string[] | null> {
  const exchanges = (await ask(domain, 'MX')) as { exchange: string }[] | null;
  return exchanges?.map(({ exchange }) => exchange.toLowerCase().replace(/\.$/, '')) ?? null;
}

/** Checks whether mail for the shared domain reaches this server. */
export async function examineDns(
  { mailDomain, smtp }: Pick<Config, 'mailDomain' | 'smtp'>,
  ask: Ask,
): Promise<Finding[]> {
  const hosts = await readExchanges(mailDomain, ask);
  if (hosts === null)
    return [
      problem(
        'dns',
        `The resolver does not respond for ${mailDomain}.`,
        `Check the network, or ${settingNames.dns}.`,
      ),
    ];
  const record = `${mailDomain}. MX 10 ${smtp.hostname}.`;
  if (hosts.length === 0)
    return [problem('dns', `${mailDomain} has no MX record, so no mail arrives.`, `Publish ${record}`)];
  const addresses = await Promise.all(hosts.map((host) => readAddresses(ask, host)));
  if (addresses.every((found) => !found || found.length === 0))
    return [
      problem(
        'dns',
        `${hosts.join(', ')}, the MX of ${mailDomain}, has no address.`,
        'Publish its A or AAAA record.',
      ),
    ];
  return [
    hosts.includes(smtp.hostname.toLowerCase())
      ? ok('dns', `mail for ${mailDomain} goes to ${smtp.hostname}`)
      : note(
          'dns',
          `mail for ${mailDomain} goes to ${hosts.join(', ')}, but the name of this server is ${smtp.hostname}`,
          `If mail should come here, publish ${record}`,
        ),
  ];
}

/** A name whose signatures are wrong on purpose, and one whose signatures are right. */
const badlySigned = 'dnssec-failed.org';
const wellSigned = 'ietf.org';

/** Tells whether the resolver validates DNSSEC: then it has no answer for a name with wrong signatures. */
export async function examineResolver(resolve: DnsResolve): Promise<Finding[]> {
  const part = 'resolver';
  const [bad, good] = await Promise.all([answerFor(resolve, badlySigned), answerFor(resolve, wellSigned)]);
  if (good !== 'found')
    return [note(part, `it is unknown whether it validates DNSSEC: there was no answer for ${wellSigned}`)];
  if (bad === 'found')
    return [
      note(
        part,
        'does not validate DNSSEC, so forged answers about other domains are not detected',
        'Use a resolver that validates, such as unbound on this machine.',
      ),
    ];
  return bad === 'refused'
    ? [ok(part, 'validates DNSSEC')]
    : [note(part, `it is unknown whether it validates DNSSEC: there was no answer for ${badlySigned}`)];
}

async function answerFor(resolve: DnsResolve, name: string): Promise<'found' | 'refused' | 'unknown'> {
  try {
    return (await resolve(name, 'A')).length > 0 ? 'found' : 'unknown';
  } catch (error) {
    return codeOf(error) === 'ESERVFAIL' ? 'refused' : 'unknown';
  }
}

/** Looks up records. Returns an empty list if there are none, and null if the resolver does not respond in time. */
export type Ask = (name: string, type: string) => Promise<unknown[] | null>;

const askMsMax = 4_000;

/** Returns a function that asks a resolver, for at most 4 s. */
export function askIn(resolve: DnsResolve): Ask {
  return async (name, type) => {
    try {
      return await withinTime<unknown[], null>(resolve(name, type), askMsMax, null);
    } catch (error) {
      return /^(ENOTFOUND|ENODATA)$/.test(codeOf(error)) ? [] : null;
    }
  };
}

/** Returns the addresses of a name; null if the resolver does not respond. */
export async function readAddresses(ask: Ask, name: string): Promise<string[] | null> {
  const [four, six] = (await Promise.all([ask(name, 'A'), ask(name, 'AAAA')])) as (string[] | null)[];
  return four || six ? [...(four ?? []), ...(six ?? [])] : null;
}
