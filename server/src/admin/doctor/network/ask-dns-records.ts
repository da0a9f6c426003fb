import { withinTime } from '../../../lib/concurrency/wait.ts';
import { codeOf } from '../../../lib/start/start-error.ts';
import type { DnsResolve } from '../../../mail/authenticate/ask-dns.ts';

/** Asks for records: an empty list if there is none, and null if the resolver does not answer in time. */
export type Ask = (name: string, type: string) => Promise<unknown[] | null>;

const askMsMax = 4_000;

/** Returns a function that asks a resolver, for at most 4 s. */
export function askIn(resolve: DnsResolve): Ask {
  return async (name, type) => {
    try {
      return await withinTime<unknown[], null>(resolve(name, type), askMsMax, null);
    } catch (error) {
      return /^(ENOTFOUND|ENODATA)$/.test(codeOf(error)) ? [] : null;
    }
  };
}

/** Returns the addresses of a name, null if the resolver does not answer. */
export async function addressesOf(ask: Ask, name: string): Promise<string[] | null> {
  const [four, six] = (await Promise.all([ask(name, 'A'), ask(name, 'AAAA')])) as (string[] | null)[];
  return four || six ? [...(four ?? []), ...(six ?? [])] : null;
}
