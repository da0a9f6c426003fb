import type { PoolLoad } from '../baselines/nodemailer-pool.ts';
import { makeMessage, sentText } from '../load/message-body.ts';
import { judge, ratio } from '../measure/goal.ts';
import { type Group, inRounds } from '../run/group.ts';
import { describeLoad, sendRequests } from '../run/http-load.ts';
import { runScript } from '../run/program.ts';
import { startRelay } from '../run/start-relay.ts';
import { startServer } from '../run/start-server.ts';

const goal = {
  id: 'P13',
  what: 'messages sent to a relay, each accepted by API, signed, stored and settled, against a nodemailer pool of 20 with DKIM',
  unit: '×',
  better: 'higher',
  floor: 1,
  target: 1.2,
} as const;

const atOnce = 20;

/** P13: how fast messages leave through a relay, with everything that is stored about them. */
export const outbound: Group = async (bench) => {
  const relay = await startRelay(bench);
  const server = await startServer(bench, await bench.postgres.createDatabase(), relay.settings);
  let count = 0;
  const next = () => makeMessage(server.inbox.id, ++count);
  const isSettled = (answer: unknown) => (answer as { delivery_status: string }).delivery_status === 'sent';
  const sendByServer = (seconds: number) =>
    sendRequests({
      origin: server.origin,
      key: server.key,
      connections: atOnce,
      seconds,
      next,
      isRight: isSettled,
    });
  const sendByPool = (seconds: number) => {
    const load: PoolLoad = { port: relay.port, connections: atOnce, seconds, text: sentText };
    return runScript<{ perSecond: number }>(
      new URL('../baselines/nodemailer-pool.ts', import.meta.url),
      load,
    );
  };
  const seconds = bench.seconds / 3;
  bench.progress('warming up');
  await sendByServer(seconds / 3);
  const figures = await inRounds(bench, async () => {
    const subject = await sendByServer(seconds);
    const pool = await sendByPool(seconds);
    bench.progress(`${describeLoad(subject)}, baseline ${pool.perSecond.toFixed(0)}/s`);
    return ratio(subject.perSecond, pool.perSecond);
  });
  return [judge(goal, figures)];
};
