/* Reports that come to return paths, where they are believed. */

import { failOn } from '@postrider/testkit/database/failing-table.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { deliveryReport, feedbackReport, vacationAnswer } from '@postrider/testkit/mail/made-reports.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import { openReporting } from '@postrider/testkit/smtp/reporting.ts';
import { catchRefusal, type SmtpError } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mailRoomLimits } from '../../../src/workspaces/usage.ts';

let running: ServerWithSink;
let server: TestServer;
let inbox: Inbox;
let reporting: ReturnType<typeof openReporting>;

const usual = { ...mailRoomLimits };

beforeAll(async () => {
  mailRoomLimits.knownForMsMax = 500;
  running = await startServerWithSink();
  server = running.server;
  inbox = await server.inbox();
  reporting = openReporting(running, inbox);
});
afterAll(async () => {
  Object.assign(mailRoomLimits, usual);
  await running.stop();
});

test('States Recipient address message.bounced: a report of a hard or soft bounce at the return path: event, suppression, and no mail', async () => {
  const mails = (await reporting.mailsIn()).length;
  for (const [status, type] of [
    ['5.1.1', 'hard'],
    ['4.4.7', 'soft'],
  ] as const) {
    const out = await reporting.sendOut();
    const diagnostic = `${status === '5.1.1' ? '550' : '452'} ${status} Mailbox trouble`;
    const { response } = await reporting.bringBack(
      out.returnPath,
      deliveryReport({ recipient: out.to, status, diagnostic }),
    );
    expect(response).toMatch(/^250 /);
    expect(await reporting.stateOf(out)).toEqual(['bounced', diagnostic]);
    expect(await reporting.eventsOf(out)).toEqual([
      { event: 'message.sent', extra: { recipient: out.to } },
      {
        event: 'message.bounced',
        extra: { recipient: out.to, bounce: { type, code: status, diagnostic } },
      },
    ]);
    expect(await reporting.suppressionOf(out)).toEqual({ reason: `${type}_bounce`, message_id: out.id });
  }
  expect(await reporting.mailsIn()).toHaveLength(mails);
});

test('States Recipient address message.bounced: a report with an address as envelope sender counts at the return path, for its recipient alone', async () => {
  const [out, other] = [await reporting.sendOut(), await reporting.sendOut()];
  const mails = (await reporting.mailsIn()).length;
  for (const from of ['postmaster@mx.remote.example', out.to])
    await reporting.bringBack(
      [out.returnPath, inbox.address],
      deliveryReport({ recipient: other.to, returned: [`Message-ID: ${other.messageId}`] }),
      from,
    );
  expect((await reporting.stateOf(out))[0]).toBe('bounced');
  expect(await reporting.suppressionOf(out)).toEqual({ reason: 'hard_bounce', message_id: out.id });
  expect((await reporting.eventsOf(out)).map(({ event }) => event)).toEqual([
    'message.sent',
    'message.bounced',
  ]);
  expect((await reporting.stateOf(other))[0]).toBe('sent');
  // The inbox gets it as mail.
  await server.filed();
  expect(await reporting.mailsIn()).toHaveLength(mails + 2);
});

test('States Recipient address message.complained: feedback at the return path: event, suppression', async () => {
  for (const type of ['abuse', 'fraud', 'opt-out']) {
    const out = await reporting.sendOut();
    await reporting.bringBack(out.returnPath, feedbackReport(type));
    expect(await reporting.stateOf(out)).toEqual(['complained', `feedback: ${type}`]);
    expect(await reporting.eventsOf(out)).toEqual([
      { event: 'message.sent', extra: { recipient: out.to } },
      { event: 'message.complained', extra: { recipient: out.to, complaint: { feedback_type: type } } },
    ]);
    expect(await reporting.suppressionOf(out)).toEqual({ reason: 'complaint', message_id: out.id });
  }
});

test('Interface 3 delivery_status: the decision log names the message that a report was about', async () => {
  const out = await reporting.sendOut();
  await reporting.bringBack(out.returnPath, deliveryReport({ recipient: out.to }));
  const decisions = await eventually('the decision', async () => {
    const rows = await server.rows(
      'select verdict, workspace_id, inbox_id, mail_from, reply from smtp_decisions where message_id = $1',
      [out.id],
    );
    return rows.length > 0 && rows;
  });
  const reply = '250 2.0.0 Ok: report recorded';
  expect(decisions).toEqual([
    { verdict: 'accepted', workspace_id: server.id, inbox_id: inbox.id, mail_from: '', reply },
  ]);
});

