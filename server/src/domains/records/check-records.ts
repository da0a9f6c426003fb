import type { Config } from '../../config/config.ts';
import type { AskZone, ZoneAnswer } from '../../dns/ask-zone.ts';
import { cleanText, markDirections } from '../../lib/texts.ts';
import type { RecordCheck } from '../domain.entity.ts';
import {
  type ExpectedRecord,
  expectedRecords,
  type PublishedDomain,
  registrableDomain,
  relativeName,
} from './expected-records.ts';
import { type Judgement, judgeRecord, missing, readTags } from './judge-record.ts';
import { judgeSpf } from './judge-spf.ts';

/** The inputs of a check. */
export interface CheckDeps {
  config: Config;
  askZone: AskZone;
}

/**
 * Looks up every record of a domain at the name servers of its zone and returns the result for each. A record about which no server answers
 * keeps its last result.
 */
export function checkRecords(
  { config, askZone }: CheckDeps,
  domain: PublishedDomain & { checks: RecordCheck[] },
  at: Date,
): Promise<RecordCheck[]> {
  const ask = withDeadline(askZone);
  const before = new Map(domain.checks.map((check) => [check.purpose, check]));
  // The judge compares the policy alone, so the address for reports does not matter here.
  const expectations = expectedRecords(config, domain, null);
  return Promise.all(
    expectations.map(async (expected): Promise<RecordCheck> => {
      const answer = await ask(expected.name, expected.type);
      const { purpose } = expected;
      const place = { purpose, server: answer.server && readable(answer.server), at: at.toISOString() };
      if (answer.kind === 'unanswered') {
        const hint = readable(`no answer: ${answer.detail ?? 'no name server of the zone responds'}`);
        return { status: 'pending', found: null, ...before.get(purpose), ...place, hint, isUnanswered: true };
      }
      const { found, hint, ...judgement } = await judge(expected, answer, domain.hostname, ask);
      return { ...place, ...judgement, found: found && readable(found), hint: hint && readable(hint) };
    }),
  );
}

const checkMs = 20_000;
const foundLengthMax = 1_000;

/** Returns a function that asks nothing more once a check has taken 20 s, however many records a hostile zone refers to. */
function withDeadline(askZone: AskZone): AskZone {
  const endsAt = performance.now() + checkMs;
  return async (name, type) => {
    if (performance.now() < endsAt) return askZone(name, type);
    const detail = `the check had taken ${checkMs / 1_000} s before ${name} could be looked up`;
    return { kind: 'unanswered', records: [], server: null, aliases: [], detail };
  };
}

/**
 * Returns a text of DNS as the database can hold it, at most 1,000 characters long. What would turn its direction is shown as `[U+202E]`.
 */
function readable(text: string): string {
  const plain = text.replace(/\p{Cc}+/gu, ' ');
  const shown = plain.length > foundLengthMax ? `${plain.slice(0, foundLengthMax)}…` : plain;
  return markDirections(cleanText(shown));
}

async function judge(
  expected: ExpectedRecord,
  answer: ZoneAnswer,
  hostname: string,
  askZone: AskZone,
): Promise<Judgement> {
  if (answer.kind === 'records')
    return expected.purpose === 'spf' ? judgeSpf(expected, answer, askZone) : judgeRecord(expected, answer);
  if (expected.purpose === 'dmarc') {
    const inherited = await judgeInherited(expected, hostname, askZone);
    if (inherited) return inherited;
  }
  return (await findMisplaced(expected, hostname, askZone)) ?? missing(expected, answer);
}

/** Returns the result by the policy of the organisation, which covers its subdomains (RFC 9989); null without one that is strict enough. */
async function judgeInherited(
  expected: ExpectedRecord,
  hostname: string,
  askZone: AskZone,
): Promise<Judgement | null> {
  const organization = registrableDomain(hostname);
  if (organization === hostname) return null;
  const name = `_dmarc.${organization}`;
  const answer = await askZone(name, 'TXT');
  if (answer.kind !== 'records') return null;
  // The policy for subdomains is in sp=, and in p= only without it.
  const records = answer.records.map((record) => {
    const policy = readTags(record.value).get('sp');
    return policy === undefined ? record : { ...record, value: `v=DMARC1; p=${policy}; of ${record.value}` };
  });
  const { status, found } = judgeRecord(expected, { ...answer, records });
  const published = answer.records[records.findIndex(({ value }) => value === found)]?.value ?? found;
  const hint = `inherited from ${name}: ${found}`;
  return status === 'verified' ? { status, found: published, hint } : null;
}

/** Returns the result if the record is at its name with the domain once more, which is what registrars make of a full name. */
async function findMisplaced(
  expected: ExpectedRecord,
  hostname: string,
  askZone: AskZone,
): Promise<Judgement | null> {
  const zone = registrableDomain(hostname);
  const doubled = `${expected.name}.${zone}`;
  const answer = await askZone(doubled, expected.type);
  if (answer.kind !== 'records' || answer.aliases.length > 0) return null;
  const { status, found } = judgeRecord(expected, answer);
  if (status !== 'verified') return null;
  return {
    status: 'failed',
    found,
    hint: `published at ${doubled}: the DNS provider appends the domain, so enter only ${relativeName(expected.name, zone)} as the name`,
  };
}
