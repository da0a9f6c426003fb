import type { MTASTSPolicy as Policy } from 'mailauth';
import { resolvePolicy } from 'mailauth/lib/mta-sts.js';
import type { MailDns } from './dns-answers.ts';
import type { PolicyFetcher } from './fetch-policy.ts';

/** The source of policies, and the source of time. */
export interface MtaStsSettings {
  dns: MailDns;
  fetchPolicy: PolicyFetcher['fetch'];
  nowMs(): number;
  scaleMs(durationMs: number): number;
}

interface Known {
  id: string;
  policy: Policy;
  /** When half of its age is over, so that it is fetched again. */
  freshUntilMs: number;
  untilMs: number;
}

/** The last check of a domain, and until when it is not repeated. */
interface Check {
  done: Promise<void>;
  begunMs: number;
  untilMs: number;
}

const checkedAgainMs = 5 * 60_000;
/** Even a policy with a shorter age is not fetched for each message. */
const ageMsMin = 60_000;
const domainsMax = 5_000;

/**
 * Returns a function that finds the current MTA-STS policy of a domain (RFC 8461), or null. A known policy is valid until its `max_age`,
 * whatever DNS and HTTPS say in the meantime. In the background, it is looked up again and, in the second half of its age, fetched again,
 * so that it does not lapse while mail is sent to the domain. The function never rejects: it returns null for a policy that cannot be
 * fetched.
 */
export function createMtaSts(settings: MtaStsSettings): (domain: string) => Promise<Policy | null> {
  const { nowMs, scaleMs } = settings;
  const known = new Map<string, Known>();
  const checks = new Map<string, Check>();

  function valid(domain: string): Known | null {
    const found = known.get(domain);
    return found && found.untilMs > nowMs() ? found : null;
  }

  async function check(domain: string): Promise<void> {
    const id = await findPolicyId(settings.dns, domain);
    const held = valid(domain);
    if (held === null && id === null) return;
    const isSame = id === null || held?.id === id;
    if (held && isSame && held.freshUntilMs > nowMs()) return;
    const policy = await settings.fetchPolicy(domain).catch(() => null);
    if (policy === null) return;
    const ageMs = scaleMs(Math.max(ageMsMin, (policy.maxAge ?? 0) * 1_000));
    known.delete(domain);
    known.set(domain, {
      id: id ?? held?.id ?? '',
      policy,
      freshUntilMs: nowMs() + ageMs / 2,
      untilMs: nowMs() + ageMs,
    });
    dropOldest(known);
  }

  /** Returns whether a policy was still in force when a check began, and no longer is. */
  function hasLapsedSince(domain: string, { begunMs }: Check): boolean {
    const untilMs = known.get(domain)?.untilMs;
    return untilMs !== undefined && begunMs < untilMs && untilMs <= nowMs();
  }

  function checkOften(domain: string): Promise<void> {
    const last = checks.get(domain);
    const begunMs = nowMs();
    if (last && last.untilMs > begunMs && !hasLapsedSince(domain, last)) return last.done;
    const entry = { done: check(domain), begunMs, untilMs: begunMs + scaleMs(checkedAgainMs) };
    checks.delete(domain);
    checks.set(domain, entry);
    dropOldest(checks);
    return entry.done;
  }

  return async (domain) => {
    const checked = checkOften(domain);
    if (valid(domain) === null) await checked;
    return valid(domain)?.policy ?? null;
  };
}

async function findPolicyId(dns: MailDns, domain: string): Promise<string | null> {
  const resolver = async (name: string) => {
    const { records } = await dns.stsTxt(name);
    return records.map((record) => [record]);
  };
  const id = await resolvePolicy(domain, { resolver, strict: true }).catch(() => false as const);
  return id === false ? null : id;
}

function dropOldest(entries: Map<string, unknown>): void {
  const [oldest] = entries.keys();
  if (entries.size > domainsMax && oldest !== undefined) entries.delete(oldest);
}
