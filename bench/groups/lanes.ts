import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { makeMessage } from '../load/message-body.ts';
import { judge, ratio } from '../measure/goal.ts';
import { type Group, inRounds } from '../run/group.ts';
import { describeLoad, sendRequests } from '../run/http-load.ts';
import { startRelay } from '../run/start-relay.ts';
import { type Server, startServer } from '../run/start-server.ts';

const goal = {
  id: 'P13b',
  what: 'messages sent to other destinations while one never answers, against none that does not',
  unit: '×',
  better: 'higher',
  floor: 0.7,
  target: 0.9,
} as const;

const silentDomain = 'silent.example';
const silentRecipients = 60;
const atOnce = 20;
const untilStuckMs = 1_000;

/** P13b: whether a destination that never answers holds back the others, as P11 asks of webhooks. */
export const lanes: Group = async (bench) => {
  const relay = await startRelay(bench, { silentDomain });
  const start = async () => startServer(bench, await bench.postgres.createDatabase(), relay.settings);
  const healthy = await start();
  const hindered = await start();
  let count = 0;
  const send = ({ origin, key, inbox }: Server, seconds: number) =>
    sendRequests({
      origin,
      key,
      connections: atOnce,
      seconds,
      next: () => makeMessage(inbox.id, ++count),
      isRight: (answer) => (answer as { delivery_status: string }).delivery_status === 'sent',
    });
  const seconds = bench.seconds / 3;
  bench.progress('warming up');
  await send(healthy, seconds / 3);
  await send(hindered, seconds / 3);
  bench.atEnd(await sendToSilent(hindered));
  const figures = await inRounds(bench, async () => {
    const subject = await send(hindered, seconds);
    const baseline = await send(healthy, seconds);
    bench.progress(`${describeLoad(subject)}, baseline ${describeLoad(baseline)}`);
    return ratio(subject.perSecond, baseline.perSecond);
  });
  return [judge(goal, figures)];
};

/** Sends messages that the relay never answers, and waits until they hold all connections that they get. Returns what ends the requests. */
async function sendToSilent({ origin, key, inbox }: Server): Promise<() => Promise<void>> {
  const pool = new Pool(origin, { connections: silentRecipients });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (let number = 1; number <= silentRecipients; number++)
    pool.request({ ...makeMessage(inbox.id, -number, silentDomain), headers }).catch(() => {});
  await pause(untilStuckMs);
  return () => pool.destroy();
}