test('Interface 7 mail_bytes: over it a report is noted all the same, and other mail to its return path hears 452 4.2.2', async () => {
  const out = await reporting.sendOut();
  const use = (amount: number) =>
    server.rows(
      "insert into usage_ledger (workspace_id, kind, amount, at) values ($1, 'mail_bytes', $2, now())",
      [server.id, amount],
    );
  const full = 2 ** 50;
  await use(full);
  const answer = () =>
    reporting.bringBack(out.returnPath, vacationAnswer(crypto.randomUUID())).then(
      ({ response }) => response,
      (error: SmtpError) => error.response ?? '',
    );
  await eventually('the cap to be noticed', async () => /^452 4\.2\.2 /.test(await answer()));
  await reporting.bringBack(out.returnPath, deliveryReport({ recipient: out.to }));
  expect((await reporting.stateOf(out))[0]).toBe('bounced');
  await use(-full);
  await eventually('mail to be taken again', async () => /^250 /.test(await answer()));
});

test('Interface 3 delivery_status: a report of a delivery moves sent to delivered, and one of a delay moves nothing', async () => {
  const out = await reporting.sendOut();
  await reporting.bringBack(
    out.returnPath,
    deliveryReport({ recipient: out.to, action: 'delayed', status: '4.4.1' }),
  );
  expect(await reporting.stateOf(out)).toEqual(['sent', 'delayed: 550 4.4.1 No such user']);
  const sent = { event: 'message.sent', extra: { recipient: out.to } };
  expect(await reporting.eventsOf(out)).toEqual([sent]);
  await reporting.bringBack(
    out.returnPath,
    deliveryReport({ recipient: out.to, action: 'delivered', status: '2.0.0' }),
  );
  expect((await reporting.stateOf(out))[0]).toBe('delivered');
  expect(await reporting.eventsOf(out)).toEqual([
    sent,
    { event: 'message.delivered', extra: { recipient: out.to } },
  ]);
  expect(await reporting.suppressionOf(out)).toBeUndefined();
});

test('Interface 3 delivery_status: reports that repeat, come at once or out of order make one event and move nothing back', async () => {
  const out = await reporting.sendOut();
  const bounce = deliveryReport({ recipient: out.to });
  await Promise.all(Array.from({ length: 20 }, () => reporting.bringBack(out.returnPath, bounce)));
  await reporting.bringBack(
    out.returnPath,
    deliveryReport({ recipient: out.to, action: 'delayed', status: '4.4.1' }),
  );
  await reporting.bringBack(
    out.returnPath,
    deliveryReport({ recipient: out.to, action: 'delivered', status: '2.0.0' }),
  );
  await reporting.bringBack(out.returnPath, feedbackReport('abuse'));
  expect((await reporting.stateOf(out))[0]).toBe('bounced');
  expect((await reporting.eventsOf(out)).map(({ event }) => event)).toEqual([
    'message.sent',
    'message.bounced',
  ]);
  await server.client.suppressions.delete(out.to);
  await reporting.bringBack(out.returnPath, bounce);
  expect(await reporting.suppressionOf(out)).toBeUndefined();
  const delivered = await reporting.sendOut();
  await reporting.bringBack(
    delivered.returnPath,
    deliveryReport({ recipient: delivered.to, action: 'delivered', status: null }),
  );
  await reporting.bringBack(delivered.returnPath, feedbackReport('abuse'));
  expect((await reporting.eventsOf(delivered)).map(({ event }) => event)).toEqual([
    'message.sent',
    'message.delivered',
    'message.complained',
  ]);
});

