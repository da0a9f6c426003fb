import { operate } from '@postrider/testkit/servers/operate.ts';
import { Postrider } from 'postrider';
import { makeMessage } from '../load/message-body.ts';
import { judge, ratio } from '../measure/goal.ts';
import { type Group, inRounds } from '../run/group.ts';
import { describeLoad, sendRequests } from '../run/http-load.ts';
import { startRelay } from '../run/start-relay.ts';
import { type Server, startServer } from '../run/start-server.ts';

const goal = {
  id: 'P7d',
  what: 'POST /messages (P7) where policies of workspace, inbox and key have all lines, against none',
  unit: '×',
  better: 'higher',
  floor: 0.95,
  target: 1,
} as const;
/** So high that no send comes near. */
const most = 1_000_000;
const caps = {
  per_hour: most,
  per_day: most,
  per_thread_hour: most,
  per_recipient_day: most,
  recipients_max: 50,
};

/** P7d: what policies cost a send. Two workspaces of one server take turns, of which one has policies at all places. */
export const sendWithPolicy: Group = async (bench) => {
  const { settings } = await startRelay(bench);
  const server = await startServer(bench, await bench.postgres.createDatabase(), settings);
  const bound = await bindOther(server);
  let count = 0;
  const post = (key: string, inboxId: string, seconds: number) =>
    sendRequests({
      origin: server.origin,
      key,
      connections: 10,
      seconds,
      next: () => makeMessage(inboxId, ++count),
    });
  const withPolicy = (seconds: number) => post(bound.key, bound.inboxId, seconds);
  const without = (seconds: number) => post(server.key, server.inbox.id, seconds);
  const seconds = bench.seconds / 3;
  bench.progress('warming up');
  await without(seconds);
  await withPolicy(seconds);
  const rounds = await inRounds(bench, async () => {
    // Between two runs without, so that a machine that becomes slower is no advantage for either.
    const before = await without(seconds / 2);
    const subject = await withPolicy(seconds);
    const after = await without(seconds / 2);
    bench.progress(`${describeLoad(subject)}; without ${describeLoad(before)} and ${describeLoad(after)}`);
    return ratio(subject.perSecond, (before.perSecond + after.perSecond) / 2);
  });
  return [judge(goal, rounds)];
};

/** Gives the second workspace an inbox and policies that let everything through. */
async function bindOther({ origin, otherKey, dataDir }: Server): Promise<{ key: string; inboxId: string }> {
  const client = new Postrider({ apiKey: otherKey, baseURL: `${origin}/v1` });
  const { id } = await client.inboxes.create({ local_part: 'bound' });
  await client.rules.create({ kind: 'allow', direction: 'outbound', pattern: 'receiver.example' });
  const run = (command: string, input: object) => operate(dataDir, command, input);
  const [key] = (await run('keys list', { workspace: 'other' })) as { id: string }[];
  const lines = { send: 'allow', ...caps };
  await run('policy set', { workspace: 'other', lines: { ...lines, recipients: 'known' } });
  await run('policy set', { inbox: id, lines: { ...lines, recipients: ['receiver.example'] } });
  await run('policy set', {
    key: key?.id,
    lines: { ...lines, recipients: ['receiver.example', 'other.example'] },
  });
  const { per_hour, from } = await client.policy.get({ inbox_id: id });
  if (per_hour !== most) throw new Error(`The policy is not in force: ${JSON.stringify(from)}`);
  return { key: otherKey, inboxId: id };
}
