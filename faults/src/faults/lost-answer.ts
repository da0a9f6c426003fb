import { madeUpMails } from '@postrider/testkit/smtp/steady-intake.ts';
import type { Fault } from '../fault.ts';
import { startLoad } from '../intake-load.ts';
import { checkStored, invariants } from '../invariants.ts';
import { startSmtpProxy } from '../smtp-proxy.ts';
import { openSubject, type Subject } from '../subject.ts';
import type { Trial } from '../trial.ts';

const sessions = 5;
const triesMax = 10;

export const lostAnswer: Fault = {
  name: 'lost-answer',
  about:
    'a proxy that cuts the connection instead of passing the final 250 on; the sender repeats the same bytes',
  times: { postgres: 200, own: 200 },
  control: {
    about: 'a sender whose repetition has other bytes',
    breaks: [invariants.storedTwice],
    times: 50,
  },
  run: async (trial) => {
    const subject = await openSubject(trial);
    try {
      await repeatUntilAnswered(trial, subject);
    } finally {
      await subject.close();
    }
  },
};

async function repeatUntilAnswered(trial: Trial, { home }: Subject): Promise<void> {
  const server = await home.start();
  const { id, address } = await server.client.inboxes.create({ local_part: 'intake' });
  let lost = 0;
  const dropFinal = () => {
    const isLost = trial.random() < 0.5;
    if (isLost) lost++;
    return isLost;
  };
  const proxy = await startSmtpProxy(() => server.smtpPort, { dropFinal });
  const mails = [];
  let waiting = [...madeUpMails('lost', address).take(trial.times)];
  for (let attempt = 1; waiting.length > 0 && attempt <= triesMax; attempt++) {
    const port = () => (attempt < triesMax ? proxy.port : server.smtpPort);
    const load = startLoad({ port, to: address, sessions, mails: waiting });
    await load.ended;
    mails.push(...load.mails.filter(({ code }) => code !== null));
    const unanswered = load.mails.filter(({ code }) => code === null);
    waiting = trial.control ? unanswered.map((mail) => ({ ...mail, raw: changed(mail.raw) })) : unanswered;
    trial.progress(`attempt ${attempt}: ${waiting.length} of ${trial.times} without an answer`);
  }
  trial.figure('answers lost', lost);
  await checkStored(trial, { client: server.client, inboxId: id, mails, sample: trial.times });
  await proxy.close();
  await server.stop();
}

function changed(raw: Buffer): Buffer {
  return Buffer.concat([Buffer.from('X-Attempt: another\r\n'), raw]);
}
