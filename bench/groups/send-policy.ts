import { operate } from '@postrider/testkit/servers/operate.ts';
import { makeKey } from '@postrider/testkit/servers/server-process.ts';
import pg from 'pg';
import { Postrider } from 'postrider';
import { makeMessage } from '../load/message-body.ts';
import { type Figure, judge, ratio } from '../measure/goal.ts';
import { type Bench, type Group, inRounds } from '../run/group.ts';
import { sendRequests } from '../run/http-load.ts';
import { startRelay } from '../run/start-relay.ts';
import { type Server, startServer } from '../run/start-server.ts';

const oneGoal = {
  id: 'P7d',
  what: 'POST /messages (P7) where the policy of the workspace has all lines, against none',
  unit: '×',
  better: 'higher',
  floor: 0.85,
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

/** Lets a sender and the other take turns every second, because the machine is faster at one time than at another. */
async function compare(bench: Bench, post: Post, sender: Sender, baseline: Sender): Promise<Figure> {
  const loads = { sender: [] as Load[], baseline: [] as Load[] };
  for (let turn = 0; turn < bench.seconds / 4; turn++) {
    // The first sender of a turn leaves deliveries behind, which slow the second one down.
    const order = turn % 2 === 0 ? (['baseline', 'sender'] as const) : (['sender', 'baseline'] as const);
    for (const who of order) loads[who].push(await post(who === 'sender' ? sender : baseline, 1));
  }
  const [subject, without] = [meanRate(loads.sender), meanRate(loads.baseline)];
  bench.progress(`${Math.round(subject)}/s; without ${Math.round(without)}/s`);
  return ratio(subject, without);
}

function meanRate(loads: Load[]): number {
  return loads.reduce((sum, { perSecond }) => sum + perSecond, 0) / loads.length;
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

/** Fills the counts of all policies as if mail had been sent in every slot of the last day. */
async function fillCounts({ databaseUrl }: Server): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl ?? '' });
  await client.connect();
  await client.query(`insert into send_counts (workspace_id, subject, slot, message_id, amount)
    select workspace_id, subject_id, date_bin('5 minutes', now(), 'epoch') - n * interval '5 minutes', '', 100
      from policies, generate_series(0, 287) n on conflict do nothing`);
  await client.end();
}
