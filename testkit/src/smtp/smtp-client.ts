import { createTransport, type SendMailOptions } from 'nodemailer';

/** The reply of the server to a message. */
export interface SmtpAnswer {
  response: string;
  accepted: string[];
  rejected: string[];
}

/** A refusal of the server, as nodemailer reports it. */
export interface SmtpError extends Error {
  responseCode?: number;
  response?: string;
}

/** The greeting of a connection takes 100 ms, so connections are kept, as many as the tests of concurrency need. */
const connectionsMax = 25;
const transports = new Map<number, ReturnType<typeof openTransport>>();

function openTransport(port: number) {
  return createTransport({
    host: '127.0.0.1',
    port,
    name: 'sender.example',
    ignoreTLS: true,
    pool: true,
    maxConnections: connectionsMax,
    maxMessages: Number.POSITIVE_INFINITY,
    connectionTimeout: 300_000,
    greetingTimeout: 300_000,
    socketTimeout: 300_000,
  });
}

/** Sends a mail to a server on this machine, in clear text over a connection that later mails share. */
export async function sendMail(port: number, mail: SendMailOptions): Promise<SmtpAnswer> {
  const transport = transports.get(port) ?? openTransport(port);
  transports.set(port, transport);
  const info = await transport.sendMail(mail);
  return {
    response: info.response,
    accepted: info.accepted.map(String),
    rejected: info.rejected.map(String),
  };
}

/** Ends the connections to a server, before the server itself ends. */
export function closeConnections(port: number): void {
  transports.get(port)?.close();
  transports.delete(port);
}

/** Sends the lines of a mail as they are, with CRLF between and after them. */
export function sendLines(
  port: number,
  envelope: { from: string; to: string | string[] },
  lines: string[],
): Promise<SmtpAnswer> {
  return sendBytes(port, envelope, Buffer.from(`${lines.join('\r\n')}\r\n`));
}

/** Sends the bytes of a mail as they are. */
export function sendBytes(
  port: number,
  envelope: { from: string; to: string | string[] },
  raw: Buffer,
): Promise<SmtpAnswer> {
  return sendMail(port, { envelope, raw });
}

/** Returns the refusal of a mail that must not be accepted. Throws if it was accepted. */
export async function catchRefusal(sending: Promise<unknown>): Promise<SmtpError> {
  try {
    await sending;
  } catch (error) {
    return error as SmtpError;
  }
  throw new Error('The mail was taken.');
}
