import type { Deps } from '../deps.ts';
import { domainOf } from '../lib/email-address.ts';
import { isReturnPath } from '../lib/signed-address.ts';

/** A domain that inboxes have their addresses in. Mail of an inbox has this domain in its sender and Message-ID. */
export interface MailDomain {
  name: string;
}

/** Returns the domain of inboxes that are created without a domain. */
export function sharedDomain({ config }: Pick<Deps, 'config'>): MailDomain {
  return { name: config.mailDomain };
}

/** Returns the shared domain if an address is in it, or null. */
export function findMailDomain(deps: Pick<Deps, 'config'>, address: string): MailDomain | null {
  const shared = sharedDomain(deps);
  return domainOf(address) === shared.name ? shared : null;
}

/**
 * Returns the domain of the return paths of a sending domain. It is below it, so that SPF aligns with the author (RFC 7489, section
 * 3.1.2).
 */
export function bounceDomain(hostname: string): string {
  return `bounce.${hostname}`;
}

/** An inbox as it sends: its address, and whether that is at a domain of its workspace. */
interface SendingAddress {
  address: string;
  hasOwnDomain: boolean;
}

/** Returns the domain to which reports about mail from an inbox return. For an inbox at a former shared domain it is the present one. */
export function returnDomain(deps: Pick<Deps, 'config'>, sender: SendingAddress): string {
  return sender.hasOwnDomain ? bounceDomain(domainOf(sender.address)) : sharedDomain(deps).name;
}

/**
 * Returns whether an address, in its one spelling, is spelled as a return path of this server, genuine or not. At the MAIL FROM domain of a
 * sending domain there is nothing else.
 */
export function leadsBack(deps: Pick<Deps, 'config'>, address: string): boolean {
  const domain = domainOf(address);
  return (
    isReturnPath(address, domain) && (domain === sharedDomain(deps).name || domain.startsWith('bounce.'))
  );
}
