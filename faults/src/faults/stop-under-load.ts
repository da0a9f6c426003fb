import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { type MadeMail, madeUpMails } from '@postrider/testkit/smtp/steady-intake.ts';
import type { Fault } from '../fault.ts';
import { type SentMail, startLoad } from '../intake-load.ts';
import { checkStored } from '../invariants.ts';
import { openSubject, type Subject } from '../subject.ts';
import type { Trial } from '../trial.ts';

const sessions = 10;
const acknowledgedFirst = 50;
/** Besides as much time as the server takes to start, which tells how fast the machine is. */
const exitMsMax = 10_000;
const openAnswers = 'open messages answered neither 250 nor 421';

export const stopUnderLoad: Fault = {
  name: 'stop-under-load',
  about: 'SIGTERM while 10 sessions hand mail in and one is in the middle of a message',
  times: { postgres: 10, own: 10 },
  control: {
    about: 'a server that ends at once when it is told to stop',
    breaks: [openAnswers],
    times: 3,
  },
  run: async (trial) => {
    const subject = await openSubject(trial);
    try {
      await stopRepeatedly(trial, subject);
    } finally {
      await subject.close();
    }
  },
};

async function stopRepeatedly(trial: Trial, { home }: Subject): Promise<void> {
  const mails: SentMail[] = [];
  const wrongAnswers: string[] = [];
  let slowestMs = 0;
  let badExits = 0;
  const startedMs = performance.now();
  let server = await home.start();
  const startMs = performance.now() - startedMs;
  const { id, address } = await server.client.inboxes.create({ local_part: 'intake' });
  for (let stop = 1; stop <= trial.times; stop++) {
    const { smtpPort } = server;
    const [half] = madeUpMails(`open-${stop}`, address).take(1);
    const open = await beginMessage(smtpPort, address, half!);
    const load = startLoad({
      port: () => smtpPort,
      to: address,
      sessions,
      mails: madeUpMails(`stop-${stop}`, address),
    });
    await eventually('some mail', async () => load.acknowledged() >= acknowledgedFirst, { pauseMs: 5 });
    await sleep(trial.random() * 200);
    const stopping = end(trial, server);
    await sleep(trial.random() * 500);
    const code = await open.finish();
    trial.count(`open message answered ${code ?? 'nothing'}`);
    if (code !== 250 && code !== 421) wrongAnswers.push(String(code));
    const { code: exitCode, tookMs } = await stopping;
    if (exitCode !== 0) badExits++;
    slowestMs = Math.max(slowestMs, tookMs);
    await load.stop();
    mails.push(...load.mails, { ...half!, code, at: 0, tookMs: 0 });
    trial.count('stops');
    trial.progress(`stop ${stop} of ${trial.times} took ${Math.round(tookMs)} ms`);
    server = await home.start();
  }
  trial.invariant('slowest exit in ms', Math.round(slowestMs), { most: Math.round(exitMsMax + startMs) });
  trial.invariant('exits with another code than 0', badExits, { exactly: 0 });
  trial.invariant(openAnswers, wrongAnswers.length, { exactly: 0 }, wrongAnswers);
  await checkStored(trial, { client: server.client, inboxId: id, mails, sample: 100 });
  await server.stop();
}

async function end(trial: Trial, server: ServerProcess) {
  if (!trial.control) return server.stop();
  const from = performance.now();
  return { ...(await server.crash()), tookMs: performance.now() - from };
}

/** Sends half of a message. `finish` sends the rest and returns the code of the reply, or null if there is none. */
async function beginMessage(port: number, to: string, { raw }: MadeMail) {
  const client = await RawSmtpClient.greet(port);
  await client.codes('MAIL FROM:<ada@sender.example>', `RCPT TO:<${to}>`, 'DATA');
  const middle = Math.floor(raw.length / 2);
  client.write(raw.subarray(0, middle));
  return {
    finish: async (): Promise<number | null> => {
      client.write(Buffer.concat([raw.subarray(middle), Buffer.from('.\r\n')]));
      try {
        return (await client.reply()).code;
      } catch {
        return null;
      } finally {
        client.destroy();
      }
    },
  };
}
