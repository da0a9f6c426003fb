import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { madeUpMails } from '@postrider/testkit/smtp/steady-intake.ts';
import { type EventFollower, type FollowPlan, followByRequests, followBySocket } from '../event-followers.ts';
import type { Fault } from '../fault.ts';
import { type FlakyReceiver, startFlakyReceiver } from '../flaky-receiver.ts';
import { type SentMail, startLoad } from '../intake-load.ts';
import { openSubject, type Subject } from '../subject.ts';
import type { Trial } from '../trial.ts';

/** The number of mails per kill of a process. */
const mailsPerKill = 4_000;
const sessions = 12;
const socketCount = 6;
const followerCount = 3;
const receiverCount = 3;
/** The factor by which the waits of retries, and of mail that a killed process left, are shorter. */
const timeScale = '30';
const completeMsMax = 300_000;
/** A follower or receiver that got nothing for this time will get nothing more. It is longer than the wait of the fourth retry. */
const stillMs = 40_000;

const names = {
  missed: (kind: string) => `events that a ${kind} missed`,
  twice: (kind: string) => `events that a ${kind} had twice`,
  unordered: (kind: string) => `events that a ${kind} had out of order`,
  unrecorded: 'acknowledged mails without an event',
  recordedTwice: 'mails with two events',
  undelivered: 'events that a webhook receiver never had',
};

export const eventSoak: Fault = {
  name: 'event-soak',
  about:
    'two servers on one Postgres take mail in and one is killed in turn, while sockets drop and resume, readers of the log follow and webhook receivers fail',
  times: { postgres: 5 },
  control: {
    about: 'sockets that resume without `after`, and readers that take ids for the order of the log',
    breaks: [names.missed('socket'), names.missed('follower')],
    times: 1,
  },
  run: async (trial) => {
    const env = { POSTRIDER_TIME_SCALE: timeScale, POSTRIDER_WEBHOOK_ALLOW_PRIVATE: 'true' };
    const subject = await openSubject(trial, { env });
    try {
      const servers = [await subject.home.start(), await subject.home.start()];
      await soak(trial, subject, servers);
      await Promise.all(servers.map((server) => server.stop()));
    } finally {
      await subject.close();
    }
  },
};

async function soak(trial: Trial, { home }: Subject, servers: ServerProcess[]): Promise<void> {
  const [first] = servers as [ServerProcess];
  const { id, address } = await first.client.inboxes.create({ local_part: 'soak' });
  await first.client.messages.send({ inbox_id: id, to: ['ada@remote.example'], subject: 'The first event' });
  const from = await eventually('an event', async () => (await first.client.events.list()).next_cursor);
  const receivers = await openReceivers(trial, first);
  const followers = openFollowers(trial, servers, home.key, from);
  const mails = await sendAndKill(trial, servers, address, () => home.start());
  const log = await completeLog(trial, servers, from, mails);
  await settle(followers, receivers, log.length);
  await Promise.all(followers.map((follower) => follower.stop()));
  await Promise.all(receivers.map((receiver) => receiver.close()));
  for (const follower of followers) judgeFollower(trial, follower, log);
  for (const receiver of receivers) judgeReceiver(trial, receiver, log);
}

/** Opens receivers, each with its own webhook. */
async function openReceivers(trial: Trial, { client }: ServerProcess): Promise<FlakyReceiver[]> {
  const receivers: FlakyReceiver[] = [];
  for (let number = 0; number < receiverCount; number++) {
    const receiver = await startFlakyReceiver(trial.random);
    await client.webhooks.create({ url: receiver.url, events: ['message.received'] });
    receivers.push(receiver);
  }
  trial.figure('webhook receivers', receivers.length);
  return receivers;
}

function openFollowers(trial: Trial, servers: ServerProcess[], key: string, from: string): EventFollower[] {
  const plan = (name: string): FollowPlan => ({
    name,
    server: () => servers[Math.floor(trial.random() * servers.length)]!,
    key,
    from,
    random: trial.random,
    isBad: trial.control,
  });
  return [
    ...Array.from({ length: socketCount }, (_, number) => followBySocket(plan(`socket ${number}`))),
    ...Array.from({ length: followerCount }, (_, number) => followByRequests(plan(`follower ${number}`))),
  ];
}

