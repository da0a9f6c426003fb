import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom } from '@postrider/testkit/lib/seeded-random.ts';
import { hostileMails } from '@postrider/testkit/mail/hostile-mail.ts';
import { createTransport } from 'nodemailer';
import { makeLargeMail, makeSmallMail } from '../load/made-mail.ts';
import { makeMessage } from '../load/message-body.ts';
import { type Goal, judge } from '../measure/goal.ts';
import { median } from '../measure/statistics.ts';
import { type Bench, type Group, inRounds } from '../run/group.ts';
import { sendRequests } from '../run/http-load.ts';
import { withProbe } from '../run/start-probe.ts';
import { startRelay } from '../run/start-relay.ts';
import { type Server, startServer } from '../run/start-server.ts';

/** About 10 MB once it is composed. */
const largeFileBytes = 7_000_000;
const limits = { unit: 'ms', better: 'lower', floor: 250, target: 50 } as const;
const goals = {
  hostile: {
    id: 'P18a',
    what: `longest wait for GET /inboxes while hostile mail comes in, each kind once`,
    ...limits,
  },
  large: { id: 'P18b', what: 'the same while a mail of 10 MB comes in', ...limits },
  sent: { id: 'P18c', what: 'the same while small messages and one of 10 MB are signed and sent', ...limits },
} satisfies Record<string, Goal>;

/** P18: how long one mail can keep all others waiting. */
export const stall: Group = async (bench) => {
  const settings = { POSTRIDER_LOG: 'error', ...(await startRelay(bench)).settings };
  const server = await startServer(bench, await bench.postgres.createDatabase(), settings);
  const send = openSender(bench, server);
  const mails = Object.entries(hostileMails).map(([name, make]) => ({ name, raw: make() }));
  const random = seededRandom(bench.seed);
  const large = joinMail(makeLargeMail(server.inbox.address, random));
  bench.progress('warming up');
  for (let mail = 0; mail < 200; mail++) await send(joinMail(makeSmallMail(server.inbox.address, random)));
  const rounds = await inRounds(bench, () =>
    withProbe(server, async (probe) => {
      await probe();
      await sleep((bench.seconds / 10) * 1_000);
      const quiet = await probe();
      let hostile = { name: '', waitMs: 0 };
      for (const { name, raw } of mails) {
        await send(raw);
        const waitMs = await probe();
        if (waitMs > hostile.waitMs) hostile = { name, waitMs };
      }
      await send(large);
      const largeMs = await probe();
      await sendMessages(server, bench.seconds / 10);
      const sentMs = await probe();
      bench.progress(
        `hostile ${hostile.waitMs.toFixed(0)} ms (${hostile.name}), 10 MB ${largeMs.toFixed(0)} ms, sent ${sentMs.toFixed(0)} ms, quiet ${quiet.toFixed(0)} ms`,
      );
      return { hostile: hostile.waitMs, large: largeMs, sent: sentMs, quiet };
    }),
  );
  const figures = (name: keyof (typeof rounds)[number]) => rounds.map((round) => ({ value: round[name] }));
  const quiet = median(rounds.map((round) => round.quiet)).toFixed(0);
  return [
    judge(goals.hostile, figures('hostile'), `${mails.length} kinds; ${quiet} ms while nothing comes in`),
    judge(goals.large, figures('large')),
    judge(goals.sent, figures('sent')),
  ];
};

let sent = 0;

/** Sends small messages from five callers for some time, and a large one meanwhile. */
async function sendMessages(server: Server, seconds: number): Promise<void> {
  const { origin, key, inbox, client } = server;
  const next = () => makeMessage(inbox.id, ++sent);
  await Promise.all([
    sendRequests({ origin, key, connections: 5, seconds, next }),
    client.messages.send({
      inbox_id: inbox.id,
      to: ['large@receiver.example'],
      subject: 'Large',
      text: 'A file.',
      attachments: [{ filename: 'large.bin', content: Buffer.alloc(largeFileBytes, 'large') }],
    }),
  ]);
}

/** Returns a function that sends a mail and waits for the reply to it, whatever that is. */
function openSender(bench: Bench, server: Server): (raw: Buffer) => Promise<void> {
  const transport = createTransport({
    host: '127.0.0.1',
    port: server.smtpPort,
    pool: true,
    maxConnections: 1,
    maxMessages: Number.POSITIVE_INFINITY,
    ignoreTLS: true,
    name: 'sender.example',
  });
  bench.atEnd(async () => transport.close());
  let count = 0;
  return async (raw) => {
    // The address of the sender differs, so that a mail is not taken for a redelivery.
    const envelope = { from: `a${++count}@sender.example`, to: server.inbox.address };
    await transport.sendMail({ envelope, raw }).catch((error: Error) => bench.progress(error.message));
  };
}

function joinMail({ head, tail }: { head: Buffer; tail: Buffer }): Buffer {
  return Buffer.concat([head, tail.subarray(0, -'\r\n.\r\n'.length)]);
}
