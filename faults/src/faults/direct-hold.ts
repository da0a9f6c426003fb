import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { checkDirect, directInvariants, type SentDirect } from '../check-direct.ts';
import { type Receiver, type Receivers, startReceivers } from '../direct-destinations.ts';
import type { Fault } from '../fault.ts';
import { median, round2 } from '../idle-connections.ts';
import { postMessage } from '../post-message.ts';
import { openSubject, type Subject } from '../subject.ts';
import type { Trial } from '../trial.ts';

const mailsPerSecond = 50;
const minutesDefault = 10;
const callsAtOnceMax = 400;
const rateRounds = 3;
const rateMails = 150;
const rateCallers = 8;
const aroundPerSecond = 15;
const rateLeast = 0.8;

export const directHold: Fault = {
  name: 'direct-hold',
  about:
    '50 mails a second without a relay to 40 destinations that greylist, drop, defer, refuse, hang or are dead, from two servers on one Postgres that are killed in turn',
  times: { postgres: 5 },
  control: {
    about: 'one lane of connections for all destinations',
    breaks: [directInvariants.wrongServer],
    times: 1,
  },
  run: async (trial) => {
    const receivers = await startReceivers();
    const preload = new URL('../preload-one-lane.ts', import.meta.url);
    const control = { NODE_OPTIONS: `--import ${preload.href}` };
    const subject = await openSubject(trial, {
      env: { ...receivers.env, ...(trial.control ? control : {}) },
    });
    try {
      await hold(trial, subject, receivers);
    } finally {
      await subject.close();
      await receivers.close();
    }
  },
};

async function hold(trial: Trial, { home }: Subject, receivers: Receivers): Promise<void> {
  const sent: SentDirect[] = [];
  if (!trial.control) {
    // Time runs as usual here: 60 times as many retries would cost the machine more than the dead ones do.
    const server = await home.start({ POSTRIDER_TIME_SCALE: '1' });
    const { id } = await server.client.inboxes.create({ local_part: 'rates' });
    await compareRates({ trial, servers: [server], key: home.key, inboxId: id, receivers }, sent);
    await server.stop();
  }
  const servers = [await home.start(), await home.start()];
  const inbox = await servers[0]!.client.inboxes.create({ local_part: 'sender' });
  const desk = { trial, servers, key: home.key, inboxId: inbox.id, receivers };
  const minutes = trial.minutes ?? (trial.control ? 0.5 : minutesDefault);
  const load = startLoad(desk, { to: receivers.all, perSecond: mailsPerSecond, sent });
  const betweenMs = (minutes * 60_000) / (trial.times + 1);
  for (let kill = 1; kill <= trial.times; kill++) {
    await sleep(betweenMs * (0.75 + trial.random() / 2));
    await servers[kill % 2]!.crash();
    servers[kill % 2] = await home.start();
    trial.count('kills');
    trial.progress(`kill ${kill} of ${trial.times}, ${sent.length} messages`);
  }
  await sleep(betweenMs);
  await load.stop();
  trial.figure('messages', sent.length);
  trial.figure('calls put off, because many were open', load.skipped());
  await checkDirect(trial, servers[0]!.client, sent, receivers.all);
  await Promise.all(servers.map((server) => server.stop()));
}

interface Desk {
  trial: Trial;
  servers: ServerProcess[];
  key: string;
  inboxId: string;
  receivers: Receivers;
}

let calls = 0;

/** Sends one message, and repeats the call at the other server until there is a response. */
async function call(desk: Desk, receiver: Receiver, sent: SentDirect[]): Promise<void> {
  const { trial, servers, key, inboxId, receivers } = desk;
  const number = ++calls;
  const recipient = `to-${number}@${receiver.domain}`;
  receivers.expect(receiver, recipient, trial.random);
  const body = {
    inbox_id: inboxId,
    to: [recipient],
    subject: `Call ${number}`,
    text: 'A line.\n',
    client_id: `call-${number}`,
  };
  for (let attempt = 0; ; attempt++) {
    const answer = await postMessage(servers[(number + attempt) % servers.length]!.url, key, body);
    if (answer?.id) {
      sent.push({ id: answer.id, recipient, receiver });
      return;
    }
    trial.count('calls repeated');
    await sleep(100);
  }
}

/** Starts a steady load to random receivers. While many calls are open, no more are begun. */
function startLoad(
  desk: Desk,
  { to, perSecond, sent }: { to: Receiver[]; perSecond: number; sent: SentDirect[] },
) {
  const underway = new Set<Promise<void>>();
  let skipped = 0;
  const timer = setInterval(() => {
    if (underway.size >= callsAtOnceMax) {
      skipped++;
      return;
    }
    const receiver = to[Math.floor(desk.trial.random() * to.length)]!;
    const one = call(desk, receiver, sent).finally(() => underway.delete(one));
    underway.add(one);
  }, 1_000 / perSecond);
  return {
    skipped: () => skipped,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(underway);
    },
  };
}

/** Compares the rate to one healthy destination while others are dead or hang with that while all others are healthy. */
async function compareRates(desk: Desk, sent: SentDirect[]): Promise<void> {
  const { trial, receivers } = desk;
  const [target, ...healthy] = receivers.of('healthy');
  const rate = async (around: Receiver[]) => {
    const load = startLoad(desk, { to: around, perSecond: aroundPerSecond, sent });
    await sleep(2_000);
    const before = target!.sink!.messages.length;
    const from = performance.now();
    let left = rateMails;
    const caller = async () => {
      while (left-- > 0) await call(desk, target!, sent);
    };
    await Promise.all(Array.from({ length: rateCallers }, caller));
    await eventually('all copies', async () => target!.sink!.messages.length >= before + rateMails, {
      pauseMs: 5,
    });
    const perSecond = (rateMails * 1_000) / (performance.now() - from);
    await load.stop();
    return perSecond;
  };
  await rate(healthy);
  const pairs: { without: number; among: number }[] = [];
  for (let round = 0; round < rateRounds; round++)
    pairs.push({ without: await rate(healthy), among: await rate(receivers.of('dead', 'hang')) });
  const ratios = pairs.map(({ without, among }) => among / without);
  trial.figure('mails a second, others healthy', Math.round(median(pairs.map(({ without }) => without))));
  trial.figure('mails a second, others dead', Math.round(median(pairs.map(({ among }) => among))));
  trial.figure('ratio, least', round2(Math.min(...ratios)));
  trial.invariant(directInvariants.rate, round2(median(ratios)), { least: rateLeast });
}
