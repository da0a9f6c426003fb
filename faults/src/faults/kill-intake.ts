import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { madeUpMails } from '@postrider/testkit/smtp/steady-intake.ts';
import type { Fault } from '../fault.ts';
import { isAcknowledged, type SentMail, startLoad } from '../intake-load.ts';
import { checkStored, invariants } from '../invariants.ts';
import { startSmtpProxy } from '../smtp-proxy.ts';
import { openSubject, type Subject } from '../subject.ts';
import type { Trial } from '../trial.ts';

const sessions = 20;
const acknowledgedFirst = 60;
const momentMsMax = 300;

export const killIntake: Fault = {
  name: 'kill-intake',
  about: 'kill -9 of the server while 20 sessions hand mail in',
  times: { postgres: 50, own: 20 },
  control: {
    about: 'a proxy that answers 250 before the server does',
    breaks: [invariants.acknowledgedMissing],
    times: 3,
  },
  run: async (trial) => {
    const subject = await openSubject(trial);
    try {
      await killWhileReceiving(trial, subject);
    } finally {
      await subject.close();
    }
  },
};

async function killWhileReceiving(trial: Trial, { home }: Subject): Promise<void> {
  let server = await home.start();
  const { id, address } = await server.client.inboxes.create({ local_part: 'intake' });
  const meddling = { acknowledgeEarly: true };
  const proxy = trial.control ? await startSmtpProxy(() => server.smtpPort, meddling) : null;
  const mails: SentMail[] = [];
  const begin = (run: string) => {
    const port = () => proxy?.port ?? server.smtpPort;
    return startLoad({ port, to: address, sessions, mails: madeUpMails(run, address) });
  };
  for (let kill = 1; kill <= trial.times; kill++) {
    const load = begin(`kill-${kill}`);
    await eventually('some mail', async () => load.acknowledged() >= acknowledgedFirst, { pauseMs: 5 });
    await sleep(trial.random() * momentMsMax);
    await server.crash();
    await load.stop();
    mails.push(...load.mails);
    trial.count('kills');
    trial.progress(`kill ${kill} of ${trial.times}, ${mails.filter(isAcknowledged).length} acknowledged`);
    server = await home.start();
  }
  await proxy?.close();
  const unanswered = mails.filter(({ code }) => code === null);
  trial.figure('mails without an answer', unanswered.length);
  const again = await sendAgain(server, address, unanswered);
  const all = [...mails.filter(({ code }) => code !== null), ...again];
  await checkStored(trial, { client: server.client, inboxId: id, mails: all, sample: 300 });
  await server.stop();
}

/** Sends the mails without a reply again, as senders do. Those that had been stored are recognised, and the others are stored now. */
async function sendAgain(server: ServerProcess, to: string, unanswered: SentMail[]): Promise<SentMail[]> {
  const again = startLoad({ port: () => server.smtpPort, to, sessions: 2, mails: unanswered });
  await again.ended;
  return again.mails;
}
