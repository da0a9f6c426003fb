import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  type Question,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
} from 'dns-packet';
import { type DnsRecords, isInZone, makeSoa, plainName, type StoredType, toAnswer } from './dns-records.ts';

const noError = 0;
const nameError = 3;
const refused = 5;
const ttlSeconds = 60;
const aliasesMax = 16;

/** The sections of an answer. `flags` holds the result code in its last four bits. */
export interface AnswerSections {
  flags: number;
  answers: Answer[];
  authorities: Answer[];
}

/**
 * Answers a question from the records. With `isRecursive` it answers for every name, as a resolver that knows nothing else does; otherwise
 * it refuses names outside its zones, and refers to the name servers of a zone that it delegates (RFC 1034, section 4.3.2).
 */
export function answerQuestion(
  records: DnsRecords,
  question: Question,
  isRecursive: boolean,
): AnswerSections {
  const zone = records.zoneOf(question.name);
  const base = isRecursive ? RECURSION_AVAILABLE | RECURSION_DESIRED : 0;
  if (zone === null && !isRecursive) return { flags: refused, answers: [], authorities: [] };
  const delegated =
    zone === null || isRecursive ? null : findDelegation(records, plainName(question.name), zone);
  if (delegated) return { flags: noError, answers: [], authorities: delegated };
  const flags = zone === null ? base : base | AUTHORITATIVE_ANSWER;
  const { answers, end, isMissing } = follow(records, question, isRecursive);
  const lastZone = records.zoneOf(end);
  const isNegative = isMissing || answers.at(-1)?.type === 'CNAME' || answers.length === 0;
  return {
    flags: flags | (isMissing ? nameError : noError),
    answers,
    authorities: isNegative && lastZone !== null ? [makeSoa(lastZone)] : [],
  };
}

/** Follows aliases as far as the records go. */
function follow(records: DnsRecords, { name, type }: Question, isRecursive: boolean) {
  const answers: Answer[] = [];
  let end = plainName(name);
  for (let aliases = 0; aliases <= aliasesMax; aliases += 1) {
    if (records.zoneOf(end) === null && !isRecursive) return { answers, end, isMissing: false };
    const owner = records.ownerOf(end);
    if (owner === null) return { answers, end, isMissing: true };
    const alias = records.get(owner, 'CNAME')[0];
    if (alias === undefined || type === 'CNAME') {
      answers.push(...recordsAt(records, owner, aliases === 0 ? name : end, type));
      return { answers, end, isMissing: false };
    }
    answers.push(toAnswer(aliases === 0 ? name : end, 'CNAME', alias, ttlSeconds));
    end = plainName(String(alias));
  }
  return { answers, end, isMissing: false };
}

/** Returns the records of one name. They are written with the name that was asked for, in its own case. */
function recordsAt(records: DnsRecords, owner: string, name: string, type: string): Answer[] {
  if (type === 'SOA') return records.zones.includes(owner) ? [makeSoa(owner)] : [];
  return records
    .get(owner, type as StoredType)
    .map((value) => toAnswer(name || '.', type as StoredType, value, ttlSeconds));
}

/** Returns the NS records of a zone between the name and the server's own one, if another server has it. */
function findDelegation(records: DnsRecords, name: string, zone: string): Answer[] | null {
  const labels = name.split('.');
  for (let from = labels.length - 1; from >= 0; from -= 1) {
    const above = labels.slice(from).join('.');
    if (above === zone || !isInZone(above, zone)) continue;
    const servers = records.get(above, 'NS');
    if (servers.length > 0) return servers.map((server) => toAnswer(above, 'NS', server, ttlSeconds));
  }
  return null;
}