test('Interface 3 delivery_status: a report before the relay has answered counts, and so does one about an unconfirmed copy', async () => {
  const to = `${server.freshName('rcpt')}@remote.example`;
  const reported = Promise.withResolvers<void>();
  running.sink.script({ at: 'dot', recipient: to, drop: true, until: reported.promise });
  const sending = server.client.messages.send({ inbox_id: inbox.id, to: [to], subject: 's', text: 't' });
  const copy = await eventually('the copy', async () => running.sink.copiesFor(to)[0]);
  await reporting.bringBack(copy.from, deliveryReport({ recipient: to }));
  reported.resolve();
  const { id } = await sending;
  expect((await server.client.messages.get(id)).delivery_status).toBe('bounced');
  const events = await server.rows('select event from events where message_id = $1', [id]);
  expect(events).toEqual([{ event: 'message.bounced' }]);
  running.sink.clearScript();
});

test('Interface 3 delivery_status: each recipient has a return path of its own, in letters of any case', async () => {
  const [one, two] = [server.freshName('one'), server.freshName('two')].map(
    (name) => `${name}@remote.example`,
  );
  const { id } = await server.client.messages.send({
    inbox_id: inbox.id,
    to: [one!],
    bcc: [two!],
    subject: 's',
    text: 't',
  });
  const returnPath = running.sink.copiesFor(two!)[0]!.from;
  expect(returnPath).toMatch(/^bounces\+[0-9a-z]{56}@postrider\.test$/);
  await reporting.bringBack(
    returnPath.toUpperCase(),
    deliveryReport({ recipient: 'somebody@forwarded.example' }),
  );
  const { recipients } = await server.client.messages.get(id);
  expect(recipients.map(({ address, status }) => [address, status])).toEqual([
    [one, 'sent'],
    [two, 'bounced'],
  ]);
});

test('Interface 3 Inbox: a return path that was not made here is 550 5.1.1, and one whose inbox is gone is too', async () => {
  const out = await reporting.sendOut();
  const lines = deliveryReport({ recipient: out.to });
  const changed = (at: number) => {
    const other = out.returnPath[at] === '0' ? '1' : '0';
    return out.returnPath.slice(0, at) + other + out.returnPath.slice(at + 1);
  };
  const forged = [10, 20, 45, 47, 50, 63].map(changed);
  for (const address of [
    ...forged,
    'bounces@postrider.test',
    'bounces+x@postrider.test',
    'bounces+@postrider.test',
  ])
    expect([address, await reporting.refusedAt(address, lines)]).toEqual([
      address,
      expect.stringMatching(/^550 5\.1\.1 /),
    ]);
  expect((await reporting.stateOf(out))[0]).toBe('sent');
  const gone = await server.inbox();
  const late = await reporting.sendOut(gone);
  await server.client.inboxes.delete(gone.id);
  expect(await reporting.refusedAt(late.returnPath, lines)).toMatch(/^550 5\.1\.1 /);
});

test('Interface 2 Errors: a report that cannot be written down is 451, and counts when it comes again', async () => {
  const out = await reporting.sendOut();
  const lines = deliveryReport({ recipient: out.to });
  const away = { table: 'suppressions', sqlstate: '57P03', message: 'the database system is starting up' };
  await failOn(server, away, async () => {
    expect(await reporting.refusedAt(out.returnPath, lines)).toMatch(/^451 4\.3\.0 /);
  });
  expect(await reporting.stateOf(out)).toMatchObject(['sent', '250 2.0.0 Ok: queued as SINK']);
  await reporting.bringBack(out.returnPath, lines);
  expect((await reporting.stateOf(out))[0]).toBe('bounced');
});

test('Rules 2: an inbound block keeps mail from a return path, and never a report', async () => {
  const domain = `${server.freshName('h')}.example`;
  await server.client.rules.create({ kind: 'block', direction: 'inbound', pattern: domain });
  const out = await reporting.sendOut();
  const from = (lines: string[]) => [`From: daemon@${domain}`, ...lines.slice(1)];
  const report = from(deliveryReport({ recipient: out.to }));
  const blocked = await catchRefusal(reporting.bringBack(out.returnPath, report, `daemon@${domain}`));
  expect(blocked.response).toMatch(/^550 5\.7\.1 /);
  expect(await reporting.refusedAt(out.returnPath, from(vacationAnswer('away')))).toMatch(/^550 5\.7\.1 /);
  expect((await reporting.stateOf(out))[0]).toBe('sent');
  await reporting.bringBack(out.returnPath, report);
  expect((await reporting.stateOf(out))[0]).toBe('bounced');
});
