import { createTransport, type SendMailOptions } from 'nodemailer';

/** What the server said to a message. */
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

const timing = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Sends a mail to a server on this machine by a connection of its own, with STARTTLS where that is offered. */
export const sendMail = async (port: number, mail: SendMailOptions): Promise<SmtpAnswer> => {
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    name: 'sender.example',
    tls: { rejectUnauthorized: false },
    ...timing,
  });
  try {
    const info = await transport.sendMail(mail);
    return {
      response: info.response,
      accepted: info.accepted.map(String),
      rejected: info.rejected.map(String),
    };
  } finally {
    transport.close();
  }
};

/** Sends the lines of a mail as they are, CRLF between and after them. */
export const sendLines = (
  port: number,
  envelope: { from: string; to: string | string[] },
  lines: string[],
): Promise<SmtpAnswer> => sendBytes(port, envelope, Buffer.from(`${lines.join('\r\n')}\r\n`));

/** Sends the bytes of a mail as they are. */
export const sendBytes = (
  port: number,
  envelope: { from: string; to: string | string[] },
  raw: Buffer,
): Promise<SmtpAnswer> => sendMail(port, { envelope, raw });

/** The refusal of a mail that must not be taken. */
export const refusalOf = async (sending: Promise<unknown>): Promise<SmtpError> => {
  try {
    await sending;
  } catch (error) {
    return error as SmtpError;
  }
  throw new Error('The mail was taken.');
};
