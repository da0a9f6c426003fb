import { formatTable } from '../../measure/print-outcomes.ts';
import type { Bench, Group } from '../../run/group.ts';
import { startServer } from '../../run/start-server.ts';
import { fuseRanks } from '../../search/baselines/fuse-ranks.ts';
import { startMiniSearch } from '../../search/baselines/mini-search.ts';
import { startPlainSearch } from '../../search/baselines/plain-search.ts';
import type { Ranker } from '../../search/baselines/ranker.ts';
import type { MadeMail } from '../../search/corpus/made-mail.ts';
import { makeCorpus } from '../../search/corpus/make-corpus.ts';
import { type JudgedQuery, readJudgements } from '../../search/judgements.ts';
import { dateCuts, serverRankers } from '../../search/run/ask-server.ts';
import { deliverCorpus } from '../../search/run/deliver-corpus.ts';
import { untilIndexed } from '../../search/run/until-indexed.ts';
import { judgeQuality } from '../../search/score/quality-goals.ts';
import { missesTable, qualityTable, type Rankings } from '../../search/score/quality-table.ts';

const builtIn = 'words-en-1';

/** Q1 to Q3: how well the judged queries are answered in each mode, compared with ways to search the same mails in the same run. */
export const searchQuality: Group = async (bench) => {
  const corpus = makeCorpus();
  const queries = readJudgements(corpus);
  const rankings: Rankings = new Map();
  const plain = await startPlainSearch(await bench.postgres.createDatabase(), corpus, bench.atEnd);
  const baselines = [plain, startMiniSearch(corpus)];
  for (const ranker of baselines) rankings.set(ranker.name, await rankAll(ranker, queries));
  const providers = readProviders();
  for (const [provider, settings] of providers) {
    for (const ranker of await startRankers(bench, corpus, queries, provider, settings))
      rankings.set(ranker.name, await rankAll(ranker, queries));
    const [keyword, semantic] = [rankings.get('keyword')!, rankings.get(`semantic ${provider}`)!];
    rankings.set(
      `RRF ${provider}`,
      queries.map((_, at) => fuseRanks([keyword[at]!, semantic[at]!])),
    );
  }
  for (const heldOut of [false, true]) bench.addTable(qualityTable(rankings, queries, heldOut));
  for (const [name, ranking] of rankings)
    if (/^(?:keyword|hybrid)/.test(name)) console.log(formatTable(missesTable(name, ranking, queries)));
  const names = baselines.map(({ name }) => name);
  return providers.flatMap(([provider]) => judgeQuality(rankings, queries, names, provider));
};

/** Returns the provider that the server has by default and, if the variables of this process name another one, that one too. */
function readProviders(): [name: string, settings: Record<string, string>][] {
  const settings = Object.entries(process.env).flatMap(([name, value]) =>
    name.startsWith('POSTRIDER_EMBEDDINGS') && value ? [[name, value] as const] : [],
  );
  const named = process.env.POSTRIDER_EMBEDDINGS;
  return [
    [builtIn, {}],
    ...(named ? [[named, Object.fromEntries(settings)] as [string, Record<string, string>]] : []),
  ];
}

async function startRankers(
  bench: Bench,
  corpus: MadeMail[],
  queries: JudgedQuery[],
  provider: string,
  settings: Record<string, string>,
): Promise<Ranker[]> {
  const databaseUrl = await bench.postgres.createDatabase();
  const server = await startServer(bench, databaseUrl, settings);
  // Mail is embedded once the workspace searches by meaning.
  await server.client.messages.search('anything', { mode: 'hybrid' });
  bench.progress(`${provider}: delivering ${corpus.length} mails`);
  const delivered = await deliverCorpus(server, corpus, dateCuts(queries));
  bench.progress('waiting until they are indexed');
  await untilIndexed(server);
  return serverRankers(server.client, delivered, provider);
}

async function rankAll(ranker: Ranker, queries: JudgedQuery[]): Promise<string[][]> {
  const all: string[][] = [];
  for (const query of queries) all.push(await ranker.rank(query));
  return all;
}
