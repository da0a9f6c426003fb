import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { madeUpMails } from '@postrider/testkit/smtp/steady-intake.ts';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import type { Fault } from '../fault.ts';
import { startLoad } from '../intake-load.ts';
import { openSubject, type Subject } from '../subject.ts';
import { startTimerSender } from '../timer-sender.ts';
import type { Trial } from '../trial.ts';
import { startFailingReceivers, timeScale } from '../webhook-failures.ts';

const lost = 'events that no receiver took';
const postsFirst = 60;
const momentMsMax = 300;
/** A post to which the receiver responded this shortly before a kill may not have been recorded. */
const unnotedMs = 250;
const watchMs = 3_000;

export const webhooks: Fault = {
  name: 'webhooks',
  about:
    'receivers fail in eight ways, seven times each; then servers are killed while mail comes in and a receiver fails now and then; then its webhook is deleted under load',
  times: { postgres: 20, own: 20 },
  control: {
    about: 'a sender that keeps retries in timers of its process',
    breaks: [lost],
    times: 4,
  },
  run: async (trial) => {
    const failing = await startFailingReceivers(trial);
    const env = {
      POSTRIDER_WEBHOOK_ALLOW_PRIVATE: 'true',
      POSTRIDER_TIME_SCALE: String(timeScale),
      ...failing.env,
    };
    const subject = await openSubject(trial, { env });
    const receiver = await startWebhookReceiver();
    try {
      const servers = [await subject.home.start()];
      if (!trial.control) await heal(trial, servers[0]!, failing.check);
      if (trial.database === 'postgres') servers.push(await subject.home.start());
      await killServers(trial, subject, servers, receiver);
      await Promise.all(servers.map((server) => server.stop()));
    } finally {
      await subject.close();
      await receiver.close();
      await failing.close();
    }
  },
};

async function heal(
  trial: Trial,
  { client, smtpPort }: ServerProcess,
  check: Awaited<ReturnType<typeof startFailingReceivers>>['check'],
): Promise<void> {
  trial.progress('eight receivers fail seven times each');
  const { address } = await client.inboxes.create({ local_part: 'failing' });
  await check(client, async () => {
    const [mail] = madeUpMails('failing', address);
    await startLoad({ port: () => smtpPort, to: address, sessions: 1, mails: mail ? [mail] : [] }).ended;
  });
  for (const { id } of (await client.webhooks.list()).webhooks) await client.webhooks.delete(id);
}

async function killServers(
  trial: Trial,
  { home }: Subject,
  servers: ServerProcess[],
  receiver: WebhookReceiver,
): Promise<void> {
  const first = () => servers[0]!.client;
  const { address } = await first().inboxes.create({ local_part: 'killed' });
  const webhook = trial.control
    ? null
    : await first().webhooks.create({ url: receiver.url, events: ['message.received'] });
  const taken = takeNowAndThen(trial, receiver);
  let sender = trial.control ? startTimerSender(first, receiver.url) : null;
  const load = startLoad({
    port: (session) => servers[session % servers.length]!.smtpPort,
    to: address,
    sessions: 2,
    mails: madeUpMails('killed', address),
  });
  let inFlight = 0;
  for (let kill = 1; kill <= trial.times; kill++) {
    const before = receiver.requests.length;
    await eventually('some posts', async () => receiver.requests.length >= before + postsFirst, {
      pauseMs: 5,
    });
    await sleep(trial.random() * momentMsMax);
    const which = kill % servers.length;
    await servers[which]!.crash();
    sender?.crash();
    inFlight +=
      receiver.open() + receiver.requests.filter(({ at }) => at > performance.now() - unnotedMs).length;
    servers[which] = await home.start();
    if (sender) sender = startTimerSender(first, receiver.url);
    trial.count('kills');
    trial.progress(`kill ${kill} of ${trial.times}, ${receiver.requests.length} posts`);
  }
  taken.heal();
  if (webhook) await checkSignatures(trial, receiver, webhook.secret);
  await checkTaken(trial, first(), load, taken.byEvent, inFlight);
  sender?.crash();
  if (webhook) await checkDeleted(trial, { servers, receiver, webhookId: webhook.id, address });
}

