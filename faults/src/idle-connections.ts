import type { ServerProcess } from '@postrider/testkit/servers/server-process.ts';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { madeUpMails } from '@postrider/testkit/smtp/steady-intake.ts';
import { isAcknowledged, startLoad } from './intake-load.ts';
import type { Trial } from './trial.ts';

const idleCount = 500;
const rounds = 7;
const mailsEach = 400;
const sessions = 5;
const ratioMax = 2;

/** Compares how long mails take with and without idle connections open, in turn. */
export async function compareIdle(trial: Trial, server: ServerProcess): Promise<void> {
  const inbox = await server.client.inboxes.create({ local_part: 'idle' });
  let measured = 0;
  const p99 = async (): Promise<number> => {
    const mails = madeUpMails(`idle-${measured++}`, inbox.address).take(mailsEach);
    const load = startLoad({ port: () => server.smtpPort, to: inbox.address, sessions, mails });
    await load.ended;
    trial.count(
      'mails beside idle connections refused',
      load.mails.filter((mail) => !isAcknowledged(mail)).length,
    );
    const times = load.mails.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
    return times[Math.floor(times.length * 0.99)] ?? 0;
  };
  await p99();
  const pairs: { alone: number; beside: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const alone = await p99();
    const idle = await Promise.all(
      Array.from({ length: idleCount }, () => RawSmtpClient.greet(server.smtpPort)),
    );
    pairs.push({ alone, beside: await p99() });
    for (const client of idle) client.destroy();
  }
  trial.figure('p99 alone in ms', median(pairs.map(({ alone }) => alone)));
  trial.figure('p99 beside 500 idle connections in ms', median(pairs.map(({ beside }) => beside)));
  const ratios = pairs.map(({ alone, beside }) => beside / alone);
  trial.figure('p99 ratio, least', round2(Math.min(...ratios)));
  trial.figure('p99 ratio, most', round2(Math.max(...ratios)));
  trial.invariant('p99 ratio, median', round2(median(ratios)), { most: ratioMax });
}

/** Returns the median, rounded to hundredths. */
export function median(values: number[]): number {
  return round2(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);
}

/** Rounds to hundredths. */
export function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
