import type { JudgedQuery } from '../judgements.ts';

/** A way to search the corpus. */
export interface Ranker {
  name: string;
  /** Returns the ids of mails, best first. */
  rank(query: JudgedQuery): Promise<string[]>;
}

/** How many results each way to search is asked for. */
export const rankedMax = 100;
