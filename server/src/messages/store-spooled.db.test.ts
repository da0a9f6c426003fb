import { afterAll, beforeAll, expect, test } from 'vitest';
import { failOn } from '../../test/harness/failing-table.ts';
import { makeEnvelope } from '../../test/harness/made-envelope.ts';
import { makeTakingInbox } from '../../test/harness/taking-inbox.ts';
import { startTestServer, type TestServer } from '../../test/harness/test-server.ts';
import type { Deps } from '../deps.ts';
import type { InboxAddress } from '../inboxes/find-inbox.ts';
import { takeStored } from './just-stored.ts';
import { readInbound } from './read-inbound.ts';
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

const kept = (mails: ReadMail[]) =>
  [
    ...takeStored(
      deps.db,
      inbox.workspaceId,
      mails.map(({ envelope }) => envelope.id),
    ).values(),
  ].map(({ id, subject, body_text }) => ({ id, subject, body_text }));

test('what was stored is kept for its event, and what the inbox had is not', async () => {
  const mails = [await spooled('one'), await spooled('two'), await spooled('one')];
  const receipts = await storeSpooled(deps, mails);
  expect([...receipts.values()].flat().map(({ outcome }) => outcome)).toEqual([
    'stored',
    'stored',
    'repeated',
  ]);
  expect(kept(mails)).toEqual([
    { id: mails[0]?.envelope.id, subject: 'one', body_text: 'Hi\n' },
    { id: mails[1]?.envelope.id, subject: 'two', body_text: 'Hi\n' },
  ]);
});

test('of a mail whose texts the database refuses, what was stored is kept', async () => {
  const mail = await spooled('refused');
  const poison = { table: 'messages', sqlstate: '22P05', message: 'untranslatable character' };
  await failOn(server, { ...poison, when: `new.subject <> ''` }, async () => {
    await expect(storeSpooled(deps, [mail])).rejects.toMatchObject({ code: '22P05' });
    expect(kept([mail])).toEqual([]);
    expect(await storeSpooledAlone(deps, mail)).toMatchObject([{ outcome: 'stored' }]);
  });
  expect(kept([mail])).toEqual([{ id: mail.envelope.id, subject: '', body_text: null }]);
});
