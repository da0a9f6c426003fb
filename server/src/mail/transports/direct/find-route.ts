import type { MTASTSPolicy } from 'mailauth';
import { validateMx } from 'mailauth/lib/mta-sts.js';
import { deferredByRelay, type Outcome } from '../transport.ts';
import type { MailDns } from './dns-answers.ts';
import { findExchanges } from './find-exchanges.ts';
import type { SessionPlan } from './open-session.ts';

/** The servers of a domain, and the key of those that share connections and limits. */
export interface Route extends SessionPlan {
  key: string;
}

/** What a route is found by. */
export interface RouteFinding {
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
