/** Resolves a DNS question like `resolve` of `node:dns/promises`, with the same error codes. */
export type DnsResolve = (name: string, type: string) => Promise<string[] | string[][]>;

/**
 * Creates a resolver for one mail. All its questions together have `timeoutMs`, counted from now, and later ones are not asked. A timeout
 * becomes an ETIMEOUT and an error without a code an ESERVFAIL, which mean that there was no answer rather than a negative one.
 */
export function askDns(resolve: DnsResolve, timeoutMs: number): DnsResolve {
  const endsAt = performance.now() + timeoutMs;
  return async (name, type) => {
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
