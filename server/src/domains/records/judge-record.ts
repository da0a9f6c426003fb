/*
 * Compares a found record with the expected one. The owner of the domain reads the result, so it says what is published and what to change.
 * Other records can exist next to a correct one: a name can have other TXT records, and our MX record can be one of several.
 */
import type { DmarcPolicy } from '@postrider/contract';
import type { ZoneAnswer } from '../../dns/ask-zone.ts';
import type { ExpectedRecord } from './expected-records.ts';

/** The result for one record. A record that is missing is `pending` until the search for it ends. */
export interface Judgement {
  status: 'verified' | 'pending' | 'failed';
  /** The published value, the nearest to the expected one if there are several; null if there is none. */
  found: string | null;
  /** The fault, or why it counts although it is elsewhere; null if there is nothing to say. */
  hint: string | null;
  /** The published DMARC policy is valid, and weaker than the one that was asked for. */
  isWeaker?: true;
  /** Mail for the name goes to other servers only. */
  isElsewhere?: true;
}

const shownLengthMax = 300;
const policies: DmarcPolicy[] = ['none', 'quarantine', 'reject'];

/** Returns the result for the records of a name. SPF is judged by `judge-spf.ts`. */
export function judgeRecord(expected: ExpectedRecord, answer: ZoneAnswer): Judgement {
  if (answer.kind === 'none') return missing(expected, answer);
  const values = answer.records.map(({ value }) => value);
  switch (expected.purpose) {
    case 'dkim':
      return judgeDkim(expected, values);
    case 'dmarc':
      return judgeDmarc(expected, values);
    case 'mail_from':
    case 'inbound':
      return judgeExchange(expected, answer);
    default:
      return judgeText(expected, values);
  }
}

/** Returns the result for a name without records of the type. */
export function missing(expected: ExpectedRecord, { aliases }: Pick<ZoneAnswer, 'aliases'>): Judgement {
  const target = aliases.at(-1);
  const alias = target === undefined ? '' : `, which is an alias (CNAME) of ${target}`;
  return { status: 'pending', found: null, hint: `no ${expected.type} record at ${expected.name}${alias}` };
}

function judgeText(expected: ExpectedRecord, values: string[]): Judgement {
  if (values.some((value) => value.trim() === expected.value))
    return { status: 'verified', found: expected.value, hint: null };
  const [mark = ''] = expected.value.split('=');
  const similar = values.find((value) => value.trim().startsWith(`${mark}=`));
  return similar === undefined
    ? otherText(expected, values, 'other TXT records only')
    : { status: 'failed', found: similar, hint: `another value: ${show([similar])}` };
}

function judgeDkim(expected: ExpectedRecord, values: string[]): Judgement {
  const keys = values.filter((value) => readTags(value).has('p'));
  if (keys.length === 0) return otherText(expected, values, 'other TXT records only, no DKIM key');
  // RFC 6376, section 3.6.2.2: the result for several keys at one name is undefined.
  const key = nearest(keys, expected.value);
  const failed = (hint: string): Judgement => ({ status: 'failed', found: key, hint });
  if (keys.length > 1) return failed(`${keys.length} DKIM keys at one name; keep the expected one`);
  const published = readTags(key).get('p') ?? '';
  const wanted = readTags(expected.value).get('p') ?? '';
  const spoilt = findSpoiltTag(readTags(key));
  if (published === wanted && spoilt === null) return { status: 'verified', found: key, hint: null };
  if (published === wanted)
    return failed(`the right key in a record that receivers refuse, because of ${spoilt}: ${show([key])}`);
  if (published === '') return failed('a revoked key: its p= is empty');
  return failed(
    wanted.startsWith(published)
      ? `only the first ${published.length} of ${wanted.length} characters of the key; publish it in several strings`
      : `another key: ${show([key])}`,
  );
}

