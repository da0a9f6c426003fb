import type { Deps } from '../deps.ts';
import { domainOf } from '../lib/email-address.ts';
import { isReturnPath } from '../lib/return-path.ts';

/** A domain that inboxes have their addresses in. Mail of an inbox has this domain in its sender, return path and Message-ID. */
export interface MailDomain {
  name: string;
}

/** Returns the domain of inboxes that are created without a domain of their own. */
export function sharedDomain({ config }: Pick<Deps, 'config'>): MailDomain {
  return { name: config.mailDomain };
}

/** Returns the domain of an inbox, given its address. */
export function mailDomainOf(address: string): MailDomain {
  return { name: domainOf(address) };
}

/** Returns the domain of an address if it is one of this server's, or null. */
export function findMailDomain(deps: Pick<Deps, 'config'>, address: string): MailDomain | null {
  const shared = sharedDomain(deps);
  return domainOf(address) === shared.name ? shared : null;
}

/** Returns the domain to which reports about mail from an address return. For an inbox at a former domain it is the shared one. */
export function returnDomainOf(deps: Pick<Deps, 'config'>, address: string): MailDomain {
  return findMailDomain(deps, address) ?? sharedDomain(deps);
}

/** Returns whether an address, in its one spelling, is spelled as a return path at a domain of this server, genuine or not. */
export function leadsBack(deps: Pick<Deps, 'config'>, address: string): boolean {
  const domain = findMailDomain(deps, address);
  return domain !== null && isReturnPath(address, domain.name);
}
