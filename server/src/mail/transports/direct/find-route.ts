import type { MTASTSPolicy } from 'mailauth';
import { validateMx } from 'mailauth/lib/mta-sts.js';
import { parseDomain } from '../../../lib/email-address.ts';
import { reject } from '../hand-over.ts';
import { deferredByRelay, type Outcome } from '../transport.ts';
import { DnsFailure, type MailDns } from './dns-answers.ts';
import type { SessionPlan } from './open-session.ts';

/** The servers of a domain, and the key of those that share connections and limits. */
export interface Route extends SessionPlan {
  key: string;
}

/** The resolver and the settings that find a route. */
interface RouteFinding {
  dns: MailDns;
  /** The name of this server. */
  hostname: string;
  findPolicy(domain: string): Promise<MTASTSPolicy | null>;
}

/**
 * Finds the servers of a domain that may get its mail by its MTA-STS policy, or the outcome if no server may get it. Domains with the
 * same servers have the same key: a provider limits the connections of a client and not those for a domain.
 */
export async function findRoute(
  { dns, hostname, findPolicy }: RouteFinding,
  domain: string,
): Promise<Route | { outcome: Outcome }> {
  const [exchanges, policy] = await Promise.all([
    findExchanges(dns, domain, hostname.toLowerCase()),
    findPolicy(domain),
  ]);
  if ('outcome' in exchanges) return exchanges;
  if (policy?.mode !== 'enforce') return route(exchanges.hosts, false);
  const allowed = exchanges.hosts.filter((host) => validateMx(host, policy).valid);
  if (allowed.length > 0) return route(allowed, true);
  const detail = `The MTA-STS policy of ${domain} allows none of its servers (${exchanges.hosts.join(', ').slice(0, 200)}).`;
  return { outcome: deferredByRelay(detail) };
}

function route(hosts: string[], isStrict: boolean): Route {
  return { hosts, isStrict, key: `${isStrict ? 'tls:' : ''}${hosts.toSorted().join(',')}` };
}

/** The servers that accept the mail of a domain, in the order in which they are tried, or the outcome if there are none. */
type Exchanges = { hosts: string[] } | { outcome: Outcome };

const exchangesMax = 20;

/**
 * Finds the servers that take the mail of a domain (RFC 5321, section 5.1). Those of one preference are shuffled. A domain without MX
 * records is its own server. `ownName` is the name of this server: if it is listed, only servers that are preferred to it are used, because
 * mail would come back otherwise.
 */
export async function findExchanges(dns: MailDns, name: string, ownName: string): Promise<Exchanges> {
  const domain = parseDomain(name);
  if (domain === null)
    return {
      outcome: reject('recipient', '5.1.2', 'The domain of the recipient is not a valid domain name.'),
    };
  try {
    const { records, exists } = await dns.mx(domain);
    // Many resolvers return NXDOMAIN only if no record type exists, so there is no address to look for either.
    if (!exists) return { outcome: reject('recipient', '5.1.2', `The domain ${domain} does not exist.`) };
    if (records.length === 0) return await findImplicit(dns, domain, ownName);
    return choose(records, domain, ownName);
  } catch (error) {
    if (error instanceof DnsFailure) return { outcome: deferredByRelay(error.message) };
    throw error;
  }
}

async function findImplicit(dns: MailDns, domain: string, ownName: string): Promise<Exchanges> {
  if (domain === ownName) return { outcome: loopsBack(domain) };
  const answers = await Promise.all([dns.addresses(domain, 4), dns.addresses(domain, 6)]);
  if (answers.some(({ records }) => records.length > 0)) return { hosts: [domain] };
  const detail = `The domain ${domain} has neither MX records nor an address.`;
  return { outcome: reject('recipient', '5.1.2', detail) };
}

function choose(
  records: { exchange: string; priority: number }[],
  domain: string,
  ownName: string,
): Exchanges {
  // Null MX: the domain says that it accepts no mail (RFC 7505).
  if (records.every(({ exchange }) => exchange === '' || exchange === '.'))
    return { outcome: reject('recipient', '5.1.10', `The domain ${domain} accepts no mail (null MX).`) };
  const named = records.flatMap(({ exchange, priority }) => {
    const host = parseDomain(exchange);
    return host === null ? [] : [{ host, priority }];
  });
  if (named.length === 0)
    return { outcome: deferredByRelay(`No MX record of ${domain} has a valid host name.`) };
  const own = named.filter(({ host }) => host === ownName).map(({ priority }) => priority);
  const preferred = named.filter(({ priority }) => priority < Math.min(...own));
  if (preferred.length === 0) return { outcome: loopsBack(domain) };
  const ordered = shuffle(preferred).sort((one, other) => one.priority - other.priority);
  return { hosts: [...new Set(ordered.map(({ host }) => host))].slice(0, exchangesMax) };
}

function shuffle<T>(items: T[]): T[] {
  const keyed = items.map((item) => ({ item, key: Math.random() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
}

/** The address may be good and this server set up wrongly, so it is not about the recipient. */
function loopsBack(domain: string): Outcome {
  const detail = `Mail for ${domain} loops back to myself: its MX is this server, which has no inbox for it.`;
  return reject('message', '5.4.6', detail);
}
