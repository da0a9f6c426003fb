import { endpointText } from './ask-resolver.ts';
import { type AskedType, codeText, type DnsRecord, type DnsReply, isInZone, NoReply } from './dns-message.ts';
import { findServers, findZone, readReferral, type Search, type Zone } from './find-zone.ts';
import { type Endpoint, isSpent, sendQuery } from './send-query.ts';

/** One record of a zone. */
export interface ZoneRecord {
  type: 'TXT' | 'MX' | 'CNAME' | 'A' | 'AAAA' | 'NS';
  /**
   * The address, the text of TXT with its strings joined, or the host in lower case without a final dot. The host of a null MX (RFC 7505)
   * is `.`.
   */
  value: string;
  /** The preference of an MX record, null for other types. */
  priority: number | null;
}

/** The response of a zone's servers about a name. */
export interface ZoneAnswer {
  /**
   * `records`: found. `none`: an authoritative server says that there is no such record, or the name is an alias that leads back to itself.
   * `unanswered`: no server gave an authoritative response.
   */
  kind: 'records' | 'none' | 'unanswered';
  records: ZoneRecord[];
  /** The server that answered, such as `ns1.example.net (192.0.2.53)` or `resolver (192.0.2.1)`; null if none did. */
  server: string | null;
  /** The names that CNAME records lead to, in order; empty if the name has its records itself. */
  aliases: string[];
  /** One sentence on why there is no response, or on what is unusual about it; null otherwise. */
  detail: string | null;
}

/** Asks the name servers of a name's own zone, never a cache. Resolves in any case. */
export type AskZone = (name: string, type: 'TXT' | 'MX' | 'A' | 'AAAA' | 'CNAME') => Promise<ZoneAnswer>;

/** The reply of the servers of one zone: an alias has to be followed, `unreachable` means that no server could be asked at all. */
export type OwnAnswer =
  | {
      kind: 'records' | 'none' | 'alias';
      records: ZoneRecord[];
      aliases: string[];
      server: string;
      detail: string | null;
    }
  | { kind: 'unanswered'; detail: string }
  | { kind: 'unreachable'; detail: string };

/** The last packets and the last quarter of the time are for the resolver, if no server of the zone replies. */
const packetsKept = 2;
const timeKept = 0.25;
const noError = 0;
const nameError = 3;

interface Attempts {
  /** The reason why each server did not respond, as sentences without a full stop. */
  failures: string[];
  /** Servers that did not reply, which get a second try: one packet may be lost. */
  silent: { name: string; endpoint: Endpoint }[];
  /** Whether any server replied anything. */
  wasReached: boolean;
}

/**
 * Asks the name servers of a name's zone one after another, until one gives an authoritative answer. Referrals to a zone below are
 * followed.
 *
 * @throws NoReply with a sentence if the zone cannot be found.
 */
export async function askOwnServers(search: Search, name: string, type: AskedType): Promise<OwnAnswer> {
  const { budget } = search;
  const leftMs = Math.max(0, budget.endsAt - performance.now());
  const own: Search = { ...search, budget: { ...budget, endsAt: budget.endsAt - leftMs * timeKept } };
  own.budget.packetsLeft -= packetsKept;
  try {
    let zone = await findZone(own, name);
    for (;;) {
      const result = await askServers(own, zone, name, type);
      if (!('referral' in result)) return result;
      zone = result.referral;
    }
  } catch (error) {
    // The resolver, which has the rest of the budget, may still know the record.
    if (error instanceof NoReply && isSpent(own.budget))
      return { kind: 'unreachable', detail: error.message };
    throw error;
  } finally {
    budget.packetsLeft = own.budget.packetsLeft + packetsKept;
  }
}

async function askServers(
  search: Search,
  zone: Zone,
  name: string,
  type: AskedType,
): Promise<OwnAnswer | { referral: Zone }> {
  const attempts: Attempts = { failures: [], silent: [], wasReached: false };
  for await (const server of findServers(search, zone)) {
    if (isSpent(search.budget)) break;
    if (server.endpoint === null) {
      attempts.failures.push(`${server.name} ${server.reason}`);
      continue;
    }
    const result = await askServer(search, zone, server, { name, type }, attempts);
    if (result) return result;
  }
  for (const server of attempts.silent.splice(0)) {
    if (isSpent(search.budget)) break;
    const result = await askServer(search, zone, server, { name, type }, attempts);
    if (result) return result;
  }
  const why = [...new Set(attempts.failures)].join('; ') || 'there was no time left to ask one';
  const detail = `No name server of ${zone.name || 'the root'} gave an authoritative answer: ${why}.`;
  return { kind: attempts.wasReached ? 'unanswered' : 'unreachable', detail };
}

/** Returns null and notes the reason if the server cannot respond. */
async function askServer(
  search: Search,
  zone: Zone,
  server: { name: string; endpoint: Endpoint },
  { name, type }: { name: string; type: AskedType },
  attempts: Attempts,
): Promise<OwnAnswer | { referral: Zone } | null> {
  const label = `${server.name} (${endpointText(server.endpoint)})`;
  try {
    const reply = await sendQuery(server.endpoint, { name, type, isRecursive: false }, search.budget);
    attempts.wasReached = true;
    const referral = readReferral(reply, zone, name);
    if (referral) return { referral };
    const problem = findProblem(reply, zone);
    if (problem === null) return readAnswer(reply, zone, { name, type }, label, attempts);
    attempts.failures.push(`${label} ${problem}`);
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
    attempts.failures.push(`${label} ${error.message}`);
    attempts.silent.push(server);
  }
  return null;
}

function findProblem({ code, isAuthoritative }: DnsReply, zone: Zone): string | null {
  if (code !== noError && code !== nameError) return `answered ${codeText(code)}`;
  return isAuthoritative ? null : `is not authoritative for ${zone.name || 'the root'} (lame delegation)`;
}

/** Follows the aliases in the reply as long as they stay in the zone; for other zones the server has no authority. */
function readAnswer(
  { answers }: DnsReply,
  zone: Zone,
  { name, type }: { name: string; type: AskedType },
  server: string,
  { failures }: Attempts,
): OwnAnswer {
  const aliases: string[] = [];
  const detail = failures.length > 0 ? `Other name servers have problems: ${failures.join('; ')}.` : null;
  for (let end = name; ; end = aliases.at(-1)!) {
    const records = answers.filter((record) => record.owner === end && record.type === type);
    if (records.length > 0)
      return { kind: 'records', records: records.map(toZoneRecord), aliases, server, detail };
    const alias = answers.find((record) => record.owner === end && record.type === 'CNAME')?.value;
    if (alias === undefined)
      return { kind: aliases.length > 0 ? 'alias' : 'none', records: [], aliases, server, detail };
    const isLoop = alias === name || aliases.includes(alias);
    aliases.push(alias);
    if (isLoop || !isInZone(alias, zone.name)) return { kind: 'alias', records: [], aliases, server, detail };
  }
}

/** Returns a record without what only DNS needs. */
export function toZoneRecord({ type, value, priority }: DnsRecord): ZoneRecord {
  return { type: type as ZoneRecord['type'], value, priority };
}
