import type { MTASTSPolicy as Policy } from 'mailauth';
import { resolvePolicy } from 'mailauth/lib/mta-sts.js';
import type { MailDns } from './dns-answers.ts';
import type { PolicyFetcher } from './fetch-policy.ts';

/** Where policies come from, and the source of time. */
export interface MtaStsSettings {
  dns: MailDns;
  fetchPolicy: PolicyFetcher['fetch'];
  nowMs(): number;
  scaleMs(durationMs: number): number;
}

interface Known {
  id: string;
  policy: Policy;
  untilMs: number;
}

const checkedAgainMs = 5 * 60_000;
const domainsMax = 5_000;

/**
 * Returns a function that finds the MTA-STS policy of a domain that is in force (RFC 8461), or null. A known policy holds until its
 * `max_age`, whatever DNS and HTTPS say in the meantime, and is looked up anew in the background. The function never rejects: a policy that
 * cannot be fetched is none.
 */
export function createMtaSts(settings: MtaStsSettings): (domain: string) => Promise<Policy | null> {
  const { nowMs, scaleMs } = settings;
  const known = new Map<string, Known>();
  /** The check of each domain, and until when it is not repeated. */
  const checks = new Map<string, { done: Promise<void>; untilMs: number }>();

  function valid(domain: string): Known | null {
    const found = known.get(domain);
    return found && found.untilMs > nowMs() ? found : null;
  }

  async function check(domain: string): Promise<void> {
    const id = await findPolicyId(settings.dns, domain);
    if (id === null || valid(domain)?.id === id) return;
    const policy = await settings.fetchPolicy(domain).catch(() => null);
    if (policy === null) return;
    known.delete(domain);
    known.set(domain, { id, policy, untilMs: nowMs() + scaleMs((policy.maxAge ?? 0) * 1_000) });
    dropOldest(known);
  }

  function checkOften(domain: string): Promise<void> {
    const last = checks.get(domain);
    if (last && last.untilMs > nowMs()) return last.done;
    const entry = { done: check(domain), untilMs: nowMs() + scaleMs(checkedAgainMs) };
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
    const { records } = await dns.txt(name);
    return records.map((record) => [record]);
  };
  const id = await resolvePolicy(domain, { resolver, strict: true }).catch(() => false as const);
  return id === false ? null : id;
}

function dropOldest(entries: Map<string, unknown>): void {
  const [oldest] = entries.keys();
  if (entries.size > domainsMax && oldest !== undefined) entries.delete(oldest);
}