/** Sends mails during the kills, and repeats those without a 250. Returns the acknowledged ones. */
async function sendAndKill(
  trial: Trial,
  servers: ServerProcess[],
  to: string,
  start: () => Promise<ServerProcess>,
): Promise<SentMail[]> {
  const all = madeUpMails('soak', to).take(trial.times * mailsPerKill);
  const load = startLoad({ port: (session) => servers[session % 2]!.smtpPort, to, sessions, mails: all });
  for (let kill = 1; kill <= trial.times; kill++) {
    const moment = Math.floor((kill - 1 + 0.2 + trial.random() * 0.6) * mailsPerKill);
    await eventually('mail', async () => load.mails.length >= moment, { pauseMs: 5 });
    await servers[kill % 2]!.crash();
    await sleep(trial.random() * 2_000);
    servers[kill % 2] = await start();
    trial.count('kills');
    trial.progress(`kill ${kill} of ${trial.times}, ${load.acknowledged()} acknowledged`);
  }
  await load.ended;
  const done = load.mails.filter(({ code }) => code === 250);
  const open = load.mails.filter(({ code }) => code !== 250);
  const again = startLoad({
    port: (session) => servers[session % 2]!.smtpPort,
    to,
    sessions: 2,
    mails: open,
  });
  await again.ended;
  return [...done, ...again.mails.filter(({ code }) => code === 250)];
}

/** Returns the log of the API once it has an event for each acknowledged mail, or has stopped growing. */
async function completeLog(
  trial: Trial,
  servers: ServerProcess[],
  from: string,
  mails: SentMail[],
): Promise<string[]> {
  const { client } = servers[0]!;
  const log: string[] = [];
  const events = new Map<string, number>();
  const wanted = new Set(mails.map(({ messageId }) => messageId));
  const until = performance.now() + completeMsMax;
  for (let after = from, grownMs = performance.now(); ; ) {
    const page = await client.events.list({ after, limit: 100, wait_seconds: 2 });
    for (const { id, message } of page.events) {
      log.push(id);
      events.set(message?.message_id ?? '', (events.get(message?.message_id ?? '') ?? 0) + 1);
    }
    after = page.next_cursor ?? after;
    if (page.events.length > 0) grownMs = performance.now();
    const isComplete = events.size >= wanted.size && page.events.length === 0;
    if (isComplete || performance.now() > Math.min(until, grownMs + stillMs)) break;
  }
  const unrecorded = [...wanted].filter((id) => !events.has(id));
  const twice = [...events].filter(([, count]) => count > 1).map(([id]) => id);
  trial.figure('mails acknowledged', wanted.size);
  trial.figure('events', log.length);
  trial.invariant(names.unrecorded, unrecorded.length, { exactly: 0 }, unrecorded);
  trial.invariant(names.recordedTwice, twice.length, { exactly: 0 }, twice);
  return log;
}

/** Waits until all followers and receivers have the whole log, or none gets any more of it. */
async function settle(followers: EventFollower[], receivers: FlakyReceiver[], wanted: number): Promise<void> {
  const counts = () => [...followers.map(({ ids }) => ids.length), ...receivers.map(({ ids }) => ids.size)];
  let before = '';
  for (let grownMs = performance.now(); performance.now() - grownMs < stillMs; await sleep(500)) {
    if (counts().every((count) => count >= wanted)) return;
    if (counts().join() !== before) grownMs = performance.now();
    before = counts().join();
  }
}

function judgeFollower(trial: Trial, { kind, name, ids, breaks }: EventFollower, log: string[]): void {
  const places = new Map(log.map((id, place) => [id, place]));
  const had = new Set(ids);
  const missed = log.filter((id) => !had.has(id));
  const unordered = ids.filter((id, at) => at > 0 && places.get(id)! < places.get(ids[at - 1]!)!);
  const none = { exactly: 0 };
  trial.count(`${kind}s`);
  trial.count(`breaks of ${kind}s`, breaks);
  trial.progress(`${name}: ${ids.length} of ${log.length} events over ${breaks} breaks`);
  trial.invariant(names.missed(kind), missed.length, none, missed);
  trial.invariant(names.twice(kind), ids.length - had.size, none);
  trial.invariant(names.unordered(kind), unordered.length, none, unordered);
}

function judgeReceiver(trial: Trial, receiver: FlakyReceiver, log: string[]): void {
  const missed = log.filter((id) => !receiver.ids.has(id));
  trial.count('requests to webhook receivers', receiver.requests);
  trial.count('of them failed', receiver.failures);
  trial.invariant(names.undelivered, missed.length, { exactly: 0 }, missed);
}
