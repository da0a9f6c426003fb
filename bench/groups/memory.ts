import { setTimeout as sleep } from 'node:timers/promises';
import { judge, notMeasured, type Outcome } from '../measure/goal.ts';
import type { Bench, Group } from '../run/group.ts';
import { sendLoad } from '../run/send-load.ts';
import { type Server, startServer } from '../run/start-server.ts';

const light = {
  id: 'P21',
  what: 'memory after an hour of light use, with a Postgres of its own',
  unit: 'MB',
  better: 'lower',
  floor: 330,
  target: 250,
} as const;

const mails = 200;
const requests = 500;
/** After a shorter run, memory may still grow. */
const minutesMin = 60;
/** The number of portions of the load. There are rests between them, as with people and agents. */
const portions = 20;
const mib = 1_048_576;

/** P21: the memory of a server that somebody tries out, from its first start on. */
export const memory: Group = async (bench) => {
  const server = await startServer(bench, null);
  bench.progress(`${showMemory(server)} after the first start`);
  for (let portion = 1; portion <= portions; portion++) {
    await Promise.all([receive(bench, server), ask(server), sleep((bench.minutes * 60_000) / portions)]);
    bench.progress(`${showMemory(server)} after ${portion} of ${portions}`);
  }
  return [await judgeMemory(bench, server)];
};

function receive(bench: Bench, server: Server): Promise<unknown> {
  return sendLoad({
    port: server.smtpPort,
    to: server.inbox.address,
    sessions: 1,
    reuse: true,
    size: 'small',
    seed: bench.seed,
    mails: mails / portions,
  });
}

/** Reads and sends, as a program with one inbox does. */
async function ask({ client, inbox }: Server): Promise<void> {
  const [latest] = (await client.messages.list({ inbox_id: inbox.id })).messages;
  const each = [
    () => client.messages.list({ inbox_id: inbox.id }),
    () => client.threads.list({ inbox_id: inbox.id }),
    () => (latest ? client.messages.get(latest.id) : client.inboxes.get(inbox.id)),
    () => client.events.list(),
    () => client.messages.send({ inbox_id: inbox.id, to: ['ada@remote.example'], subject: 'Hi', text: 'Hi' }),
  ];
  for (let n = 0; n < requests / portions; n++) await each[n % each.length]!();
}

function showMemory(server: Server): string {
  return `${server.memory().now.toFixed(0)} MB`;
}

async function judgeMemory(bench: Bench, server: Server): Promise<Outcome> {
  const value = server.memory().now;
  const said = `${value.toFixed(0)} MB, of that ${await readParts(server)}, after ${mails} mails and ${requests} requests in ${bench.minutes} minutes`;
  return bench.minutes < minutesMin
    ? notMeasured(light, `${said}; it takes --minutes ${minutesMin} to tell`)
    : judge(light, [{ value }], said);
}

/** Describes the memory of JavaScript objects, in the heap and outside it. The rest is WebAssembly, compiled code and threads. */
async function readParts({ origin }: Server): Promise<string> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const figure = (name: string) =>
    Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN) / mib;
  const [heap, external] = [figure('nodejs_heap_size_total_bytes'), figure('nodejs_external_memory_bytes')];
  return `${heap.toFixed(0)} MB of heap and ${external.toFixed(0)} MB held by it`;
}
