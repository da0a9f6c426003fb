import { createTransport } from 'nodemailer';

/** A mail to send. */
export interface MadeMail {
  messageId: string;
  raw: Buffer;
}

/** A mail that a client sent, with the reply to it. */
export interface IntakeMail extends MadeMail {
  /** The whole reply to its content; null if there was none. */
  answer: string | null;
}

/** Clients that send one mail after another until none is left or the server is gone. */
export interface SteadyIntake {
  /** Every mail that was begun. */
  mails: IntakeMail[];
  /** Returns the number of mails acknowledged with 250 so far. */
  acknowledged(): number;
  /** Resolves once every client has ended. */
  ended: Promise<void>;
}

/** The mails to send and the number of clients, each with one session. */
export interface IntakePlan {
  port: number;
  to: string;
  sessions: number;
  mails: Iterable<MadeMail>;
}

/** Starts the clients. */
export function startIntake({ port, to, sessions, mails: plan }: IntakePlan): SteadyIntake {
  const mails: IntakeMail[] = [];
  const queue = plan[Symbol.iterator]();
  const session = async () => {
    const transport = openSession(port);
    try {
      for (let next = queue.next(); !next.done; next = queue.next()) {
        const mail: IntakeMail = { ...next.value, answer: null };
        mails.push(mail);
        const { response } = await transport.sendMail({
          envelope: { from: 'ada@sender.example', to },
          raw: mail.raw,
        });
        mail.answer = response;
      }
    } catch {
      // The server is gone or is stopping. Mails without a reply stay so.
    } finally {
      transport.close();
    }
  };
  const ended = Promise.all(Array.from({ length: sessions }, session)).then(() => undefined);
  return { mails, acknowledged: () => mails.filter(isAcknowledged).length, ended };
}

function openSession(port: number) {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    pool: true,
    maxConnections: 1,
    maxMessages: Number.POSITIVE_INFINITY,
    ignoreTLS: true,
    name: 'sender.example',
  });
  transport.on('error', () => {});
  return transport;
}

/** Returns whether the server took responsibility for a mail. */
export function isAcknowledged(mail: IntakeMail): boolean {
  return mail.answer?.startsWith('250') ?? false;
}

/** Generates numbered mails without end, each with different content. `run` makes their Message-IDs different from those of other runs. */
export function* madeUpMails(run: string, to: string): Generator<MadeMail> {
  for (let number = 0; ; number++) yield makeMail(`${run}-${number}`, to);
}

function makeMail(name: string, to: string): MadeMail {
  const messageId = `<${name}@sender.example>`;
  const lines = [
    'From: Ada <ada@sender.example>',
    `To: ${to}`,
    `Subject: Mail ${name}`,
    `Message-ID: ${messageId}`,
    'Content-Type: text/plain; charset=utf-8',
    '',
    ...Array.from({ length: 20 }, (_, line) => `Line ${line} of ${name}: grüße`),
    '',
  ];
  return { messageId, raw: Buffer.from(lines.join('\r\n')) };
}
