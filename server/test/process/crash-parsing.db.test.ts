import { freshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { makeServerHome } from '@postrider/testkit/servers/server-process.ts';
import { makeTakingInbox } from '@postrider/testkit/servers/taking-inbox.ts';
import { startTestServer } from '@postrider/testkit/servers/test-server.ts';
import { expect, test } from 'vitest';
import { newArrival } from '../../src/inbound/arrival.ts';
import { receive } from '../../src/inbound/receive.ts';
import { createMailParser } from '../../src/mail/parse/parse-pool.ts';

const mails = 200;

test('mail that was not parsed by the end of its process is parsed after the next start, each once, whoever is killed meanwhile', async () => {
  const database = await freshDatabase();
  if (!('url' in database.settings)) throw new Error('This takes several processes.');
  const secret = 'a'.repeat(64);
  const server = await startTestServer({
    roles: ['api'],
    database: database.settings,
    env: { POSTRIDER_SECRET: secret },
  });
  // Leases end soon, so that the mail of the killed process is not waited for.
  const settings = { POSTRIDER_SECRET: secret, POSTRIDER_TIME_SCALE: '100' };
  const home = await makeServerHome(settings, { database: { DATABASE_URL: database.settings.url } });
  try {
    const inbox = await makeTakingInbox(server);
    const parser = createMailParser();
    await parser.close();
    for (let nth = 0; nth < mails; nth++) {
      const raw = Buffer.from(`Subject: ${nth}\r\n\r\n${`mail ${nth} `.repeat(5_000)}\r\n`);
      const recipients = [{ address: inbox.address, tag: inbox }];
      const arrival = newArrival({ raw, client: null, envelopeFrom: 'ada@remote.example', recipients });
      await receive({ ...server.server.deps, parser }, arrival, null);
    }
    const count = async (from: string) =>
      Number((await server.rows<{ n: string }>(`select count(*) as n from ${from}`))[0]?.n);
    expect(await count('unparsed_messages')).toBe(mails);
    // Some are kept back, so that the first server cannot be done before it is killed.
    const keeper = await server.server.deps.database.pool.connect();
    await keeper.query('begin');
    await keeper.query('select from unparsed_messages order by message_id desc limit 20 for update');
    const first = await home.start();
    await eventually('some to be parsed', async () => (await count('unparsed_messages')) < mails - 10);
    await first.crash();
    const left = await count('unparsed_messages');
    expect(left).toBeGreaterThan(0);
    await keeper.query('rollback');
    keeper.release();
    await home.start();
    await eventually('the rest', async () => (await count('unparsed_messages')) === 0, { pauseMs: 100 });
    expect(
      await count("messages where body_text like 'mail ' || subject || ' %' and cut_fields = '{}'"),
    ).toBe(mails);
    expect(await count("events where event = 'message.updated'")).toBe(mails);
  } finally {
    await home.remove();
    await server.stop();
    await database.drop();
  }
});
