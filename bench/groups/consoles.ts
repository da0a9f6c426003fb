import { makeMessage } from '../load/message-body.ts';
import type { OpenConsoles } from '../load/open-consoles.ts';
import { judge, ratio } from '../measure/goal.ts';
import { type Bench, type Group, inRounds } from '../run/group.ts';
import { describeLoad, type HttpLoad, type HttpLoadResult, sendRequests } from '../run/http-load.ts';
import { startScript } from '../run/program.ts';
import { startRelay } from '../run/start-relay.ts';
import { type Server, startServer } from '../run/start-server.ts';

const consoles = 50;
const shape = { unit: '×', better: 'higher', floor: 0.9, target: 0.97 } as const;
const goals = {
  read: { id: 'C1', what: `GET /messages/{id} (P6) with ${consoles} open consoles, against none`, ...shape },
  send: { id: 'C2', what: `POST /messages (P7) with ${consoles} open consoles, against none`, ...shape },
};
const admin = { email: 'owner@example.com', password: 'the password of the bench' };
const script = new URL('../load/open-consoles.ts', import.meta.url);

/** C1 and C2: what the API does while people have consoles of the same workspace open, against the same without them. */
export const openConsoles: Group = async (bench) => {
  const { settings } = await startRelay(bench);
  const server = await startServer(bench, await bench.postgres.createDatabase(), {
    ...settings,
    POSTRIDER_CONSOLE_ADMIN: `${admin.email}:${admin.password}`,
  });
  const { messages } = await sendSome(server);
  const id = messages[0]?.id ?? '';
  let count = 1_000;
  const loads = {
    read: () => ({ method: 'GET' as const, path: `/v1/messages/${id}` }),
    send: () => makeMessage(server.inbox.id, ++count),
  };
  const seconds = bench.seconds / 4;
  const run = (next: HttpLoad['next']) =>
    sendRequests({ origin: server.origin, key: server.key, connections: 10, seconds, next });
  bench.progress('warming up');
  await run(loads.read);
  await run(loads.send);
  const rounds = await inRounds(bench, async () => {
    const alone = { read: await run(loads.read), send: await run(loads.send) };
    const watched = await withConsoles(bench, server, async () => ({
      read: await run(loads.read),
      send: await run(loads.send),
    }));
    report(bench, 'read', watched.read, alone.read);
    report(bench, 'send', watched.send, alone.send);
    return {
      read: ratio(watched.read.perSecond, alone.read.perSecond),
      send: ratio(watched.send.perSecond, alone.send.perSecond),
    };
  });
  return [
    judge(
      goals.read,
      rounds.map(({ read }) => read),
    ),
    judge(
      goals.send,
      rounds.map(({ send }) => send),
    ),
  ];
};

async function sendSome({ client, inbox }: Server) {
  for (let sent = 0; sent < 100; sent += 1)
    await client.messages.send({
      inbox_id: inbox.id,
      to: `ada+${sent}@example.com`,
      subject: 'Hello',
      text: 'Hi',
    });
  return client.messages.list({ inbox_id: inbox.id, limit: 1 });
}

async function withConsoles<Result>(
  { atEnd }: Bench,
  { origin }: Server,
  work: () => Promise<Result>,
): Promise<Result> {
  const order: OpenConsoles = { origin, ...admin, consoles };
  const pages = await startScript(script, order);
  atEnd(pages.stop);
  const result = await work();
  await pages.stop();
  return result;
}

function report(bench: Bench, what: string, watched: HttpLoadResult, alone: HttpLoadResult): void {
  bench.progress(`${what}: ${describeLoad(watched)} with consoles, ${describeLoad(alone)} without`);
}
