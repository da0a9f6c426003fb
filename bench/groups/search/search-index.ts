import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { SmtpLoadResult } from '../../load/smtp-load.ts';
import { type Figure, judge, type Outcome } from '../../measure/goal.ts';
import { percentile } from '../../measure/statistics.ts';
import { type Bench, type Group, inRounds } from '../../run/group.ts';
import { sendLoad } from '../../run/send-load.ts';
import { type Server, startServer } from '../../run/start-server.ts';
import { untilListed } from '../../run/until-listed.ts';

const mailsPerSecond = 200;
const sampleMs = 500;
const drainSecondsMax = 300;
const goals = {
  lag: {
    id: 'P14i',
    what: `longest wait for the index while ${mailsPerSecond} mails a second come in by SMTP`,
    unit: 's',
    better: 'lower',
    floor: 5,
    target: 1,
  },
  memory: {
    id: 'P14j',
    what: 'memory of the server at its peak meanwhile',
    unit: 'MB',
    better: 'lower',
    floor: 600,
    target: 400,
  },
  keyword: {
    id: 'P14k',
    what: 'readable mail, sustained, 50 sessions, with keyword search',
    unit: '/s',
    better: 'higher',
    floor: null,
    target: null,
  },
  vectors: {
    id: 'P14l',
    what: 'the same with keyword and semantic search',
    unit: '/s',
    better: 'higher',
    floor: null,
    target: null,
  },
  indexed: {
    id: 'P14m',
    what: 'mail indexed for keyword and semantic search, sustained',
    unit: '/s',
    better: 'higher',
    floor: 200,
    target: 400,
  },
} as const;

/** How well the search index keeps up with mail, and how much it slows down the intake of mail. */
export const searchIndex: Group = async (bench) => {
  const steady = await keepUp(bench);
  const servers = {
    keyword: await start(bench, { POSTRIDER_EMBEDDINGS: 'off' }),
    vectors: await startEmbedding(bench),
  };
  bench.progress('warming up');
  for (const server of Object.values(servers)) await sustain(server, bench, bench.seconds / 2);
  const rounds = await inRounds(bench, async (round) => {
    const figures: Record<string, Sustained> = {};
    const inTurn = Object.entries(servers);
    for (const [name, server] of round % 2 === 0 ? inTurn.reverse() : inTurn) {
      figures[name] = await sustain(server, bench, bench.seconds);
      const { listed, indexed } = figures[name];
      bench.progress(
        `${name}: ${listed.toFixed(0)} readable and ${indexed.toFixed(0)} indexed mails a second`,
      );
    }
    return figures;
  });
  const figures = (name: keyof typeof servers, kind: keyof Sustained): Figure[] =>
    rounds.map((round) => ({ value: round[name]![kind] }));
  return [
    ...steady,
    judge(goals.keyword, figures('keyword', 'listed')),
    judge(goals.vectors, figures('vectors', 'listed')),
    judge(goals.indexed, figures('vectors', 'indexed')),
  ];
};

/** How many mails a second can be read, and how many are indexed, from the first mail to the last. */
interface Sustained {
  listed: number;
  indexed: number;
}

function start(bench: Bench, settings: Record<string, string>): Promise<Server> {
  return bench.postgres.createDatabase().then((url) => startServer(bench, url, settings));
}

/** Starts a server whose workspace searches by meaning, so that its mail is embedded. */
async function startEmbedding(bench: Bench): Promise<Server> {
  const server = await start(bench, {});
  await server.client.messages.search('anything', { mode: 'hybrid' });
  return server;
}

async function keepUp(bench: Bench): Promise<Outcome[]> {
  const server = await startEmbedding(bench);
  const pending = await watchPending(server);
  server.resetPeakMemory();
  const lags: number[] = [];
  const load = send(server, bench, { seconds: bench.minutes * 60, perSecondMax: mailsPerSecond });
  let isOver = false;
  const sent = load.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    lags.push(await pending.lagSeconds());
    await sleep(sampleMs);
  }
  const { perSecond } = await sent;
  await pending.untilEmpty();
  await pending.end();
  const [middle, worst] = [percentile(lags, 0.5), percentile(lags, 1)];
  const { peak } = server.memory();
  bench.progress(
    `${perSecond.toFixed(0)} mails a second: lag ${middle.toFixed(2)}, at most ${worst.toFixed(2)} s, ${peak.toFixed(0)} MB`,
  );
  await server.stop();
  const note = `${perSecond.toFixed(0)} mails a second for ${bench.minutes} minutes; median ${middle.toFixed(2)} s`;
  return [judge(goals.lag, [{ value: worst }], note), judge(goals.memory, [{ value: peak }])];
}

async function sustain(server: Server, bench: Bench, seconds: number): Promise<Sustained> {
  const from = new Date();
  const pending = await watchPending(server);
  const load = await send(server, bench, { seconds });
  const start = performance.now();
  const lateSeconds = await untilListed(server, from, load.acknowledged);
  await pending.untilEmpty();
  await pending.end();
  const indexSeconds = (performance.now() - start) / 1_000;
  return {
    listed: load.acknowledged / (load.seconds + lateSeconds),
    indexed: load.acknowledged / (load.seconds + indexSeconds),
  };
}

function send(
  server: Server,
  bench: Bench,
  shape: { seconds: number; perSecondMax?: number },
): Promise<SmtpLoadResult> {
  const fixed = {
    to: server.inbox.address,
    size: 'small',
    seed: bench.seed,
    sessions: 50,
    reuse: true,
  } as const;
  return sendLoad({ ...fixed, ...shape, port: server.smtpPort });
}

/** Reads which messages are not indexed yet. A server without search has none. */
async function watchPending(server: Server) {
  const client = new pg.Client({ connectionString: server.databaseUrl ?? '' });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `select tablename as name from pg_tables where tablename in ('search_pending', 'embedding_pending')`,
  );
  const readLag = async (table: string) => {
    const { rows: found } = await client.query<{ lag: number | null }>(
      `select extract(epoch from clock_timestamp() - min(m.created_at))::float as lag
        from ${table} p join messages m on m.workspace_id = p.workspace_id and m.id = p.message_id`,
    );
    return found[0]?.lag ?? 0;
  };
  const lagSeconds = async () => Math.max(0, ...(await Promise.all(rows.map(({ name }) => readLag(name)))));
  return {
    lagSeconds,
    untilEmpty: async () => {
      for (
        const deadline = performance.now() + drainSecondsMax * 1_000;
        (await lagSeconds()) > 0;
        await sleep(sampleMs / 5)
      )
        if (performance.now() > deadline)
          throw new Error(`The index is not complete after ${drainSecondsMax} s.`);
    },
    end: () => client.end(),
  };
}
