import { createTransport } from 'nodemailer';

/** A mail that a client sent, and what it was answered. */
export interface IntakeMail {
  messageId: string;
  raw: Buffer;
  /** The whole answer to its end; null when there was none. */
  answer: string | null;
}

/** Clients that send mail one after another until they have sent their share or the server is gone. */
export interface SteadyIntake {
  /** Every mail that was begun. */
  mails: IntakeMail[];
  /** How many mails were answered 250 so far. */
  acknowledged(): number;
  /** Resolves when every client has ended. */
  ended: Promise<void>;
  /** Lets the clients end after the mail that they are at. */
  stop(): void;
}

/** What is sent, by how many clients, each over one session. */
export interface IntakePlan {
  port: number;
  to: string;
  sessions: number;
  mails: number;
  /** Makes the Message-IDs of one run different from those of others. */
  run: string;
}

/** Starts to send numbered mails with content of their own. */
export const startIntake = ({ port, to, sessions, mails: count, run }: IntakePlan): SteadyIntake => {
  const mails: IntakeMail[] = [];
  let stopped = false;
  let next = 0;
  const session = async () => {
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
    try {
      while (next < count && !stopped) {
        const mail = makeMail(`${run}-${next++}`, to);
        mails.push(mail);
        const { response } = await transport.sendMail({
          envelope: { from: 'ada@sender.example', to },
          raw: mail.raw,
        });
        mail.answer = response;
      }
    } catch {
      // The server is gone, or is going: what was not answered stays so.
    } finally {
      transport.close();
    }
  };
  const ended = Promise.all(Array.from({ length: sessions }, session)).then(() => undefined);
  return {
    mails,
    acknowledged: () => mails.filter(isAcknowledged).length,
    ended,
    stop: () => {
      stopped = true;
    },
  };
};

/** Whether the server took responsibility for a mail. */
export const isAcknowledged = (mail: IntakeMail): boolean => mail.answer?.startsWith('250') ?? false;

const makeMail = (name: string, to: string): IntakeMail => {
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
  return { messageId, raw: Buffer.from(lines.join('\r\n')), answer: null };
};
