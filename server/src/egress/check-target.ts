import { isIP, type LookupFunction } from 'node:net';
import { isLoopback, isPublicAddress } from '../lib/ip-address.ts';
import { settingNames } from '../lib/start/start-error.ts';

/** Returns all addresses of a name; rejects if it has none. */
export type FindAddresses = (hostname: string) => Promise<string[]>;

/** Where URLs that callers give may lead: to public addresses, also to this machine, or also into private networks. */
export type Reach = 'public' | 'loopback' | 'private';

/** The rules for posts to URLs that callers give. */
export interface TargetRules {
  /** The connection need not be encrypted with `private`, nor with `loopback` if it leads to this machine. */
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
 * Returns why events cannot be posted to a URL, or null if they can. A name without an address passes, because its DNS may be set up later,
 * and its addresses are checked again for every connection.
 */
export async function findTargetProblem(text: string, rules: TargetRules): Promise<string | null> {
  const url = new URL(text);
  const { username, password, hostname } = url;
  if (username !== '' || password !== '') return 'must not contain a user name or a password';
  const problem = formProblem(url, rules);
  if (problem !== null || rules.reach === 'private' || isHost(hostname)) return problem;
  const addresses = await withinTime(rules.findAddresses(hostname)).catch(() => []);
  return addresses.length === 0 || addresses.some((address) => mayReach(address, rules))
    ? null
    : privateTarget;
}

/**
 * Returns why events cannot be posted to a URL, judging by its text alone, or null. Sockets do not look up a host that is already an
 * address.
 */
export function formProblem({ protocol, hostname }: URL, { reach }: TargetRules): string | null {
  if (reach === 'private') return null;
  const isHere = reach === 'loopback' && isThisMachine(hostname);
  if (protocol !== 'https:' && !isHere) return unencrypted[reach];
  if (!isHost(hostname) || isHere) return null;
  const literal = readLiteral(hostname);
  return literal && isPublicAddress(literal) ? null : privateTarget;
}

/** Returns whether a host is an address, or a name that always means this machine (RFC 6761, section 6.3). DNS is not queried for these. */
function isHost(hostname: string): boolean {
  return readLiteral(hostname) !== null || isLocalName(hostname);
}

/** Returns whether a host is the loopback interface of this machine, by its address or as `localhost`. */
export function isThisMachine(hostname: string): boolean {
  const literal = readLiteral(hostname);
  return literal ? isLoopback(literal) : isLocalName(hostname);
}

function mayReach(address: string, { reach }: TargetRules): boolean {
  return reach === 'private' || isPublicAddress(address) || (reach === 'loopback' && isLoopback(address));
}

function withinTime(addresses: Promise<string[]>): Promise<string[]> {
  const late = Promise.withResolvers<string[]>();
  const timer = setTimeout(() => late.resolve([]), resolveWaitMs);
  return Promise.race([addresses, late.promise]).finally(() => clearTimeout(timer));
}

/** Returns the IP address that a host is, without the brackets of IPv6, or null for a name. */
function readLiteral(hostname: string): string | null {
  const bare = hostname.replace(/^\[|\]$/g, '');
  return isIP(bare) ? bare : null;
}

function isLocalName(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}

/** Thrown if a connection would lead to a place where URLs of callers must not lead; the message completes "the URL …". */
export class RefusedTargetError extends Error {
  override name = 'RefusedTargetError' as const;
}

const addressesOfThisMachine = ['127.0.0.1', '::1'];

/**
 * Creates the look-up of sockets, which returns only addresses that may be reached. The socket connects to these, so that no second DNS
 * response can lead elsewhere.
 */
export function guardedLookup(rules: TargetRules): LookupFunction {
  return (hostname, options, callback) => {
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
}
