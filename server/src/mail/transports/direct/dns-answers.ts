import { isIPv6 } from 'node:net';
import { askDns, type DnsResolve } from '../../authenticate/ask-dns.ts';

/** A response of DNS. It has no records if the name does not exist, or has none of the type. */
interface DnsAnswer<Record> {
  records: Record[];
  /** False if there is no such name (NXDOMAIN). */
  exists: boolean;
}

/** Thrown if DNS did not respond, or not usefully. It may respond later. */
export class DnsFailure extends Error {
  override readonly name = 'DnsFailure';
}

/** DNS as mail needs it. Each method throws a `DnsFailure`. */
export interface MailDns {
  mx(name: string): Promise<DnsAnswer<{ exchange: string; priority: number }>>;
  addresses(name: string, family: 4 | 6): Promise<DnsAnswer<string>>;
  /** Finds the TXT records that announce an MTA-STS policy (RFC 8461, section 3.1). */
  stsTxt(name: string): Promise<DnsAnswer<string>>;
}

/** The resolver, and the source of time for the lifetime of cached responses. */
interface MailDnsSettings {
  resolve: DnsResolve;
  nowMs(): number;
  scaleMs(durationMs: number): number;
}

const answerWaitMs = 8_000;
/** The resolver, which knows the TTL, is asked again after this time. A shorter TTL counts that much later at most. */
const keptMs = { found: 60_000, missing: 30_000, failed: 5_000 };
const entriesMax = 20_000;
const mxMax = 100;
const addressesMax = 40;
const announcement = /^v=STSv1[ \t]*;/;
const announcementLengthMax = 512;

interface Entry {
  answer: Promise<DnsAnswer<unknown>>;
  untilMs: number;
}

/** Creates the look-ups of mail, with a cache in which one question that is under way is not asked twice. */
export function createMailDns({ resolve, nowMs, scaleMs }: MailDnsSettings): MailDns {
  const entries = new Map<string, Entry>();

  function look<Record>(
    name: string,
    type: string,
    keep: (records: Record[]) => Record[],
  ): Promise<DnsAnswer<Record>> {
    const key = `${type} ${name}`;
    const known = entries.get(key);
    if (known && known.untilMs > nowMs()) return known.answer as Promise<DnsAnswer<Record>>;
    const limited = askDns(resolve, { timeoutMs: answerWaitMs, questionsMax: 1 });
    const answer = ask<Record>(limited.resolve, name, type, keep);
    const entry: Entry = { answer, untilMs: Number.POSITIVE_INFINITY };
    const keepFor = (durationMs: number) => {
      entry.untilMs = nowMs() + scaleMs(durationMs);
    };
    answer.then(
      ({ records }) => keepFor(records.length > 0 ? keptMs.found : keptMs.missing),
      () => keepFor(keptMs.failed),
    );
    // The entry moves to the end, so that those at the front are the oldest.
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > entriesMax && oldest !== undefined) entries.delete(oldest);
    return answer;
  }

  return {
    mx: (name) =>
      look<{ exchange: string; priority: number }>(name, 'MX', (records) =>
        records.toSorted((one, other) => one.priority - other.priority).slice(0, mxMax),
      ),
    addresses: (name, family) =>
      look(name, family === 4 ? 'A' : 'AAAA', (records) => records.slice(0, addressesMax)),
    stsTxt: (name) => look(name, 'TXT', keepAnnouncements),
  };
}

/** Two announcements are as invalid as more, and one that is far too long is as invalid as one without an id. */
function keepAnnouncements(records: (string | string[])[]): string[] {
  return records
    .map((record) => [record].flat().join(''))
    .filter((record) => announcement.test(record))
    .slice(0, 2)
    .map((record) => (record.length > announcementLengthMax ? 'v=STSv1;' : record));
}

async function ask<Record>(
  resolve: DnsResolve,
  name: string,
  type: string,
  keep: (records: Record[]) => Record[],
): Promise<DnsAnswer<Record>> {
  try {
    return { records: keep((await resolve(name, type)) as Record[]), exists: true };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'ENODATA') return { records: [], exists: true };
    if (code === 'ENOTFOUND') return { records: [], exists: false };
    throw new DnsFailure(`DNS did not answer for the ${type} records of ${name} (${code ?? 'no code'}).`);
  }
}

/** The addresses of a server to connect to, in order, and why there are none. */
interface FoundAddresses {
  addresses: string[];
  /** Null if there are addresses. */
  problem: string | null;
  /** Whether this server is the reason that there are none: it does not connect to what DNS names, or cannot ask DNS. */
  isOurs: boolean;
}

/**
 * Finds the addresses of a server, IPv6 and IPv4 in turn (RFC 8305, section 4), without those for which `mayConnectTo` returns false. Never
 * rejects.
 */
export async function findAddresses(
  dns: MailDns,
  host: string,
  mayConnectTo: (address: string) => boolean,
): Promise<FoundAddresses> {
  const answers = await Promise.allSettled([dns.addresses(host, 6), dns.addresses(host, 4)]);
  const found = answers.map((answer) => (answer.status === 'fulfilled' ? answer.value.records : []));
  const all = interleave(found[0] ?? [], found[1] ?? []);
  const addresses = all.filter(mayConnectTo);
  if (addresses.length > 0) return { addresses, problem: null, isOurs: false };
  if (all.length > 0)
    return {
      addresses,
      problem: `${host} has only addresses of private or reserved networks (${all[0]}), to which this server sends no mail`,
      isOurs: true,
    };
  const failed = answers.find((answer) => answer.status === 'rejected')?.reason;
  const problem = failed instanceof DnsFailure ? failed.message : `${host} has no address`;
  return { addresses, problem: problem.replace(/\.$/, ''), isOurs: failed !== undefined };
}

function interleave(first: string[], second: string[]): string[] {
  const length = Math.max(first.length, second.length);
  return Array.from({ length }, (_, index) => [first[index], second[index]])
    .flat()
    .filter((address) => address !== undefined);
}

/** Returns an address with its port, as logs show it. */
export function withPort(address: string, port: number): string {
  return isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
}
