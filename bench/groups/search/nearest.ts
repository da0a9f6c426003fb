import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import { type Figure, type Goal, judge, notMeasured, ratio } from '../../measure/goal.ts';
import { type Bench, type Group, inRounds } from '../../run/group.ts';
import { searchClasses } from '../../run/search-classes.ts';
import { places } from '../../run/search-numbers.ts';
import { type SearchedServer, startSearched } from '../../run/start-searched.ts';
import { askServer, findSlowest } from '../../run/time-searches.ts';

const lookMs = 500;
const sampled = 40;
const chosen = 400;
const counted = 20;
const inserted = 300;

/**
 * Compares search by meaning with an index of nearest codes and without. It also measures how many of the nearest messages the index finds,
 * and what it costs each message. A Postgres without pgvector has no such index, and nothing is measured.
 */
export const nearest: Group = async (bench) => {
  const goals = goalsOf(bench.messages);
  if (!(await hasVectors(bench.postgres.url)))
    return Object.values(goals).map((goal) => notMeasured(goal, 'no pgvector'));
  const searched = await startSearched(bench, { settings: { POSTRIDER_EMBEDDINGS_INDEX: 'off' } });
  const client = new pg.Client({ connectionString: searched.databaseUrl });
  await client.connect();
  bench.atEnd(() => client.end());
  const without = await timeSearches(bench, searched, 'without an index');
  const insertWithout = await timeInserts(client, searched);
  await searched.server.stop();
  bench.progress('building the index');
  const started = performance.now();
  const { origin } = await searched.server.start({ POSTRIDER_EMBEDDINGS_INDEX: 'auto' });
  const index = await untilBuilt(client, searched);
  const buildSeconds = (performance.now() - started) / 1_000;
  const withIndex = await timeSearches(bench, { ...searched, origin }, 'with an index');
  const insertWith = await timeInserts(client, searched);
  const recall = await findRecall(client, index);
  return [
    judge(
      goals.search,
      withIndex.map((p95, round) => ratio(p95, without[round]!)),
    ),
    judge(goals.recall, recall),
    judge(goals.insert, [{ value: insertWith - insertWithout }]),
    judge(goals.build, [{ value: buildSeconds }], index.size),
  ];
};

async function hasVectors(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rowCount } = await client.query("select from pg_available_extensions where name = 'vector'");
  await client.end();
  return rowCount !== 0;
}

function goalsOf(messages: number) {
  const none = { floor: null, target: null } as const;
  const size = messages.toLocaleString('en');
  return {
    search: {
      id: 'P16d',
      what: `semantic, ${size} messages, 4 callers, with an index of pgvector against without`,
      unit: '×',
      better: 'lower',
      ...none,
    },
    recall: {
      id: 'P16e',
      what: `of the nearest ${counted}, found by the index`,
      unit: '%',
      better: 'higher',
      ...none,
    },
    insert: { id: 'P16f', what: 'what the index costs a new message', unit: 'ms', better: 'lower', ...none },
    build: { id: 'P16g', what: 'the build of the index', unit: 's', better: 'lower', ...none },
  } satisfies Record<string, Goal>;
}

/** Returns the 95th percentile of the slowest class in each round. */
async function timeSearches(bench: Bench, searched: SearchedServer, who: string): Promise<number[]> {
  const pool = new Pool(searched.origin, { connections: 8 });
  const ask = askServer(pool, searched.keys[places.large]!, { mode: 'semantic' });
  const classes = searchClasses(places.large, searched.mails).filter(({ what }) =>
    ['two words', 'phrase'].includes(what),
  );
  const rounds = await inRounds(bench, () => findSlowest(bench, who, classes, bench.seconds, ask));
  await pool.close();
  return rounds.map(({ p95 }) => p95);
}

interface Index {
  condition: string;
  size: string;
}

async function untilBuilt(client: pg.Client, { workspaces }: SearchedServer): Promise<Index> {
  for (;;) {
    const { rows } = await client.query<Index>(
      `select pg_get_expr(i.indpred, i.indrelid) as condition, pg_size_pretty(pg_relation_size(i.indexrelid)) as size
        from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indisvalid and starts_with(c.relname, 'search_codes_near_' || $1)`,
      [workspaces[places.large]!.id],
    );
    if (rows[0]) return rows[0];
    await sleep(lookMs);
  }
}

/** Returns the milliseconds that Postgres takes for the code of a message, which is removed again. */
async function timeInserts(client: pg.Client, { workspaces }: SearchedServer): Promise<number> {
  const { rows } = await client.query(
    'select code::text, space, message_id from search_codes where workspace_id = $1 limit $2',
    [workspaces[places.middle]!.id, inserted],
  );
  const { id, inboxes } = workspaces[places.large]!;
  const started = performance.now();
  for (const { code, space, message_id } of rows)
    await client.query(
      `insert into search_codes (code, space, workspace_id, inbox_id, message_id) values ($1::bit(768), $2, $3, $4, $5)`,
      [code, space, id, inboxes[1]!.id, `new_${message_id}`],
    );
  const tookMs = performance.now() - started;
  await client.query(`delete from search_codes where workspace_id = $1 and starts_with(message_id, 'new_')`, [
    id,
  ]);
  return tookMs / rows.length;
}

/** Returns which share of the nearest messages to some of them the index has among those that are compared by their vectors. */
async function findRecall(client: pg.Client, { condition }: Index): Promise<Figure[]> {
  const { rows } = await client.query<{ code: string }>(
    `select code::text from search_codes where ${condition} order by md5(message_id) limit $1`,
    [sampled],
  );
  await client.query(
    `set hnsw.ef_search = ${chosen}; set hnsw.iterative_scan = strict_order; set enable_sort = off`,
  );
  const figures: Figure[] = [];
  for (const { code } of rows) {
    const near = `select bit_count(code # $1::bit(768))::int as bits from search_codes where ${condition}`;
    const found = await client.query<{ bits: number }>(
      `select bit_count(c.code # $1::bit(768))::int as bits from
        (select code from search_codes where ${condition} order by code <~> '${code}'::bit(768) limit ${chosen}) c`,
      [code],
    );
    await client.query('set enable_sort = on');
    const exact = await client.query<{ bits: number }>(`${near} order by 1 limit ${counted}`, [code]);
    await client.query('set enable_sort = off');
    const farthest = exact.rows.at(-1)!.bits;
    const hits = found.rows.filter(({ bits }) => bits <= farthest).length;
    figures.push({ value: (100 * Math.min(counted, hits)) / counted });
  }
  return figures;
}
