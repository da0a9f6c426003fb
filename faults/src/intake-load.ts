import { setTimeout as sleep } from 'node:timers/promises';
import { RawSmtpClient } from '@postrider/testkit/smtp/raw-smtp-client.ts';
import type { MadeMail } from '@postrider/testkit/smtp/steady-intake.ts';

/** A mail whose sending was begun, with the last reply to it. */
export interface SentMail extends MadeMail {
  /** Null while there is no reply, or if the connection broke before one. */
  code: number | null;
  /** The time of the reply, by `performance.now()`. */
  at: number;
  tookMs: number;
}

/** Senders that continue across broken connections until they are stopped or have nothing left. */
export interface IntakeLoad {
  mails: SentMail[];
  acknowledged(): number;
  /** Lets each mail under way finish. Resolves when they have. */
  stop(): Promise<void>;
  /** Resolves when every mail has been tried, for a load with an end. */
  ended: Promise<void>;
}

/** Describes the mails that are sent, and in how many sessions. */
export interface LoadPlan {
  /** Called for each connection, because a restarted server listens elsewhere. */
  port: (session: number) => number;
  to: string;
  sessions: number;
  mails: Iterable<MadeMail>;
  /** How long a sender waits for each reply. */
  replyWaitMs?: number;
}

const replyWaitMsDefault = 300_000;
const pauseMs = 50;

/** Returns whether the server took responsibility for a mail. */
export function isAcknowledged({ code }: SentMail): boolean {
  return code === 250;
}

/** Starts the senders. */
export function startLoad(plan: LoadPlan): IntakeLoad {
  const mails: SentMail[] = [];
  const queue = plan.mails[Symbol.iterator]();
  const stop = new AbortController();
  let acknowledged = 0;
  const take = (): SentMail | null => {
    const next = stop.signal.aborted ? null : queue.next();
    if (!next || next.done) return null;
    const mail: SentMail = { ...next.value, code: null, at: 0, tookMs: 0 };
    mails.push(mail);
    return mail;
  };
  const session = async (number: number) => {
    let more = true;
    while (more && !stop.signal.aborted) {
      const client = await connect(plan.port(number), plan.replyWaitMs);
      if (client) more = await sendAll(client, plan.to, take, () => acknowledged++);
      client?.destroy();
      if (more) await sleep(pauseMs);
    }
  };
  const ended = Promise.all(Array.from({ length: plan.sessions }, (_, number) => session(number))).then(
    () => undefined,
  );
  return {
    mails,
    acknowledged: () => acknowledged,
    ended,
    stop: () => {
      stop.abort();
      return ended;
    },
  };
}

/** Returns a session that was greeted, or null if that failed. */
async function connect(port: number, replyWaitMs = replyWaitMsDefault): Promise<RawSmtpClient | null> {
  let client: RawSmtpClient | undefined;
  try {
    client = await RawSmtpClient.connect(port, replyWaitMs);
    await client.reply();
    await client.command('EHLO sender.example');
    return client;
  } catch {
    client?.destroy();
    return null;
  }
}

/** Sends mails over one session. Returns true if the session broke before they were all tried. */
async function sendAll(
  client: RawSmtpClient,
  to: string,
  take: () => SentMail | null,
  onAcknowledged: () => void,
): Promise<boolean> {
  for (let mail = take(); mail; mail = take()) {
    try {
      await sendMail(client, to, mail);
    } catch {
      return true;
    }
    if (isAcknowledged(mail)) onAcknowledged();
    else await sleep(pauseMs);
  }
  return false;
}

/** Sends one mail. Its `code` becomes the reply to its content, or to the command that was refused. */
export async function sendMail(client: RawSmtpClient, to: string, mail: SentMail): Promise<void> {
  const from = performance.now();
  const note = (code: number) => {
    Object.assign(mail, { code, at: performance.now(), tookMs: performance.now() - from });
  };
  for (const command of ['MAIL FROM:<ada@sender.example>', `RCPT TO:<${to}>`, 'DATA']) {
    const { code } = await client.command(command);
    if (code < 400) continue;
    note(code);
    if (code !== 421) await client.command('RSET');
    return;
  }
  client.write(mail.raw);
  client.write('.\r\n');
  note((await client.reply()).code);
}
