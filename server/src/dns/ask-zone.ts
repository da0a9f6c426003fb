import {
  type AskZone,
  askOwnServers,
  type OwnAnswer,
  toZoneRecord,
  type ZoneAnswer,
} from './ask-own-servers.ts';
import { askResolver, endpointText, findResolvers } from './ask-resolver.ts';
import { type AskedType, type DnsRecord, isAskableName, NoReply, plainName } from './dns-message.ts';
import type { Search } from './find-zone.ts';

const nameError = 3;

export type { AskZone, ZoneAnswer, ZoneRecord } from './ask-own-servers.ts';

type AskedOfZone = Parameters<AskZone>[1];

const packetsMax = 20;
const aliasesMax = 8;
const defaultTimeoutMs = 8_000;
/** Part of the time that one server may take. */
const triesPerQuestion = 6;

/**
 * Returns a function that asks zones. The zones and their servers are found through the resolver at `server` (`host:port`), or the
 * system's. Name servers at private addresses are asked only with `allowPrivate`, except for that resolver itself, which is asked at its
 * own port. A question takes at most `timeoutMs` (8 s) and about 20 packets.
 *
 * @throws Error if the host of the resolver cannot be found.
 */
export async function openZoneClient(options: {
  server: string | null;
  allowPrivate: boolean;
  timeoutMs?: number;
}): Promise<AskZone> {
  const resolvers = await findResolvers(options.server);
  const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
  return async (name, type) => {
    const wanted = plainName(name);
    if (!isAskableName(wanted)) return unanswered([], `${name} is not a valid domain name.`);
    const endsAt = performance.now() + timeoutMs;
    const budget = { endsAt, packetsLeft: packetsMax, tryMs: timeoutMs / triesPerQuestion };
    const search = { resolvers, allowPrivate: options.allowPrivate, budget, zones: new Map() };
    return followAliases(search, wanted, type);
  };
}

async function followAliases(search: Search, wanted: string, type: AskedOfZone): Promise<ZoneAnswer> {
  const aliases: string[] = [];
  for (let name = wanted; ; name = aliases.at(-1)!) {
    const answer = await askOnce(search, name, type);
    if (answer.kind === 'unanswered') return unanswered(aliases, answer.detail);
    if (answer.kind === 'unreachable') {
      const resolved = await askThroughResolver(search, name, type, aliases, answer.detail);
      return resolved.aliases.length > aliasesMax ? tooManyAliases(wanted, resolved.aliases) : resolved;
    }
    const passed = [wanted, ...aliases];
    const loop = answer.aliases.find((alias, at) =>
      [...passed, ...answer.aliases.slice(0, at)].includes(alias),
    );
    aliases.push(...answer.aliases);
    const { server } = answer;
    if (loop !== undefined) {
      const detail = `The aliases of ${wanted} lead in a circle, back to ${loop}.`;
      return { kind: 'none', records: [], server, aliases: aliases.slice(0, aliasesMax), detail };
    }
    if (aliases.length > aliasesMax) return tooManyAliases(wanted, aliases);
    if (answer.kind !== 'alias')
      return { kind: answer.kind, records: answer.records, server, aliases, detail: answer.detail };
  }
}

async function askOnce(search: Search, name: string, type: AskedOfZone): Promise<OwnAnswer> {
  try {
    return await askOwnServers(search, name, type);
  } catch (error) {
    if (error instanceof NoReply) return { kind: 'unanswered', detail: error.message };
    throw error;
  }
}

function tooManyAliases(wanted: string, aliases: string[]): ZoneAnswer {
  const detail = `${wanted} has more than ${aliasesMax} aliases in a row.`;
  return unanswered(aliases.slice(0, aliasesMax), detail);
}

function unanswered(aliases: string[], detail: string): ZoneAnswer {
  return { kind: 'unanswered', records: [], server: null, aliases, detail };
}

/**
 * Asks the resolver for a name whose own servers cannot be reached. What it finds counts; that it finds nothing does not, because its cache
 * may be older than the record. Resolves in any case; `reason` says why the servers were not asked.
 */
async function askThroughResolver(
  search: Search,
  name: string,
  type: AskedType,
  aliasesSoFar: string[],
  reason: string,
): Promise<ZoneAnswer> {
  try {
    const reply = await askResolver(search.resolvers, name, type, search.budget);
    const server = `resolver (${endpointText(reply.from)})`;
    const { aliases, end } = aliasesIn(reply.answers, name, type);
    const records = reply.answers.filter((record) => record.owner === end && record.type === type);
    const all = [...aliasesSoFar, ...aliases];
    if (records.length > 0) {
      const detail = `${reason} This is the resolver's answer, which may be out of date.`;
      return { kind: 'records', records: records.map(toZoneRecord), server, aliases: all, detail };
    }
    const found = reply.code === 0 || reply.code === nameError ? 'knows no such record' : 'has no answer';
    return {
      kind: 'unanswered',
      records: [],
      server: null,
      aliases: all,
      detail: `${reason} The resolver ${found}.`,
    };
  } catch (error) {
    if (!(error instanceof NoReply)) throw error;
    const detail = `${reason} ${error.message}`;
    return { kind: 'unanswered', records: [], server: null, aliases: aliasesSoFar, detail };
  }
}

function aliasesIn(answers: DnsRecord[], name: string, type: AskedType): { aliases: string[]; end: string } {
  const aliases: string[] = [];
  let end = name;
  while (type !== 'CNAME') {
    const alias = answers.find((record) => record.owner === end && record.type === 'CNAME')?.value;
    if (alias === undefined || alias === name || aliases.includes(alias)) break;
    aliases.push(alias);
    end = alias;
  }
  return { aliases, end };
}
