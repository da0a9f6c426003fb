import { createRecentMap } from '../../lib/memory.ts';
import type { DnsResolve } from './ask-dns.ts';

const answersMax = 2_000;
const ttlMs = 30_000;
/** Answers that are longer in JSON are not kept. A DKIM key takes about 450 characters. */
const keptLengthMax = 4_096;
const negativeCodes = ['ENOTFOUND', 'ENODATA'];

type Records = Awaited<ReturnType<DnsResolve>>;

interface Shared {
  records: Promise<Records>;
  at: number;
}

/**
 * Returns a resolver that asks each question once in 30 s. Mails that arrive together share the answer, even while it is outstanding.
 * Negative answers are shared as well; failures are shared only with those that wait for them. Each caller gets records of its own.
 */
export function shareAnswers(resolve: DnsResolve, now: () => number = () => performance.now()): DnsResolve {
  const recent = createRecentMap<Shared>(answersMax);
  const ask = (key: string, name: string, type: string): Shared => {
    const shared: Shared = { records: (async () => resolve(name, type))(), at: now() };
    const forget = () => {
      if (recent.get(key) === shared) recent.delete(key);
    };
    recent.set(key, shared);
    shared.records.then(
      (records) => {
        if (JSON.stringify(records).length > keptLengthMax) forget();
      },
      (error: unknown) => {
        if (!negativeCodes.includes(codeOf(error))) forget();
      },
    );
    return shared;
  };
  return async (name, type) => {
    const key = `${type} ${name.toLowerCase()}`;
    const known = recent.get(key);
    const { records } = known && now() - known.at < ttlMs ? known : ask(key, name, type);
    try {
      return structuredClone(await records);
    } catch (error) {
      // The SPF check writes into the errors that it gets.
      throw Object.assign(new Error('No answer of DNS.'), { code: codeOf(error) });
    }
  };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'ESERVFAIL';
}
