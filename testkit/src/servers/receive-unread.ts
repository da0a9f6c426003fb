import { receiveMail } from '../../../server/src/inbound/receive-mail.ts';
import type { InboxAddress } from '../../../server/src/inboxes/find-inbox.ts';
import { createMailParser } from '../../../server/src/mail/parse/parse-pool.ts';
import type { TestServer } from './test-server.ts';

/** Parses nothing, as a parser that does not get to a mail. */
async function closedParser() {
  const parser = createMailParser();
  await parser.close();
  return parser;
}

/**
 * Receives a mail with a file as a server that is too busy to read it, and returns its id. It is read again unless the server has the role
 * `api` alone.
 */
export async function receiveUnread(
  { server: { deps } }: Pick<TestServer, 'server'>,
  inbox: InboxAddress,
  subject: string,
  text: string,
): Promise<string> {
  const raw = [
    'From: Ada <ada@remote.example>',
    `Subject: ${subject}`,
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    '',
    text,
    '--b',
    'Content-Disposition: attachment; filename=plan.txt',
    '',
    'x',
    '--b--',
    '',
  ].join('\r\n');
  const sender = { envelopeFrom: 'ada@remote.example', helo: null, remoteAddress: null };
  const recipients = [{ given: inbox.address, inbox, verdict: 'take' as const }];
  const arrival = { raw: Buffer.from(raw), ...sender, recipients };
  const { receipts } = await receiveMail({ ...deps, parser: await closedParser() }, arrival);
  return receipts[0]?.messageId ?? '';
}
