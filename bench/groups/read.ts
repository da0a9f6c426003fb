import { judge, type Outcome, ratio } from '../measure/goal.ts';
import { type Bench, type Group, inRounds } from '../run/group.ts';
import { describeLoad, sendRequests } from '../run/http-load.ts';
import { seededId, startSeeding } from '../run/seed-messages.ts';
import { runSql, startExpress } from '../run/start-express.ts';
import { startRelay } from '../run/start-relay.ts';
import { type Server, startServer } from '../run/start-server.ts';

const goals = {
  read: {
    id: 'P6',
    what: 'GET /messages/{id}, 10 connections, against express with key look-up',
    floor: 0.65,
    target: 0.9,
  },
};

/** A multiple of three, the messages of a seeded thread. */
const some = 99_999;

/** P6: how fast a message is read. */
export const read: Group = async (bench) => {
  const databaseUrl = await bench.postgres.createDatabase();
  const server = await startServer(bench, databaseUrl);
  const seeding = await startSeeding(databaseUrl);
  bench.progress(`seeding ${some} messages`);
  await seeding.add({ inboxIds: [server.inbox.id], from: 0, to: some - 1 });
  await seeding.finish();
  return [await readOne(bench, server)];
};

async function readOne(bench: Bench, server: Server): Promise<Outcome> {
  const express = await startExpress(bench, await startRelay(bench));
  await runSql(express.databaseUrl, [
    `insert into messages select 'one', 'msg_01a' || lpad(to_hex(n), 23, '0'), 'a@sender.example', array['bench@postrider.test'],
       'Subject ' || n, (select string_agg('word' || (5000 ^ random())::int, ' ') from generate_series(1, 80) g where n > 0),
       null, 'sent', null, now() from generate_series(0, ${some - 1}) n`,
    'vacuum analyze',
  ]);
  let count = 0;
  // A large stride over the table, so that neighbours in time are not neighbours in memory.
  const next = () => ({
    method: 'GET' as const,
    path: `/v1/messages/${seededId('msg', (count++ * 7_919) % some)}`,
  });
  const ask = (target: { origin: string; key: string }, seconds: number) =>
    sendRequests({ ...target, connections: 10, seconds, next });
  bench.progress('warming up');
  await ask(server, bench.seconds / 10);
  await ask(express, bench.seconds / 10);
  const figures = await inRounds(bench, async () => {
    const subject = await ask(server, bench.seconds / 6);
    const least = await ask(express, bench.seconds / 6);
    bench.progress(`GET one: ${describeLoad(subject)}, baseline ${describeLoad(least)}`);
    return ratio(subject.perSecond, least.perSecond);
  });
  return judge({ unit: '×', better: 'higher', ...goals.read }, figures);
}
