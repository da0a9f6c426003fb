import { setTimeout as sleep } from 'node:timers/promises';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import { type MadeMail, madeUpMails } from '@postrider/testkit/smtp/steady-intake.ts';
import { nowMs } from '../figures.ts';
import type { HonestClient } from './requests.ts';

/** A mail to the honest tenant. */
export interface HonestMail extends MadeMail {
  begunAt: number;
  /** The time of its 250; null before. */
  takenAt: number | null;
  /** The time when it was first seen in the list; null before. */
  listedAt: number | null;
  /** The replies other than 250, and broken connections. */
  refusals: string[];
}

/** Mail servers of strangers that send to the honest tenant, with a connection for each mail, and try again. */
export interface HonestMails {
  mails: HonestMail[];
  /** Begins no more mails, and waits for those under way, at most `waitMs`. */
  stop(waitMs: number): Promise<void>;
}

const everyMs = 400;
/** The number of servers that mail comes from. Each may open 300 connections a minute. */
const servers = 16;
const retryMs = 500;
const replyMsMax = 15_000;
const lookMs = 50;

/** Starts to send to an inbox, and to watch when each mail is listed. */
export function startHonestMails(client: HonestClient, inbox: { id: string; address: string }): HonestMails {
  const mails: HonestMail[] = [];
  const made = madeUpMails(`honest-${nowMs()}`, inbox.address)[Symbol.iterator]();
  const state = { isOver: false, givesUp: false };
  const open = new Set<Promise<void>>();
  const timer = setInterval(() => {
    const next = made.next();
    if (next.done) return;
    const mail: HonestMail = { ...next.value, begunAt: nowMs(), takenAt: null, listedAt: null, refusals: [] };
    mails.push(mail);
    const from = `127.1.0.${1 + (mails.length % servers)}`;
    const sending = sendUntilTaken(client, from, inbox.address, mail, () => state.givesUp);
    open.add(sending);
    void sending.finally(() => open.delete(sending));
  }, everyMs);
  const watching = watchList(client, inbox.id, mails, () => state.isOver);
  const stop = async (waitMs: number) => {
    clearInterval(timer);
    const until = performance.now() + waitMs;
    const isDone = () => mails.every(({ takenAt, listedAt }) => takenAt !== null && listedAt !== null);
    while (!isDone() && performance.now() < until) await sleep(lookMs);
    state.isOver = true;
    state.givesUp = true;
    await Promise.all([watching, ...open]);
  };
  return { mails, stop };
}

async function sendUntilTaken(
  client: HonestClient,
  from: string,
  to: string,
  mail: HonestMail,
  givesUp: () => boolean,
): Promise<void> {
  while (!givesUp()) {
    const refusal = await sendOnce(client.target().smtpPort, from, to, mail).catch((error: unknown) =>
      String(error),
    );
    if (refusal === null) {
      mail.takenAt = nowMs();
      return;
    }
    mail.refusals.push(refusal.slice(0, 80));
    await sleep(retryMs);
  }
}

/** Sends a mail over a new connection. Returns null if it was accepted, otherwise the reply. */
async function sendOnce(port: number, from: string, to: string, { raw }: MadeMail): Promise<string | null> {
  const client = await RawSmtpClient.connect(port, replyMsMax, from);
  try {
    const greeting = await client.reply();
    if (greeting.code !== 220) return greeting.lines.join(' ');
    for (const line of ['EHLO sender.example', 'MAIL FROM:<ada@sender.example>', `RCPT TO:<${to}>`, 'DATA']) {
      const { code, lines } = await client.command(line);
      if (code >= 400) return lines.join(' ');
    }
    client.write(raw);
    client.write('.\r\n');
    const { code, lines } = await client.reply();
    return code === 250 ? null : lines.join(' ');
  } finally {
    client.destroy();
  }
}

/** Reads the list while there is an accepted mail that has not been seen in it. */
async function watchList(
  client: HonestClient,
  inboxId: string,
  mails: HonestMail[],
  isOver: () => boolean,
): Promise<void> {
  let settled = 0;
  while (!isOver()) {
    while (mails[settled]?.listedAt) settled += 1;
    const missing = new Map(
      mails
        .slice(settled)
        .flatMap((mail) => (mail.takenAt && !mail.listedAt ? [[mail.messageId, mail]] : [])),
    );
    let cursor: unknown = null;
    do {
      if (missing.size === 0 || isOver()) break;
      const more = cursor === null ? '' : `&cursor=${encodeURIComponent(String(cursor))}`;
      const { status, body } = await client.request('GET', `/messages?inbox_id=${inboxId}&limit=50${more}`);
      if (status !== 200) break;
      for (const { message_id } of body.messages as { message_id: string }[]) {
        const mail = missing.get(message_id);
        if (mail) mail.listedAt = nowMs();
        missing.delete(message_id);
      }
      cursor = body.next_cursor;
    } while (cursor !== null);
    await sleep(lookMs);
  }
}
