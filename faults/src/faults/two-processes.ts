import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { madeUpMails } from '@postrider/testkit/smtp/steady-intake.ts';
import type { Fault } from '../fault.ts';
import { median, round2 } from '../idle-connections.ts';
import { type SentMail, startLoad } from '../intake-load.ts';
import { checkStored, invariants } from '../invariants.ts';
import { startSmtpProxy } from '../smtp-proxy.ts';
import { openSubject, type Subject } from '../subject.ts';
import type { Trial } from '../trial.ts';

const sessions = 20;
const acknowledgedFirst = 60;
const momentMsMax = 300;
const throughputRounds = 7;
const throughputMs = 4_000;

export const twoProcesses: Fault = {
  name: 'two-processes',
  about:
    'two servers on one Postgres and one folder of files take mail in, and one is killed in turn; then both are measured against one',
  times: { postgres: 20 },
  control: {
    about: 'a proxy before each server that answers 250 first',
    breaks: [invariants.acknowledgedMissing],
    times: 4,
  },
  run: async (trial) => {
    const subject = await openSubject(trial);
    try {
      const servers = [await subject.home.start(), await subject.home.start()];
      await killInTurn(trial, subject, servers);
      if (!trial.control) await compareThroughput(trial, servers);
      await Promise.all(servers.map((server) => server.stop()));
    } finally {
      await subject.close();
    }
  },
};

async function killInTurn(trial: Trial, { home }: Subject, servers: ServerProcess[]): Promise<void> {
  const { id, address } = await servers[0]!.client.inboxes.create({ local_part: 'intake' });
  const proxies = await Promise.all(
    servers.map((_, index) =>
      startSmtpProxy(() => servers[index]!.smtpPort, { acknowledgeEarly: trial.control }),
    ),
  );
  const load = startLoad({
    port: (session) => proxies[session % proxies.length]!.port,
    to: address,
    sessions,
    mails: madeUpMails('two', address),
  });
  for (let kill = 1; kill <= trial.times; kill++) {
    const before = load.acknowledged();
    await eventually('some mail', async () => load.acknowledged() >= before + acknowledgedFirst, {
      pauseMs: 5,
    });
    await sleep(trial.random() * momentMsMax);
    await servers[kill % 2]!.crash();
    servers[kill % 2] = await home.start();
    trial.count('kills');
    trial.progress(`kill ${kill} of ${trial.times}, ${load.acknowledged()} acknowledged`);
  }
  await load.stop();
  await Promise.all(proxies.map((proxy) => proxy.close()));
  const again = await sendAgain(
    servers,
    address,
    load.mails.filter(({ code }) => code === null),
  );
  const mails = [...load.mails.filter(({ code }) => code !== null), ...again];
  await checkStored(trial, { client: servers[0]!.client, inboxId: id, mails, sample: 200 });
}

/** Sends the mails without a reply again. Either server may get them. */
async function sendAgain(servers: ServerProcess[], to: string, mails: SentMail[]): Promise<SentMail[]> {
  const again = startLoad({ port: (session) => servers[session % 2]!.smtpPort, to, sessions: 2, mails });
  await again.ended;
  return again.mails;
}

/** Compares the mails per second into one server with those into both, in turn, with the same number of sessions in total. */
async function compareThroughput(trial: Trial, servers: ServerProcess[]): Promise<void> {
  const { address } = await servers[0]!.client.inboxes.create({ local_part: 'throughput' });
  let run = 0;
  const rate = async (count: number): Promise<number> => {
    const mails = madeUpMails(`rate-${run++}`, address);
    const port = (session: number) => servers[session % count]!.smtpPort;
    const load = startLoad({ port, to: address, sessions, mails });
    await sleep(throughputMs / 4);
    const [from, before] = [performance.now(), load.acknowledged()];
    await sleep(throughputMs);
    const perSecond = ((load.acknowledged() - before) * 1_000) / (performance.now() - from);
    await load.stop();
    return perSecond;
  };
  await rate(2);
  const pairs: { one: number; two: number }[] = [];
  for (let round = 0; round < throughputRounds; round++)
    pairs.push({ one: await rate(1), two: await rate(2) });
  const ratios = pairs.map(({ one, two }) => two / one);
  trial.figure('mails a second into one', Math.round(median(pairs.map(({ one }) => one))));
  trial.figure('mails a second into two', Math.round(median(pairs.map(({ two }) => two))));
  trial.figure('throughput ratio, least', round2(Math.min(...ratios)));
  trial.figure('throughput ratio, most', round2(Math.max(...ratios)));
  trial.invariant('throughput of two over one, median', median(ratios), { least: 1 });
}