/** Fails the first one or two attempts for some events, and counts how often each was accepted. */
function takeNowAndThen(trial: Trial, receiver: WebhookReceiver) {
  const byEvent = new Map<string, number>();
  const tries = new Map<string, number>();
  let healed = false;
  receiver.always(({ headers }) => {
    const id = headers['webhook-id'] ?? '';
    const before = tries.get(id) ?? 0;
    tries.set(id, before + 1);
    if (!healed && before < 2 && trial.random() < 0.3) return trial.random() < 0.5 ? 500 : 'reset';
    byEvent.set(id, (byEvent.get(id) ?? 0) + 1);
    return { status: 204, delayMs: Math.floor(trial.random() * 20) };
  });
  return {
    byEvent,
    heal: () => {
      healed = true;
    },
  };
}

/** Checks that every event of the log was accepted, and that no more were accepted twice than the kills explain. */
async function checkTaken(
  trial: Trial,
  client: ServerProcess['client'],
  load: ReturnType<typeof startLoad>,
  byEvent: Map<string, number>,
  inFlight: number,
): Promise<void> {
  await load.stop();
  const wanted = new Set<string>();
  const readLog = async () => {
    for (let after: string | null = [...wanted].at(-1) ?? null; ; ) {
      const page = await client.events.list({ limit: 100, ...(after && { after }) });
      for (const { id, created_at } of page.events) if (created_at >= since) wanted.add(id);
      after = page.next_cursor;
      if (page.events.length === 0) return;
    }
  };
  const since = (await client.inboxes.list()).inboxes[0]?.created_at ?? '';
  const missing = async () => {
    await readLog();
    return [...wanted].filter((id) => !byEvent.has(id));
  };
  await eventually('all to be taken', async () => (await missing()).length === 0, {
    withinMs: trial.control ? 15_000 : 90_000,
    pauseMs: 1_000,
  }).catch(() => {});
  const never = await missing();
  const twice = [...byEvent].filter(([, times]) => times > 1);
  trial.figure('events', wanted.size);
  trial.invariant(lost, never.length, { exactly: 0 }, never);
  trial.figure('posts in flight at kills', inFlight);
  trial.invariant(
    'events taken more than once',
    twice.length,
    { most: inFlight },
    twice.map(([id]) => id),
  );
}

async function checkSignatures(trial: Trial, receiver: WebhookReceiver, secret: string): Promise<void> {
  const verifier = new StandardWebhook(secret);
  const wrong = receiver.requests.filter(({ body, headers, event }) => {
    try {
      verifier.verify(body, { ...headers, 'webhook-timestamp': headers['webhook-timestamp'] ?? '' });
      return headers['webhook-id'] !== event.id;
    } catch {
      return true;
    }
  });
  trial.figure('posts', receiver.requests.length);
  trial.invariant(
    'posts whose signature or id is wrong',
    wrong.length,
    { exactly: 0 },
    wrong.map(({ event }) => event.id),
  );
}

async function checkDeleted(
  trial: Trial,
  {
    servers,
    receiver,
    webhookId,
    address,
  }: { servers: ServerProcess[]; receiver: WebhookReceiver; webhookId: string; address: string },
): Promise<void> {
  const load = startLoad({
    port: (session) => servers[session % servers.length]!.smtpPort,
    to: address,
    sessions: 4,
    mails: madeUpMails('deleted', address),
  });
  const before = receiver.requests.length;
  await eventually('some posts', async () => receiver.requests.length >= before + postsFirst, { pauseMs: 5 });
  const askedAt = performance.now();
  await servers[0]!.client.webhooks.delete(webhookId);
  const deletedAt = performance.now();
  await sleep(watchMs);
  await load.stop();
  const late = receiver.requests.filter(({ at }) => at > deletedAt);
  trial.figure('posts after the deletion', late.length);
  const lastMs = Math.round(Math.max(0, ...late.map(({ at }) => at - deletedAt)));
  // The time of the deletion itself tells how busy the machine is.
  const most = Math.round(1_000 + 20 * (deletedAt - askedAt));
  trial.invariant('milliseconds from the deletion to the last post', lastMs, { most });
}
