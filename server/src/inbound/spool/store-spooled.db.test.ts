import { failOn } from '@postrider/testkit/database/failing-table.ts';
import { makeEnvelope } from '@postrider/testkit/mail/made-envelope.ts';
import { makeTakingInbox } from '@postrider/testkit/servers/taking-inbox.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deps } from '../../deps.ts';
import type { InboxAddress } from '../../inboxes/find-inbox.ts';
import { readInbound } from '../../parsing/inbound-mail.ts';
import { createSpool } from './spool-mail.ts';
import { type ReadMail, storeSpooled, storeSpooledAlone } from './store-spooled.ts';

let server: TestServer;
let deps: Deps;
let inbox: InboxAddress;

beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
  deps = server.server.deps;
  inbox = await makeTakingInbox(server);
});
afterAll(() => server.stop());

/** A mail that is in the spool and was read. */
const spooled = async (subject: string): Promise<ReadMail> => {
  const raw = Buffer.from(`Message-ID: <${subject}@remote.example>\r\nSubject: ${subject}\r\n\r\nHi\r\n`);
  const sender = { envelopeFrom: 'ada@remote.example', helo: null, remoteAddress: null };
  const envelope = makeEnvelope(inbox, raw, sender.envelopeFrom);
  expect(await createSpool(deps)({ envelope, raw })).toBe(true);
  return { envelope, mail: await readInbound(deps, { raw, ...sender }, envelope.at) };
};

/** The stored parts of them, in their order. */
const stored = (mails: ReadMail[]) =>
  server.rows(
    'select id, subject, body_text from messages where id = any($1) order by array_position($1, id)',
    [mails.map(({ envelope }) => envelope.id)],
  );

test('mails of a batch are stored together, and one that its inbox had is not stored again', async () => {
  const mails = [await spooled('one'), await spooled('two'), await spooled('one')];
  const receipts = await storeSpooled(deps, mails);
  expect([...receipts.values()].flat().map(({ outcome }) => outcome)).toEqual([
    'stored',
    'stored',
    'repeated',
  ]);
  expect(await stored(mails)).toEqual([
    { id: mails[0]?.envelope.id, subject: 'one', body_text: 'Hi\n' },
    { id: mails[1]?.envelope.id, subject: 'two', body_text: 'Hi\n' },
  ]);
});

test('a mail whose texts the database refuses is stored without them, alone', async () => {
  const mail = await spooled('refused');
  const poison = { table: 'messages', sqlstate: '22P05', message: 'untranslatable character' };
  await failOn(server, { ...poison, when: `new.subject <> ''` }, async () => {
    await expect(storeSpooled(deps, [mail])).rejects.toMatchObject({ code: '22P05' });
    expect(await stored([mail])).toEqual([]);
    expect(await storeSpooledAlone(deps, mail)).toMatchObject([{ outcome: 'stored' }]);
  });
  expect(await stored([mail])).toEqual([{ id: mail.envelope.id, subject: '', body_text: null }]);
});
