import { createRecentMap } from '../../lib/memory.ts';

/** Resolves a DNS question like `resolve` of `node:dns/promises`, with the same error codes. */
export type DnsResolve = (name: string, type: string) => Promise<string[] | string[][]>;

/** The limits of the questions of one step of a check. */
interface QuestionLimits {
  /** For all questions together, counted from the creation of the resolver. */
  timeoutMs: number;
  questionsMax: number;
}

/** A resolver for one step of the check of a mail. */
export interface LimitedDns {
  resolve: DnsResolve;
  /** Returns whether a question was not asked because there had been too many. */
  hasExceeded(): boolean;
}

/**
 * Creates a resolver that asks no more than the limits allow. A timeout becomes an ETIMEOUT, a question too many an EREFUSED and an error
 * without a code an ESERVFAIL. They mean that there was no answer rather than a negative one.
 */
export function askDns(resolve: DnsResolve, { timeoutMs, questionsMax }: QuestionLimits): LimitedDns {
  const endsAt = performance.now() + timeoutMs;
  let asked = 0;
  const ask: DnsResolve = async (name, type) => {
    asked += 1;
    if (asked > questionsMax) throw failure('EREFUSED');
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) throw failure('ETIMEOUT');
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(failure('ETIMEOUT')), leftMs);
    });
    try {
      return readRecords(await Promise.race([resolve(name, type), late]));
    } catch (error) {
      throw error instanceof Error && 'code' in error ? error : failure('ESERVFAIL');
    } finally {
      clearTimeout(timer);
    }
  };
  return { resolve: ask, hasExceeded: () => asked > questionsMax };
}

function readRecords(records: unknown): string[] | string[][] {
  const isText = (value: unknown): value is string => typeof value === 'string';
  if (!Array.isArray(records)) throw failure('ESERVFAIL');
  if (records.every(isText)) return records;
  if (records.every((record): record is string[] => Array.isArray(record) && record.every(isText)))
    return records;
  // MX records are objects; the verifier reads them as they are.
  if (records.every((record) => typeof record === 'object' && record !== null && !Array.isArray(record)))
    return records;
  throw failure('ESERVFAIL');
}

function failure(code: string): Error {
  return Object.assign(new Error('No answer of DNS.'), { code });
}

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
 * Returns a resolver that asks each question at most once in 30 s. Mails that arrive together share the response, even while it is
 * outstanding. Negative responses are shared as well; failures are shared only with callers that are already waiting. Each caller gets its
 * own records.
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
        if (!negativeCodes.includes(dnsCode(error))) forget();
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
      throw Object.assign(new Error('No answer of DNS.'), { code: dnsCode(error) });
    }
  };
}

function dnsCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'ESERVFAIL';
}
