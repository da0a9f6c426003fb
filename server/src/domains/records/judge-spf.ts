import type { AskZone, ZoneAnswer } from '../../dns/ask-zone.ts';
import type { ExpectedRecord } from './expected-records.ts';
import { type Judgement, nearest, otherText, show } from './judge-record.ts';

/** RFC 7208, section 4.6.4: a check that needs more than ten look-ups fails for good. */
const lookupsMax = 10;
const lookupTerms = /^[+?~-]?(?:include:|redirect=|exists:|a$|a[:/]|mx$|mx[:/]|ptr$|ptr:)/i;
/** The terms of RFC 7208. Any other one makes receivers ignore the record. */
const knownTerm =
  /^(?:[+?~-]?(?:all|(?:include|exists|ip4|ip6):.+|(?:a|mx)(?:[:/].+)?|ptr(?::.+)?)|[a-z][a-z0-9._-]*=.*)$/i;
const isSpf = (value: string) => /^v=spf1(?: |$)/i.test(value.trim());

/**
 * Returns the result for the SPF record of a domain (RFC 7208). Every expected mechanism has to be in it, and it may have others. Records
 * that it includes are read to count the look-ups.
 */
export async function judgeSpf(
  expected: ExpectedRecord,
  answer: ZoneAnswer,
  askZone: AskZone,
): Promise<Judgement> {
  const values = answer.records.map(({ value }) => value);
  const records = values.filter(isSpf);
  if (records.length === 0) return otherText(expected, values, 'other TXT records only, no SPF record');
  const record = nearest(records, expected.value);
  const failed = (hint: string): Judgement => ({ status: 'failed', found: record, hint });
  if (records.length > 1)
    return failed(
      `${records.length} SPF records, which receivers treat as an error (RFC 7208, section 4.5); merge them into one`,
    );
  const terms = splitTerms(record);
  const absent = [...splitTerms(expected.value)].filter(
    (term) => !/^[-~?+]?all$/.test(term) && !terms.has(term),
  );
  if (absent.length > 0) return failed(`an SPF record without ${absent.join(' ')}: ${show([record])}`);
  const unknown = [...terms].find((term) => !knownTerm.test(term));
  if (unknown !== undefined)
    return failed(`an SPF record with ${unknown}, which is no mechanism: ${show([record])}`);
  if (terms.has('+all') || terms.has('all'))
    return failed(`an SPF record that lets anybody send: ${show([record])}`);
  const lookups = await countLookups(record, askZone);
  return lookups > lookupsMax
    ? failed(
        `an SPF record that needs more than ${lookupsMax} DNS look-ups, which receivers refuse: ${show([record])}`,
      )
    : { status: 'verified', found: record, hint: null };
}

function splitTerms(record: string): Set<string> {
  return new Set(record.trim().toLowerCase().split(/\s+/).slice(1));
}

/** Returns the number of look-ups that a record needs, or a number over the maximum as soon as there are that many. */
async function countLookups(record: string, askZone: AskZone): Promise<number> {
  const due = [record];
  const seen = new Set<string>();
  let lookups = 0;
  for (let next = due.shift(); next !== undefined; next = due.shift()) {
    for (const term of splitTerms(next)) {
      if (!lookupTerms.test(term)) continue;
      lookups += 1;
      if (lookups > lookupsMax) return lookups;
      const name = /^[+?~-]?(?:include:|redirect=)([a-z0-9._-]+)$/.exec(term)?.[1];
      // A name with a macro depends on the mail, and a repeated one leads to a loop.
      if (name === undefined || seen.has(name)) continue;
      seen.add(name);
      const included = await askZone(name, 'TXT');
      due.push(...included.records.map(({ value }) => value).filter(isSpf));
    }
  }
  return lookups;
}
