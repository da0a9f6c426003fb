import type { TestServer } from '../servers/test-server.ts';
import { sendLines } from '../smtp/smtp-client.ts';

/** A mail of a conversation. Its ids are given without brackets and domain. */
export interface ThreadMail {
  id: string;
  inReplyTo?: string;
  references?: string[];
  subject?: string;
  from?: string;
  text?: string;
}

/** Returns the Message-ID of a mail of a conversation. */
export function rfcId(id: string): string {
  return `<${id}@remote.example>`;
}

/** Sends a mail of a conversation to an inbox, as the remote side would, and waits until it is a message. */
export async function deliverMail(
  { smtpPort, filed }: Pick<TestServer, 'smtpPort' | 'filed'>,
  to: string,
  { id, inReplyTo, references, subject = id, from = 'ada@remote.example', text = id }: ThreadMail,
): Promise<void> {
  await sendLines(smtpPort, { from, to }, [
    `Message-ID: ${rfcId(id)}`,
    ...(inReplyTo === undefined ? [] : [`In-Reply-To: ${rfcId(inReplyTo)}`]),
    ...(references === undefined ? [] : [`References: ${references.map(rfcId).join('\r\n ')}`]),
    `From: ${from}`,
    `To: ${to}`,
    `Subject: ${subject}`,
    '',
    text,
  ]);
  await filed();
}
