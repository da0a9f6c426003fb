import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** Answers all addresses of a name; rejects where it has none. */
export type FindAddresses = (hostname: string) => Promise<string[]>;

/** What URLs given by callers may be posted to. */
export interface TargetRules {
  /** Lifts the rules about addresses, and that the connection must be encrypted. */
  allowPrivate: boolean;
  findAddresses: FindAddresses;
}

const privateTarget = 'must not lead to a private, loopback or link-local address';
const resolveWaitMs = 3_000;

/**
 * Why a URL may not be posted to; null where it may. A name without an address passes, since its DNS may be set up later, and
 * what it leads to is looked at again whenever a connection is made.
 */
export const findTargetProblem = async (url: string, rules: TargetRules): Promise<string | null> => {
  const { protocol, username, password, hostname } = new URL(url);
  if (username !== '' || password !== '') return 'must not contain a user name or a password';
  if (rules.allowPrivate) return null;
  if (protocol !== 'https:') return 'must begin with https://';
  const literal = literalOf(hostname);
  if (literal) return isPublicAddress(literal) ? null : privateTarget;
  if (isLocalName(hostname)) return privateTarget;
  const addresses = await withinTime(rules.findAddresses(hostname)).catch(() => []);
  return addresses.length === 0 || addresses.some(isPublicAddress) ? null : privateTarget;
};

const withinTime = (addresses: Promise<string[]>): Promise<string[]> => {
  const late = Promise.withResolvers<string[]>();
  const timer = setTimeout(() => late.resolve([]), resolveWaitMs);
  return Promise.race([addresses, late.promise]).finally(() => clearTimeout(timer));
};

/** The IP address that a host is, without the brackets of IPv6; null for a name. */
const literalOf = (hostname: string): string | null => {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) ? bare : null;
};

const isLocalName = (hostname: string): boolean => /(^|\.)localhost\.?$/i.test(hostname);

/**
 * Whether a connection to the host is refused before anybody is asked for its address: sockets do not look up what is an IP
 * address already.
 */
export const isRefusedHost = (hostname: string, { allowPrivate }: TargetRules): boolean => {
  if (allowPrivate) return false;
  const literal = literalOf(hostname);
  return literal ? !isPublicAddress(literal) : isLocalName(hostname);
};

/** Thrown while connecting to a name that has private addresses alone. */
export class PrivateAddressError extends Error {
  override name = 'PrivateAddressError' as const;
}

/**
 * The look-up of sockets: answers public addresses only, and the socket connects to what it answers, so that no second answer of
 * DNS can lead elsewhere.
 */
export const guardedLookup =
  ({ allowPrivate, findAddresses }: TargetRules): LookupFunction =>
  (hostname, options, callback) => {
    const answer = async () => {
      const found = await findAddresses(hostname);
      const usable = allowPrivate ? found : found.filter(isPublicAddress);
      if (usable.length === 0) throw new PrivateAddressError(`${hostname} has no public address`);
      return usable.map((address) => ({ address, family: isIP(address) }));
    };
    answer().then(
      (all) => {
        if (options.all) return callback(null, all);
        const [first] = all;
        callback(null, first?.address ?? '', first?.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, '', 0),
    );
  };
