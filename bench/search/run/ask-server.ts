import type { Postrider } from 'postrider';
import { type Ranker, rankedMax } from '../baselines/ranker.ts';
import type { JudgedQuery } from '../judgements.ts';
import type { DeliveredCorpus } from './deliver-corpus.ts';

const modes = ['keyword', 'semantic', 'hybrid'] as const;

/** Returns one way to search for each mode of the server. Throws if the server answers in another mode than the one asked for. */
export function serverRankers(client: Postrider, delivered: DeliveredCorpus, provider: string): Ranker[] {
  return modes.map((mode) => ({
    name: mode === 'keyword' ? mode : `${mode} ${provider}`,
    rank: async ({ query }) => {
      const page = await client.messages.search(withCuts(query, delivered.cuts), { mode, limit: rankedMax });
      if (page.mode_used !== mode)
        throw new Error(
          `"${query}" was answered by ${page.mode_used}, not by ${mode}: ${page.fallback_reason}.`,
        );
      return page.messages.map(({ id }) => delivered.ids.get(id) ?? id);
    },
  }));
}

const dated = /\b(after|before):(\d{4}-\d\d-\d\d)\b/g;

/** Returns the dates that queries name. */
export function dateCuts(queries: JudgedQuery[]): string[] {
  return [...new Set(queries.flatMap(({ query }) => [...query.matchAll(dated)].map(([, , date]) => date!)))];
}

function withCuts(query: string, cuts: DeliveredCorpus['cuts']): string {
  return query.replaceAll(
    dated,
    (_, name: string, date: string) => `${name}:${cuts.get(date)?.toISOString()}`,
  );
}
