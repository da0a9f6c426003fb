import { newArrival } from '../../../server/src/inbound/arrival.ts';
import { receive } from '../../../server/src/inbound/receive.ts';
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
  const arrival = newArrival({
    raw: Buffer.from(raw),
    client: null,
    envelopeFrom: 'ada@remote.example',
    recipients: [{ address: inbox.address, tag: inbox }],
  });
  await receive({ ...deps, parser: await closedParser() }, arrival, null);
  return arrival.settled[0]?.messageId ?? '';
}
