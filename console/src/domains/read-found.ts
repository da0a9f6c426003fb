import type { DnsRecord } from 'postrider';

/** The result of the last check of a record, in parts. */
export interface Found {
  /** A sentence about the problem, or else the published value. */
  text: string;
  /** A risk that remains although the record is right. */
  warning: string | null;
  /** The reports of receivers; for DMARC. */
  reports: string | null;
  /** The name server that was asked. */
  server: string | null;
  /** ISO 8601. */
  at: string | null;
  /** The time of the next check, in ISO 8601. */
  next: string | null;
}

const place =
  /; (?:looked|asked (?<server>[^;]{1,300})) at (?<at>[\d:.TZ-]+)(?:; next look at (?<next>[\d:.TZ-]+))?$/;
const reported = /(?:^|; )(?<reports>reports of \d+ days: .*|warning: receivers reported .*)$/;
const warned = /(?:^|; )warning: (?<warning>.*)$/;

/** Reads the API's result for a record; null if it has not been checked yet. */
export function readFound({ found, hint }: Pick<DnsRecord, 'found' | 'hint'>): Found | null {
  if (found === null && hint === null) return null;
  const [afterPlace, { server = null, at = null, next = null }] = cut(hint ?? '', place);
  const [afterReports, { reports = null }] = cut(afterPlace, reported);
  const [said, { warning = null }] = cut(afterReports, warned);
  return {
    text: said || (found ?? ''),
    warning,
    reports: reports?.replace(/^warning: /, '') ?? null,
    server,
    at,
    next,
  };
}

function cut(text: string, end: RegExp): [string, Record<string, string | undefined>] {
  const match = end.exec(text);
  return match ? [text.slice(0, match.index), match.groups ?? {}] : [text, {}];
}

/** Returns the time of the next look at any of the records; null if the API names none. */
export function nextLook(records: Pick<DnsRecord, 'found' | 'hint'>[]): string | null {
  const times = records.flatMap((record) => readFound(record)?.next ?? []);
  return times.sort()[0] ?? null;
}
