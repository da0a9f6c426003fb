import { isIP, type LookupFunction } from 'node:net';
import { settingNames } from '../lib/start/setting-names.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** Answers all addresses of a name; rejects where it has none. */
export type FindAddresses = (hostname: string) => Promise<string[]>;

/** Where URLs given by callers may lead: to public addresses, to this machine as well, or also into private networks. */
export type Reach = 'public' | 'loopback' | 'private';

/** What URLs given by callers may be posted to. */
export interface TargetRules {
  /** With `private` the connection need not be encrypted, nor with `loopback` that to this machine. */
  reach: Reach;
  findAddresses: FindAddresses;
}

const setting = settingNames.webhookAllowPrivate;
const privateTarget = `must not lead to a private, loopback or link-local address, unless the server has ${setting}=true`;
const unencrypted: Record<Exclude<Reach, 'private'>, string> = {
  public: `must begin with https://, unless the server has ${setting}=true`,
  loopback: `must begin with https:// or lead to localhost, unless the server has ${setting}=true`,
};
const resolveWaitMs = 3_000;

/**
 * Why a URL may not be posted to; null where it may. A name without an address passes, since its DNS may be set up later, and
 * what it leads to is looked at again whenever a connection is made.
 */
export const findTargetProblem = async (text: string, rules: TargetRules): Promise<string | null> => {
  const url = new URL(text);
  const { username, password, hostname } = url;
  if (username !== '' || password !== '') return 'must not contain a user name or a password';
  const problem = formProblem(url, rules);
  if (problem !== null || rules.reach === 'private' || isHost(hostname)) return problem;
  const addresses = await withinTime(rules.findAddresses(hostname)).catch(() => []);
  return addresses.length === 0 || addresses.some((address) => mayReach(address, rules))
    ? null
    : privateTarget;
};

/** Why a URL may not be posted to, as far as its form tells: sockets look nothing up for what is an address already. */
export const formProblem = ({ protocol, hostname }: URL, { reach }: TargetRules): string | null => {
  if (reach === 'private') return null;
  const isHere = reach === 'loopback' && isThisMachine(hostname);
  if (protocol !== 'https:' && !isHere) return unencrypted[reach];
  if (!isHost(hostname) || isHere) return null;
  const literal = literalOf(hostname);
  return literal && isPublicAddress(literal) ? null : privateTarget;
};

/** Whether a host is an address, or a name that always means this machine (RFC 6761, section 6.3): DNS is not asked for it. */
const isHost = (hostname: string): boolean => literalOf(hostname) !== null || isLocalName(hostname);

/** Whether a host is the loopback interface of this machine, by its address or as `localhost`. */
export const isThisMachine = (hostname: string): boolean => {
  const literal = literalOf(hostname);
  return literal ? isLoopbackAddress(literal) : isLocalName(hostname);
};

const mayReach = (address: string, { reach }: TargetRules): boolean =>
  reach === 'private' || isPublicAddress(address) || (reach === 'loopback' && isLoopbackAddress(address));

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

/** Thrown where a connection would lead to what URLs of callers may not reach; the message completes "the URL …". */
export class RefusedTargetError extends Error {
  override name = 'RefusedTargetError' as const;
}

const addressesOfThisMachine = ['127.0.0.1', '::1'];

/**
 * The look-up of sockets: answers addresses that may be reached only, and the socket connects to what it answers, so that no second answer of
 * DNS can lead elsewhere.
 */
export const guardedLookup =
  (rules: TargetRules): LookupFunction =>
  (hostname, options, callback) => {
    const answer = async () => {
      const found = isLocalName(hostname) ? addressesOfThisMachine : await rules.findAddresses(hostname);
      const usable = found.filter((address) => mayReach(address, rules));
      if (usable.length === 0) throw new RefusedTargetError(privateTarget);
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
