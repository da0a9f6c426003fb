import { failOn } from '@postrider/testkit/database/failing-table.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { deliveryReport } from '@postrider/testkit/mail/made-reports.ts';
import { makeTakingInbox } from '@postrider/testkit/servers/taking-inbox.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { newArrival } from '../inbound/arrival.ts';
import { Intake } from '../inbound/intake.ts';
import { receive } from '../inbound/receive.ts';
import { createMailParser } from '../mail/parse/parse-pool.ts';
import type { MailTarget } from './ingest-report.ts';

/** Words that are not read in a millisecond. */
const manyWords: string[] = Array(50_000).fill(`X-Words: ${'word '.repeat(15)}`);

let server: TestServer;
let deps: Deps;
let intake: Intake;

beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
  deps = server.server.deps;
  intake = new Intake(deps);
});
afterAll(async () => {
  await intake.close(5_000);
  await server.stop();
});

/** An inbox, a message that went out from it, and the return path of that. */
const sendOut = async () => {
  const inbox = await makeTakingInbox(server);
  const to = `${server.freshName('rcpt')}@remote.example`;
  const { id } = await server.client.messages.send({
    inbox_id: inbox.inboxId,
    to: [to],
    subject: 's',
    text: 't',
  });
  await server.rows("update message_recipients set status = 'sent' where message_id = $1", [id]);
  const key = { workspaceId: inbox.workspaceId, messageId: id, address: to };
  return { id, to, inbox, returnPath: { ...inbox, reportsOn: key } satisfies MailTarget };
};

const bringBack = (by: Intake, raw: Buffer, ...targets: MailTarget[]) =>
  receive(
    by.deps,
    newArrival({
      raw,
      client: { id: 'session', remoteAddress: '127.0.0.1', helo: 'mx.remote.example' },
      envelopeFrom: '',
      recipients: targets.map((tag, index) => ({ address: `${index}@postrider.test`, tag })),
    }),
    by,
  );

const statusOf = async (id: string) => (await server.client.messages.get(id)).delivery_status;
const reportOn = (recipient: string, returned: string[] = []) =>
  Buffer.from(deliveryReport({ recipient, returned }).join('\r\n'));

test('a report that is not read in time is taken by a return path later, and by an inbox as mail', async () => {
  const { id, to, inbox, returnPath } = await sendOut();
  const longReport = reportOn(to, manyWords);
  const parser = createMailParser({ workers: 1, processorMs: 1 });
  const hasty = new Intake({ ...deps, parser });
  try {
    for (let time = 0; time < 2; time++)
      expect((await bringBack(hasty, longReport, returnPath)).code).toBe(451);
    expect((await bringBack(hasty, longReport, returnPath, inbox)).code).toBe(451);
    expect((await bringBack(hasty, longReport, inbox)).code).toBe(250);
  } finally {
    await hasty.close(5_000);
    await parser.close();
  }
  expect(await statusOf(id)).toBe('sent');
  expect((await bringBack(intake, longReport, returnPath)).code).toBe(250);
  expect(await statusOf(id)).toBe('bounced');
});

test('the decision log has for a return path what its sender heard', async () => {
  const { id, to, inbox, returnPath } = await sendOut();
  const report = reportOn(to);
  const decisions = () =>
    server.rows('select verdict, reply from smtp_decisions where message_id = $1 order by at', [id]);
  const full = { table: 'messages', sqlstate: '57P03', message: 'the database system is starting up' };
  await failOn(server, full, async () => {
    expect((await bringBack(intake, report, returnPath, inbox)).code).toBe(451);
  });
  expect(await statusOf(id)).toBe('bounced');
  await eventually('the first verdict', async () => (await decisions()).length > 0);
  const { code, text } = await bringBack(intake, report, returnPath, inbox);
  expect(code).toBe(250);
  await eventually('the second verdict', async () => (await decisions()).length > 1);
  expect(await decisions()).toEqual([
    { verdict: 'deferred', reply: '451 4.3.0 Local error in processing, try again later' },
    { verdict: 'accepted', reply: `250 2.0.0 ${text}` },
  ]);
});
