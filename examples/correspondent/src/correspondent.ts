import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type ParsedMail, simpleParser } from 'mailparser';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { SMTPServer } from 'smtp-server';

/** Somebody with a mail server and a mail program of their own, who knows nothing of the agent's server but its port. */
export interface Correspondent {
  /** Where their mail server takes mail. */
  relayUrl: string;
  /** Every mail that they got, oldest first. */
  received: ParsedMail[];
  /** Sends a mail by SMTP and gives its Message-ID once the server said 250. */
  send(smtpPort: number, mail: SendMailOptions): Promise<string>;
  /** Resolves with the next mail that was not given before. */
  nextMail(): Promise<ParsedMail>;
  stop(): Promise<void>;
}

/** Starts the mail server of a correspondent on a free port of 127.0.0.1. */
export async function startCorrespondent(): Promise<Correspondent> {
  const received: ParsedMail[] = [];
  let given = 0;
  const server = new SMTPServer({
    // The mail does not leave this machine.
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, callback) {
      simpleParser(stream).then((mail) => {
        received.push(mail);
        callback();
        server.emit('mail');
      }, callback);
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return {
    relayUrl: `smtp://127.0.0.1:${port}`,
    received,
    send: sendMail,
    async nextMail() {
      const signal = AbortSignal.timeout(10_000);
      while (received.length <= given) await once(server, 'mail', { signal });
      given += 1;
      return received[given - 1] as ParsedMail;
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

async function sendMail(smtpPort: number, mail: SendMailOptions): Promise<string> {
  // The server made its certificate itself.
  const program = createTransport({ host: '127.0.0.1', port: smtpPort, tls: { rejectUnauthorized: false } });
  try {
    const { response, messageId } = await program.sendMail(mail);
    if (!response.startsWith('250')) throw new Error(`The server answered ${response}.`);
    return messageId;
  } finally {
    program.close();
  }
}
