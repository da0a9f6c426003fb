import { isPublicAddress } from '../lib/ip-address.ts';
import { askResolver, endpointText } from './ask-resolver.ts';
import { codeText, type DnsRecord, type DnsReply, isInZone, NoReply, parentName } from './dns-message.ts';
import type { Budget, Endpoint } from './send-query.ts';

/** A zone and the names of its servers, with the addresses that came with a referral. */
export interface Zone {
  name: string;
  servers: { name: string; glue: string[] }[];
}

/** The inputs for finding a zone and its servers. */
export interface Search {
  resolvers: Endpoint[];
  /** Whether name servers at private addresses may be asked. */
  allowPrivate: boolean;
  budget: Budget;
  /** The zones found so far, for aliases that stay in one. */
  zones: Map<string, Zone>;
}

/** A server of a zone. One that must not be queried has no endpoint, and has the reason. */
export type NameServer =
  | { name: string; endpoint: Endpoint }
  | { name: string; endpoint: null; reason: string };

const dnsPort = 53;
const serversMax = 5;
const addressesMax = 2;
const noError = 0;
const nameError = 3;

/**
 * Returns the zone that a name is in, as the resolver sees it.
 *
 * @throws NoReply with a sentence if the resolver does not reply, or knows no zone or no name servers.
 */
export async function findZone(search: Search, name: string): Promise<Zone> {
  const found = await findZoneName(search, name);
  const known = search.zones.get(found);
  if (known) return known;
  const reply = await askResolver(search.resolvers, found, 'NS', search.budget);
  const names = nameServersIn(reply.answers, found);
  if (names.length === 0) throw new NoReply(`The resolver knows no name servers of ${found || 'the root'}.`);
  const zone = { name: found, servers: names.map((server) => ({ name: server, glue: [] })) };
  search.zones.set(found, zone);
  return zone;
}

/** Returns the zone below `zone` that a server refers to for a name; null if its reply is no referral (RFC 1034, section 4.3.2). */
export function readReferral(reply: DnsReply, zone: Zone, name: string): Zone | null {
  if (reply.code !== 0 || reply.isAuthoritative || reply.answers.length > 0) return null;
  const cut = reply.authorities.find(
    ({ type, owner }) =>
      type === 'NS' && owner !== zone.name && isInZone(owner, zone.name) && isInZone(name, owner),
  )?.owner;
  if (cut === undefined) return null;
  const findGlue = (server: string) =>
    reply.additionals
      .filter(({ type, owner }) => owner === server && (type === 'A' || type === 'AAAA'))
      .map(({ value }) => value)
      .slice(0, addressesMax);
  const names = nameServersIn(reply.authorities, cut);
  return { name: cut, servers: names.map((server) => ({ name: server, glue: findGlue(server) })) };
}

/** Returns the servers of a zone, those with IPv4 addresses first. Each is looked up when it is its turn. */
export async function* findServers(search: Search, zone: Zone): AsyncGenerator<NameServer> {
  const seen = new Set<string>();
  const found = new Set<string>();
  for (const type of ['A', 'AAAA'] as const) {
    for (const { name, glue } of zone.servers) {
      const isGlued = glue.length > 0;
      const addresses = isGlued ? (type === 'A' ? glue : []) : await findAddresses(search, name, type);
      for (const address of addresses) {
        found.add(name);
        if (seen.has(address)) continue;
        seen.add(address);
        yield toServer(search, name, address);
      }
      if (type === 'AAAA' && !found.has(name)) yield { name, endpoint: null, reason: 'has no address' };
    }
  }
}

async function findZoneName(search: Search, name: string): Promise<string> {
  let failure = `The resolver finds no zone for ${name}.`;
  for (let at: string | null = name; at !== null; at = parentName(at)) {
    const { code, from, answers, authorities } = await askResolver(
      search.resolvers,
      at,
      'SOA',
      search.budget,
    );
    if (at === name && code !== noError && code !== nameError)
      failure = `The resolver ${endpointText(from)} answers ${codeText(code)} for ${name}.`;
    // The SOA after an alias is that of its target. An alias is never the top of a zone, so its parent is in the same zone.
    if (answers.some(({ type, owner }) => type === 'CNAME' && owner === at)) continue;
    const soa = [...answers, ...authorities].find(
      ({ type, owner }) => type === 'SOA' && isInZone(at!, owner),
    );
    if (soa) return soa.owner;
  }
  throw new NoReply(failure);
}

async function findAddresses(search: Search, name: string, type: 'A' | 'AAAA'): Promise<string[]> {
  try {
    const { answers } = await askResolver(search.resolvers, name, type, search.budget);
    return answers
      .filter((record) => record.type === type)
      .map(({ value }) => value)
      .slice(0, addressesMax);
  } catch (error) {
    if (error instanceof NoReply) return [];
    throw error;
  }
}

/** The resolver itself may be a zone's name server at a private address, as in a private network. */
function toServer({ resolvers, allowPrivate }: Search, name: string, address: string): NameServer {
  const own = resolvers.find((resolver) => resolver.address === address);
  if (own) return { name, endpoint: own };
  if (allowPrivate || isPublicAddress(address)) return { name, endpoint: { address, port: dnsPort } };
  return { name, endpoint: null, reason: `has the private address ${address}, which is not asked` };
}

function nameServersIn(records: DnsRecord[], zone: string): string[] {
  const names = records
    .filter(({ type, owner }) => type === 'NS' && owner === zone)
    .map(({ value }) => value);
  return [...new Set(names)].slice(0, serversMax);
}