/** Returns the tag because of which receivers refuse a DKIM record with any key (RFC 6376, section 3.6.1); null if there is none. */
function findSpoiltTag(tags: Map<string, string>): string | null {
  const allowed: Record<string, RegExp> = {
    v: /^DKIM1$/,
    k: /^rsa$/i,
    h: /(?:^|:)sha256(?::|$)/i,
    s: /(?:^|:)(?:\*|email)(?::|$)/i,
  };
  for (const [tag, pattern] of Object.entries(allowed)) {
    const value = tags.get(tag);
    if (value !== undefined && !pattern.test(value)) return `${tag}=${value}`;
  }
  return null;
}

function judgeDmarc(expected: ExpectedRecord, values: string[]): Judgement {
  const records = values.filter((value) => /^v\s*=\s*DMARC1\s*(;|$)/.test(value.trim()));
  if (records.length === 0) return otherText(expected, values, 'other TXT records only, no DMARC policy');
  const record = nearest(records, expected.value);
  if (records.length > 1)
    return {
      status: 'failed',
      found: record,
      hint: `${records.length} DMARC policies, of which receivers follow none (RFC 9989); keep one`,
    };
  const published = readTags(record).get('p')?.toLowerCase();
  const wanted = readTags(expected.value).get('p');
  const rank = (policy: string | undefined) => (policies as string[]).indexOf(policy ?? '');
  if (rank(published) < 0)
    return { status: 'failed', found: record, hint: `a policy without a valid p=: ${show([record])}` };
  return rank(published) >= rank(wanted)
    ? { status: 'verified', found: record, hint: null }
    : {
        status: 'pending',
        found: record,
        hint: `a weaker policy than p=${wanted}: ${show([record])}`,
        isWeaker: true,
      };
}

function judgeExchange(expected: ExpectedRecord, { records }: ZoneAnswer): Judgement {
  const shown = records.map(({ priority, value }) => `${priority} ${value}`);
  const own = records.find(({ value }) => value.toLowerCase() === expected.value);
  if (!own) {
    const [first] = records.toSorted((one, other) => (one.priority ?? 0) - (other.priority ?? 0));
    const hint = `mail goes elsewhere: MX ${show(shown)}`;
    return { status: 'failed', found: first?.value ?? null, hint, isElsewhere: true };
  }
  // A host that others prefer gets mail only while they are away, and one of the same preference gets half of it.
  const preferred = records.filter(
    ({ priority, value }) => value !== own.value && (priority ?? 0) <= (own.priority ?? 0),
  );
  return preferred.length === 0
    ? { status: 'verified', found: own.value, hint: null }
    : {
        status: 'failed',
        found: own.value,
        hint: `other hosts get mail first or as well: MX ${show(shown)}`,
      };
}

/** Returns the tags of a record such as `v=DKIM1; k=rsa; p=…`, without white space in the values. */
export function readTags(record: string): Map<string, string> {
  const pairs = record.split(';').map((part): [string, string] => {
    const equals = part.indexOf('=');
    return [part.slice(0, equals).trim().toLowerCase(), part.slice(equals + 1).replace(/\s/g, '')];
  });
  return new Map(pairs.filter(([tag]) => tag !== ''));
}

/** Returns the result for a name whose records are for other purposes. */
export function otherText(expected: ExpectedRecord, values: string[], what: string): Judgement {
  return { status: 'pending', found: nearest(values, expected.value), hint: `${what}: ${show(values)}` };
}

/** Returns the value that begins most like the expected one, `''` without values. */
export function nearest(values: string[], expected: string): string {
  const likeness = (value: string) => {
    const differs = [...value].findIndex((character, at) => character !== expected[at]);
    return differs < 0 ? value.length : differs;
  };
  return values.toSorted((one, other) => likeness(other) - likeness(one))[0] ?? '';
}

/** Returns values as people read them, cut at 300 characters. */
export function show(values: string[]): string {
  const text = values.join(' | ').replace(/[\p{Cc}\s]+/gu, ' ');
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax).toWellFormed()}…` : text;
}
