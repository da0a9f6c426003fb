import type { PostsLoad } from '../baselines/undici-posts.ts';
import { type Figure, judge, ratio } from '../measure/goal.ts';
import { percentile } from '../measure/statistics.ts';
import { postByQueue } from '../peers/queue-peers.ts';
import { type Bench, type Group, inRounds } from '../run/group.ts';
import { runScript } from '../run/program.ts';
import { queueDeliveries } from '../run/queue-deliveries.ts';
import { lightLatencies, mailLatencies, withBacklog } from '../run/webhook-latency.ts';
import { ratePosted, startWebhookSubject, type WebhookSubject } from '../run/webhook-subject.ts';
import { webhookGoals as goals } from './webhook-goals.ts';

const subscriberCount = 10;
const eventsEach = 1_000;
const bodyBytes = 3_000;
const peerJobs = 5_000;

/** P8 to P12: how fast and how soon events reach webhooks, even if some of these do not respond. */
export const webhooks: Group = async (bench) => {
  const subject = await startWebhookSubject(bench, subscriberCount);
  const healthy = subject.subscribers.slice(1);
  bench.progress('warming up');
  await measureAll(subject, eventsEach / 2);
  const rounds = await inRounds(bench, async () => {
    const fromEvents = await measureAll(subject, eventsEach);
    const rate = await measureQueued(subject, eventsEach);
    const limit = await postAsFastAsCanBe(bench, subject);
    const latencies = await lightLatencies(subject);
    const mails = await mailLatencies(subject);
    const backlog = await withBacklog(subject, p50Of(latencies));
    const peers = await postByPeers(bench, subject);
    const hung = await withHungReceiver(subject, () => measureRate(subject, healthy, eventsEach));
    const p50 = percentile(latencies, 0.5);
    const p95 = percentile(latencies, 0.95);
    bench.progress(
      `${rate.toFixed(0)}/s, from events ${fromEvents.toFixed(0)}/s, limit ${limit.toFixed(0)}/s, one hung ${hung.toFixed(0)}/s, p50 ${p50.toFixed(1)}, p95 ${p95.toFixed(1)} ms`,
    );
    return {
      ...backlog,
      graphile: ratio(rate, peers.graphile),
      boss: ratio(rate, peers.boss),
      mailP50: { value: p50Of(mails) },
      mailP95: { value: percentile(mails, 0.95) },
      limit: ratio(rate, limit),
      fromEvents: { value: fromEvents },
      p50: { value: p50 },
      p95: { value: p95 },
      hung: { value: hung / fromEvents },
    };
  });
  const of = (name: keyof (typeof rounds)[number]): Figure[] => rounds.map((round) => round[name]);
  return [
    judge(goals.limit, of('limit')),
    judge(goals.graphile, of('graphile'), 'graphile-worker 0.17.3'),
    judge(goals.boss, of('boss'), 'pg-boss 10.4.2'),
    judge(goals.fromEvents, of('fromEvents')),
    judge(goals.soonP50, of('p50')),
    judge(goals.soonP95, of('p95')),
    judge(goals.mailP50, of('mailP50')),
    judge(goals.mailP95, of('mailP95')),
    judge(goals.hung, of('hung')),
    judge(goals.backlogSoon, of('backlogSoon')),
    judge(goals.backlogDrain, of('backlogDrain')),
  ];
};

function p50Of(values: number[]): number {
  return percentile(values, 0.5);
}

/** Posts the same jobs by both queues, each with its own database. */
async function postByPeers(bench: Bench, { sinkPort: port, forget }: WebhookSubject) {
  const post = async (peer: 'graphile' | 'boss') => {
    const databaseUrl = await bench.postgres.createDatabase();
    const perSecond = await postByQueue(peer, { databaseUrl, port, jobs: peerJobs, bytes: bodyBytes });
    await forget();
    return perSecond;
  };
  const peers = { graphile: await post('graphile'), boss: await post('boss') };
  bench.progress(`graphile-worker ${peers.graphile.toFixed(0)}/s, pg-boss ${peers.boss.toFixed(0)}/s`);
  return peers;
}

/** Measures as for the peers: all deliveries are in the queue before the first is posted. */
async function measureQueued(subject: WebhookSubject, each: number): Promise<number> {
  await subject.forget();
  await queueDeliveries(subject, subject.subscribers, { each, isRetry: false });
  return ratePosted(subject, subject.subscribers, each);
}

function measureAll(subject: WebhookSubject, each: number): Promise<number> {
  return measureRate(subject, subject.subscribers, each);
}

async function measureRate(
  subject: WebhookSubject,
  some: WebhookSubject['subscribers'],
  each: number,
): Promise<number> {
  await subject.forget();
  await subject.writeEvents(subject.subscribers, each);
  return ratePosted(subject, some, each);
}

async function postAsFastAsCanBe(bench: Bench, { sinkPort: port, forget }: WebhookSubject): Promise<number> {
  const load: PostsLoad = { port, connections: 50, seconds: bench.seconds / 5, bytes: bodyBytes };
  const script = new URL('../baselines/undici-posts.ts', import.meta.url);
  const { perSecond } = await runScript<{ perSecond: number }>(script, load);
  await forget();
  return perSecond;
}

/** Runs `work` while the first receiver never responds. */
async function withHungReceiver<T>(subject: WebhookSubject, work: () => Promise<T>): Promise<T> {
  const [{ client, webhookId, path } = subject.subscribers[0]!] = subject.subscribers;
  const base = `http://127.0.0.1:${subject.sinkPort}`;
  await client.webhooks.update(webhookId, { url: `${base}/hang` });
  const result = await work();
  // Cancels its pending deliveries.
  await client.webhooks.update(webhookId, { enabled: false });
  await client.webhooks.update(webhookId, { url: base + path, enabled: true });
  return result;
}
