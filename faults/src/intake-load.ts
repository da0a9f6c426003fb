import { setTimeout as sleep } from 'node:timers/promises';
import { RawSmtpClient } from '../../server/test/harness/raw-smtp-client.ts';
import type { MadeMail } from '../../server/test/harness/steady-intake.ts';

/** A mail that was begun, and the last reply that its sender heard about it. */
export interface SentMail extends MadeMail {
  /** Null while there is none, or when the connection broke before it. */
  code: number | null;
  /** When the reply came, by `performance.now()`. */
  at: number;
  tookMs: number;
}

/** Senders that go on until they are told to stop or have nothing left, over every broken connection. */
export interface IntakeLoad {
  mails: SentMail[];
  acknowledged(): number;
  /** Lets each mail on its way come to its end, and resolves then. */
  stop(): Promise<void>;
  /** Resolves when every mail has been tried, for a load with an end. */
  ended: Promise<void>;
}

/** What is sent, and by how many. */
export interface LoadPlan {
  /** Asked at each connection, because a server that was started again listens elsewhere. */
  port: (session: number) => number;
  to: string;
  sessions: number;
  mails: Iterable<MadeMail>;
}

const replyWaitMs = 30_000;
const pauseMs = 50;

/** Whether the server took responsibility for a mail. */
export const isAcknowledged = ({ code }: SentMail): boolean => code === 250;

/** Starts to send. */
export const startLoad = (plan: LoadPlan): IntakeLoad => {
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
      const client = await connect(plan.port(number));
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
};

/** A session that was greeted, or null. */
const connect = async (port: number): Promise<RawSmtpClient | null> => {
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
};

/** Sends mails over one session; true when the session broke before they were all tried. */
const sendAll = async (
  client: RawSmtpClient,
  to: string,
  take: () => SentMail | null,
  onAcknowledged: () => void,
): Promise<boolean> => {
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
};

/** Sends one mail, whose `code` then is the reply to its end, or that of the command that was refused. */
export const sendMail = async (client: RawSmtpClient, to: string, mail: SentMail): Promise<void> => {
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
};
