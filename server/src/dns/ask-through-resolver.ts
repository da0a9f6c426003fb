import { toZoneRecord } from './ask-own-servers.ts';
import { askResolver, textOf } from './ask-resolver.ts';
import { type AskedType, type DnsRecord, NoReply } from './dns-message.ts';
import type { Search } from './find-zone.ts';
import type { ZoneAnswer } from './zone-answer.ts';

const nameError = 3;

/**
 * Asks the resolver for a name whose own servers cannot be reached. What it finds counts; that it finds nothing does not, because its cache
 * may be older than the record. Resolves in any case; `reason` says why the servers were not asked.
 */
export async function askThroughResolver(
  search: Search,
  name: string,
  type: AskedType,
  aliasesSoFar: string[],
  reason: string,
): Promise<ZoneAnswer> {
  try {
    const reply = await askResolver(search.resolvers, name, type, search.budget);
    const server = `resolver (${textOf(reply.from)})`;
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
