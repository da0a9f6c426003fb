import { runCommand } from './daemon.ts';
import { hosts } from './scene.ts';

/** A mail to write. */
export interface MadeMail {
  from: string;
  to: string;
  subject: string;
  messageId: string;
  inReplyTo?: string;
  text?: string;
}

/** Returns a plain mail in UTF-8, with LF as line end. */
export function writeMail({ from, to, subject, messageId, inReplyTo, text = 'Hello.\n' }: MadeMail): string {
  return [
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    `Message-ID: ${messageId}`,
    ...(inReplyTo ? [`In-Reply-To: ${inReplyTo}`] : []),
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    text,
  ].join('\n');
}

/** Sends a mail by SMTP from the stranger's host, in whoever's name it is. */
export async function sendAsStranger(server: string, envelopeFrom: string, mail: MadeMail): Promise<void> {
  const { name, address } = hosts.stranger;
  const path = ['--server', server, '--local-interface', address, '--ehlo', name];
  const envelope = ['--from', envelopeFrom, '--to', mail.to];
  await runCommand('swaks', [...path, ...envelope, '--data', writeMail(mail)]);
}
