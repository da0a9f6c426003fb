import {
  Client,
  type ClientOptions,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { packMcp } from '@postrider/testkit/servers/packed-mcp.ts';
import pg from 'pg';
import { type Figure, judge, type Outcome } from '../measure/goal.ts';
import { median } from '../measure/statistics.ts';
import { type Bench, type Group, inRounds } from '../run/group.ts';
import { sendLoad } from '../run/send-load.ts';
import { type Server, startServer } from '../run/start-server.ts';

const goals = {
  call: {
    id: 'P19a',
    what: 'get_message over stdio minus the calls that it makes, p50',
    unit: 'ms',
    better: 'lower',
    floor: 10,
    target: 2,
  },
  start: {
    id: 'P19b',
    what: 'start of the command, packed, to the list of tools',
    unit: 'ms',
    better: 'lower',
    floor: 1_000,
    target: 300,
  },
  list: {
    id: 'P19c',
    what: 'list of tools, without output schemas',
    unit: 'KB',
    better: 'lower',
    floor: 24,
    target: 12,
  },
  listWhole: {
    id: 'P19d',
    what: 'list of tools, whole',
    unit: 'KB',
    better: 'lower',
    floor: 24,
    target: null,
  },
  memory: {
    id: 'P19e',
    what: `memory for 100 clients over HTTP, beside the server without them`,
    unit: 'MB',
    better: 'lower',
    floor: 150,
    target: null,
  },
  held: {
    id: 'P19f',
    what: 'connections of the database that 100 waiting clients hold',
    unit: '',
    better: 'lower',
    floor: 0,
    target: 0,
  },
} as const;

const clientsCount = 100;
const warmUp = 50;
const kib = 1_024;
const modern = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const;

/** P19: what the tools cost over the calls that they make. */
export const mcp: Group = async (bench) => {
  const server = await startServer(bench, await bench.postgres.createDatabase());
  await sendLoad({
    port: server.smtpPort,
    to: server.inbox.address,
    sessions: 1,
    reuse: true,
    size: 'small',
    seed: bench.seed,
    mails: 20,
  });
  const packed = await packMcp(bench.serverFolder);
  bench.atEnd(packed.remove);
  const rounds = await inRounds(bench, () => measureRound(bench, server, packed.main));
  const { memory, held } = await measureClients(bench, server);
  const of = (name: keyof (typeof rounds)[0]) => rounds.map((round): Figure => ({ value: round[name] }));
  return [
    judge(
      goals.call,
      of('call'),
      `${median(rounds.map(({ api }) => api)).toFixed(1)} ms of them are the calls`,
    ),
    judge(goals.start, of('start')),
    judge(goals.list, of('list')),
    judge(goals.listWhole, of('listWhole')),
    judge(goals.memory, [{ value: memory }]),
    judge(goals.held, [{ value: held }]),
  ] satisfies Outcome[];
};

async function measureRound(bench: Bench, server: Server, main: string) {
  const from = performance.now();
  // To find out what a server speaks, a client of 2026 may start it twice.
  const client = await connect(openCommand(server, main), {});
  const { tools } = await client.listTools();
  const start = performance.now() - from;
  const [id] = (await server.client.messages.list({ inbox_id: server.inbox.id, limit: 1 })).messages.map(
    (one) => one.id,
  );
  const [tool, api]: number[][] = [[], []];
  const until = performance.now() + bench.seconds * 1_000;
  for (let turn = 0; performance.now() < until || turn < 2 * warmUp; turn++) {
    const timeTool = await timed(() =>
      client.callTool({ name: 'get_message', arguments: { message_id: id } }),
    );
    const timeApi = await timed(() => readDirectly(server, id!));
    if (turn < warmUp) continue;
    tool!.push(timeTool);
    api!.push(timeApi);
  }
  await client.close();
  const slim = tools.map(({ outputSchema: _, ...rest }) => rest);
  bench.progress(
    `tool ${median(tool!).toFixed(2)} ms, calls ${median(api!).toFixed(2)} ms, start ${start.toFixed(0)} ms`,
  );
  return {
    call: median(tool!) - median(api!),
    api: median(api!),
    start,
    list: JSON.stringify(slim).length / kib,
    listWhole: JSON.stringify(tools).length / kib,
  };
}

/** The calls that `get_message` makes: the message, and whether its sender wrote before. */
async function readDirectly({ client }: Server, id: string): Promise<void> {
  const { inbox_id, from_addr: from, created_at: before } = await client.messages.get(id);
  await client.messages.list({ inbox_id, from, before, direction: 'inbound', limit: 1 });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function openCommand({ key, origin }: Server, main: string): Transport {
  const env = { POSTRIDER_API_KEY: key, POSTRIDER_BASE_URL: `${origin}/v1` };
  return new StdioClientTransport({ command: process.execPath, args: [main], env });
}

async function connect(transport: Transport, options: ClientOptions = modern): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' }, options);
  await client.connect(transport);
  return client;
}

/** Lets many clients wait for mail at once. */
async function measureClients(bench: Bench, { origin, key, memory: readMemory, databaseUrl }: Server) {
  const clients: Client[] = [];
  const before = readMemory().now;
  for (let n = 0; n < clientsCount; n++) {
    const requestInit = { headers: { authorization: `Bearer ${key}` } };
    clients.push(await connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`), { requestInit })));
  }
  const args = { wait_seconds: 20, after: new Date(Date.now() + 3_600_000).toISOString() };
  const waiting = clients.map((client) => client.callTool({ name: 'search_messages', arguments: args }));
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  const held = await busyConnections(databaseUrl!);
  const memory = readMemory().now - before;
  bench.progress(`${memory.toFixed(0)} MB more, ${held} connections in use`);
  await Promise.all(waiting);
  await Promise.all(clients.map((client) => client.close()));
  return { memory, held };
}

/** Returns how many connections are in a statement or a transaction. */
async function busyConnections(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `select count(*)::int as busy from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' and backend_type = 'client backend'
        and wait_event is distinct from 'ClientRead'`,
  );
  await client.end();
  return rows[0].busy;
}
