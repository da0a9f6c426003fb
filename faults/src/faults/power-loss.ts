import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  makeServerHome,
  type ServerHome,
  type ServerProcess,
} from '@postrider/testkit/servers/server-process.ts';
import { madeUpMails } from '@postrider/testkit/smtp/steady-intake.ts';
import type { Fault } from '../fault.ts';
import { isAcknowledged, type SentMail, startLoad } from '../intake-load.ts';
import { checkStored, invariants } from '../invariants.ts';
import { makeSnapshotDisk, type SnapshotDisk } from '../snapshot-disk.ts';
import type { Trial } from '../trial.ts';

const sessions = 20;
const acknowledgedFirst = 60;
const momentMsMax = 300;
const sendsMissing = 'acknowledged sends that are missing';

export const powerLoss: Fault = {
  name: 'power-loss',
  about:
    'what had reached the disk at one instant, while 20 sessions hand mail in and a caller sends, is started elsewhere',
  times: { own: 20 },
  control: {
    about: 'a database with fsync=off',
    breaks: [invariants.acknowledgedMissing],
    times: 3,
  },
  run: async (trial) => {
    const disk = makeSnapshotDisk();
    try {
      const home = await makeServerHome(
        { POSTRIDER_RATE_LIMITS: 'off' },
        { database: {}, parent: disk.folder },
      );
      try {
        if (trial.control) await leaveToSystem(home);
        for (let loss = 1; loss <= trial.times; loss++) await losePower(trial, disk, home, loss);
      } finally {
        await home.remove();
      }
    } finally {
      disk.remove();
    }
  },
};

/** Has the database say that something is on the disk as soon as the system has it. */
async function leaveToSystem({ dataDir }: ServerHome): Promise<void> {
  await mkdir(join(dataDir, 'postgres'), { mode: 0o700 });
  await writeFile(join(dataDir, 'postgres', 'settings.conf'), 'fsync = off\n');
}

async function losePower(trial: Trial, disk: SnapshotDisk, home: ServerHome, loss: number): Promise<void> {
  const server = await home.start();
  const inbox = await server.client.inboxes.create({ local_part: `intake-${loss}` });
  // Both inboxes are there after the loss, whatever the database does with mail.
  disk.flush();
  const mails = madeUpMails(`loss-${loss}`, inbox.address);
  const load = startLoad({ port: () => server.smtpPort, to: inbox.address, sessions, mails });
  const sender = await server.client.inboxes.create({ local_part: `sender-${loss}` });
  const sends = startSends(server, sender.id);
  await eventually('some mail', async () => load.acknowledged() >= acknowledgedFirst, { pauseMs: 5 });
  await sleep(trial.random() * momentMsMax);
  const before = new Set(load.mails.filter(isAcknowledged).map(({ messageId }) => messageId));
  const sent = [...sends.ids];
  const copy = disk.copy();
  await server.crash();
  await Promise.all([load.stop(), sends.stop()]);
  trial.progress(`loss ${loss} of ${trial.times}, ${before.size} acknowledged`);
  const there = await home.start({ POSTRIDER_DATA_DIR: join(copy.folder, basename(home.dataDir)) });
  // A mail that was acknowledged after the instant may be there or not.
  const known: SentMail[] = load.mails.map((mail) =>
    before.has(mail.messageId) ? mail : { ...mail, code: null },
  );
  await checkStored(trial, { client: there.client, inboxId: inbox.id, mails: known, sample: 50 });
  const missing = await findMissing(there, sent);
  trial.count('sends acknowledged', sent.length);
  trial.invariant(sendsMissing, missing.length, { exactly: 0 }, missing);
  await there.stop();
  copy.remove();
}

/** Sends one message after the other until it is stopped. `ids` are those that were acknowledged. */
function startSends({ client }: ServerProcess, inbox_id: string): { ids: string[]; stop(): Promise<void> } {
  const ids: string[] = [];
  let isOver = false;
  const run = async () => {
    while (!isOver) {
      const to = ['success@simulator.postrider.test'];
      const message = await client.messages
        .send({ inbox_id, to, subject: 'Kept', text: 'Kept.' })
        .catch(() => null);
      if (message) ids.push(message.id);
      else isOver = true;
    }
  };
  const running = run();
  return {
    ids,
    stop: async () => {
      isOver = true;
      await running;
    },
  };
}

async function findMissing({ client }: ServerProcess, ids: string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const id of ids) if (!(await client.messages.get(id).catch(() => null))) missing.push(id);
  return missing;
}
