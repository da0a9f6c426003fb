import { operate } from '@postrider/testkit/servers/operate.ts';
import pg from 'pg';
import { Postrider } from 'postrider';
import { makeMessage } from '../load/message-body.ts';
import { type Figure, judge, ratio } from '../measure/goal.ts';
import { type Bench, type Group, inRounds } from '../run/group.ts';
import { describeLoad, sendRequests } from '../run/http-load.ts';
import { startRelay } from '../run/start-relay.ts';
import { makeKey, type Server, startServer } from '../run/start-server.ts';

const oneGoal = {
  id: 'P7d',
  what: 'POST /messages (P7) where the policy of the workspace has all lines, against none',
  unit: '×',
  better: 'higher',
  floor: 0.95,
  target: 1,
} as const;
const allGoal = {
  ...oneGoal,
  id: 'P7e',
  what: 'POST /messages (P7) where policies of workspace, inbox and key have all lines, against none',
  floor: null,
} as const;
/** So high that no send comes near. */
const most = 1_000_000;
const lines = {
  send: 'allow',
  per_hour: most,
  per_day: most,
  per_thread_hour: most,
  per_recipient_day: most,
  recipients_max: 50,
};

/** P7d, P7e: what policies cost a send. Workspaces of one server take turns, which have no policy, one, and one at each place. */
export const sendWithPolicy: Group = async (bench) => {
  const { settings } = await startRelay(bench);
  const moreKey = makeKey();
  const server = await startServer(bench, await bench.postgres.createDatabase(), settings, [moreKey]);
  const free = await bind(server, 'bench', server.key, []);
  const one = await bind(server, 'other', server.otherKey, ['workspace']);
  const all = await bind(server, 'more-0', moreKey, ['workspace', 'inbox', 'key']);
  let count = 0;
  const post = ({ key, inboxId }: Sender, seconds: number) =>
    sendRequests({
      origin: server.origin,
      key,
      connections: 10,
      seconds,
      next: () => makeMessage(inboxId, ++count),
    });
  bench.progress('warming up');
  for (const sender of [free, one, all]) await post(sender, bench.seconds / 6);
  const rounds = await inRounds(bench, async () => ({
    one: await compare(bench, post, one, free),
    all: await compare(bench, post, all, free),
  }));
  return [
    judge(
      oneGoal,
      rounds.map((round) => round.one),
    ),
    judge(
      allGoal,
      rounds.map((round) => round.all),
    ),
  ];
};

interface Sender {
  key: string;
  inboxId: string;
}

type Load = Awaited<ReturnType<typeof sendRequests>>;
type Post = (sender: Sender, seconds: number) => Promise<Load>;

/** Measures a sender between runs of the other, so that a machine that becomes slower is no advantage for either. */
async function compare(bench: Bench, post: Post, sender: Sender, baseline: Sender): Promise<Figure> {
  const runs = [];
  for (const each of [baseline, sender, sender, baseline]) runs.push(await post(each, bench.seconds / 8));
  const [before, first, second, after] = runs as [Load, Load, Load, Load];
  bench.progress(
    `${describeLoad(first)} and ${describeLoad(second)}; without ${describeLoad(before)} and ${describeLoad(after)}`,
  );
  return ratio((first.perSecond + second.perSecond) / 2, (before.perSecond + after.perSecond) / 2);
}

type Level = 'workspace' | 'inbox' | 'key';

/** Gives a workspace an inbox, a rule, policies that let everything through at some places, and the counts of a busy day. */
async function bind(server: Server, workspace: string, key: string, levels: Level[]): Promise<Sender> {
  const client = new Postrider({ apiKey: key, baseURL: `${server.origin}/v1` });
  const { id } = await client.inboxes.create({ local_part: `bound-${workspace}` });
  await client.rules.create({ kind: 'allow', direction: 'outbound', pattern: 'receiver.example' });
  const run = (command: string, input: object) => operate(server.dataDir, command, input);
  const [{ id: keyId }] = (await run('keys list', { workspace })) as [{ id: string }];
  const places = { workspace: { workspace }, inbox: { inbox: id }, key: { key: keyId } };
  const recipients = {
    workspace: 'known',
    inbox: ['receiver.example'],
    key: ['receiver.example', 'more.example'],
  };
  for (const level of levels)
    await run('policy set', { ...places[level], lines: { ...lines, recipients: recipients[level] } });
  await fillCounts(server);
  const { per_hour, from } = await client.policy.get({ inbox_id: id });
  if (per_hour !== (levels.length > 0 ? most : null))
    throw new Error(`The policy is not in force: ${JSON.stringify(from)}`);
  return { key, inboxId: id };
}

/** Fills the counts of all policies as if each connection had sent in every slot of the last day. */
async function fillCounts({ databaseUrl }: Server): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl ?? '' });
  await client.connect();
  await client.query(`insert into send_counts (workspace_id, subject, slot, shard, amount)
    select workspace_id, subject_id, date_bin('5 minutes', now(), 'epoch') - n * interval '5 minutes', shard, 10
      from policies, generate_series(0, 287) n, generate_series(0, 9) shard on conflict do nothing`);
  await client.end();
}
