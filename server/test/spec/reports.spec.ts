/* What comes back by mail: to return paths, where it is believed, and to inboxes, where it is not. */
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../harness/eventually.ts';
import { deliveryReport, feedbackReport, vacationAnswer } from '../harness/made-reports.ts';
import { type ServerWithSink, startServerWithSink } from '../harness/server-with-sink.ts';
import { refusalOf, sendLines } from '../harness/smtp-client.ts';
import type { TestServer, TestWorkspace } from '../harness/test-server.ts';

let running: ServerWithSink;
let server: TestServer;
let inbox: Inbox;

beforeAll(async () => {
  running = await startServerWithSink();
  server = running.server;
  inbox = await server.inbox();
});
afterAll(() => running.stop());

interface Out {
  id: string;
  to: string;
  /** Where reports about it come back. */
  returnPath: string;
  messageId: string;
}

/** Sends a message through the relay. */
const sendOut = async (owner: TestWorkspace = server, from: Inbox = inbox): Promise<Out> => {
  const to = `${server.freshName('rcpt')}@remote.example`;
  const { id, message_id } = await owner.client.messages.send({
    inbox_id: from.id,
    to: [to],
    subject: 's',
    text: 't',
  });
  const [copy] = running.sink.copiesFor(to);
  return { id, to, returnPath: copy?.from ?? '', messageId: message_id };
};
const bringBack = (to: string | string[], lines: string[], from = '') =>
  sendLines(server.smtpPort, { from, to }, lines);
const stateOf = async ({ id }: Out, owner: TestWorkspace = server) => {
  const [recipient] = (await owner.client.messages.get(id)).recipients;
  return [recipient?.status, recipient?.detail];
};
const eventsOf = ({ id }: Out) =>
  server.rows<{ event: string; extra: object }>(
    'select event, extra from events where message_id = $1 order by insertion',
    [id],
  );
const suppressionOf = async ({ to }: Out) =>
  (
    await server.rows('select workspace_id, reason, message_id from suppressions where address = $1', [to])
  )[0];
const suppressed = ({ id }: Out, reason: string) => ({ workspace_id: server.id, reason, message_id: id });
const mailsIn = async (box: Inbox = inbox, owner: TestWorkspace = server) =>
  (await owner.client.messages.list({ inbox_id: box.id, direction: 'inbound', limit: 100 })).messages;
const refused = async (to: string, lines: string[]) => (await refusalOf(bringBack(to, lines))).response;

test('States Recipient address message.bounced: a report of a hard or soft bounce at the return path: event, suppression, and no mail', async () => {
  const mails = (await mailsIn()).length;
  for (const [status, type] of [
    ['5.1.1', 'hard'],
    ['4.4.7', 'soft'],
  ] as const) {
    const out = await sendOut();
    const diagnostic = `${status === '5.1.1' ? '550' : '452'} ${status} Mailbox trouble`;
    const { response } = await bringBack(
      out.returnPath,
      deliveryReport({ recipient: out.to, status, diagnostic }),
    );
    expect(response).toMatch(/^250 /);
    expect(await stateOf(out)).toEqual(['bounced', diagnostic]);
    expect(await eventsOf(out)).toEqual([
      {
        event: 'message.bounced',
        extra: { recipient: out.to, bounce: { type, code: status, diagnostic } },
      },
    ]);
    expect(await suppressionOf(out)).toEqual(suppressed(out, `${type}_bounce`));
  }
  expect(await mailsIn()).toHaveLength(mails);
});

test('States Recipient address message.complained: feedback at the return path: event, suppression', async () => {
  for (const type of ['abuse', 'fraud', 'opt-out']) {
    const out = await sendOut();
    await bringBack(out.returnPath, feedbackReport(type));
    expect(await stateOf(out)).toEqual(['complained', `feedback: ${type}`]);
    expect(await eventsOf(out)).toEqual([
      { event: 'message.complained', extra: { recipient: out.to, complaint: { feedback_type: type } } },
    ]);
    expect(await suppressionOf(out)).toEqual(suppressed(out, 'complaint'));
  }
});

test('Interface 3 delivery_status: a report of a delivery moves sent to delivered, and one of a delay moves nothing', async () => {
  const out = await sendOut();
  await bringBack(out.returnPath, deliveryReport({ recipient: out.to, action: 'delayed', status: '4.4.1' }));
  expect(await stateOf(out)).toEqual(['sent', 'delayed: 550 4.4.1 No such user']);
  expect(await eventsOf(out)).toEqual([]);
  await bringBack(
    out.returnPath,
    deliveryReport({ recipient: out.to, action: 'delivered', status: '2.0.0' }),
  );
  expect((await stateOf(out))[0]).toBe('delivered');
  expect(await eventsOf(out)).toEqual([{ event: 'message.delivered', extra: { recipient: out.to } }]);
  expect(await suppressionOf(out)).toBeUndefined();
});

test('Interface 3 delivery_status: reports that repeat, come at once or out of order make one event and move nothing back', async () => {
  const out = await sendOut();
  const bounce = deliveryReport({ recipient: out.to });
  await Promise.all(Array.from({ length: 20 }, () => bringBack(out.returnPath, bounce)));
  await bringBack(out.returnPath, deliveryReport({ recipient: out.to, action: 'delayed', status: '4.4.1' }));
  await bringBack(
    out.returnPath,
    deliveryReport({ recipient: out.to, action: 'delivered', status: '2.0.0' }),
  );
  await bringBack(out.returnPath, feedbackReport('abuse'));
  expect((await stateOf(out))[0]).toBe('bounced');
  expect((await eventsOf(out)).map(({ event }) => event)).toEqual(['message.bounced']);
  await server.client.suppressions.delete(out.to);
  await bringBack(out.returnPath, bounce);
  expect(await suppressionOf(out)).toBeUndefined();
  const delivered = await sendOut();
  await bringBack(
    delivered.returnPath,
    deliveryReport({ recipient: delivered.to, action: 'delivered', status: null }),
  );
  await bringBack(delivered.returnPath, feedbackReport('abuse'));
  expect((await eventsOf(delivered)).map(({ event }) => event)).toEqual([
    'message.delivered',
    'message.complained',
  ]);
});

test('Interface 3 delivery_status: a report before the relay has answered counts, and so does one about an unconfirmed copy', async () => {
  const to = `${server.freshName('rcpt')}@remote.example`;
  running.sink.script({ at: 'dot', recipient: to, drop: true, delayMs: 300 });
  const sending = server.client.messages.send({ inbox_id: inbox.id, to: [to], subject: 's', text: 't' });
  const copy = await eventually('the copy', async () => running.sink.copiesFor(to)[0]);
  await bringBack(copy.from, deliveryReport({ recipient: to }));
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
  await bringBack(returnPath.toUpperCase(), deliveryReport({ recipient: 'somebody@forwarded.example' }));
  const { recipients } = await server.client.messages.get(id);
  expect(recipients.map(({ address, status }) => [address, status])).toEqual([
    [one, 'sent'],
    [two, 'bounced'],
  ]);
});

test('Interface 3 Inbox: a return path that was not made here is 550 5.1.1, and one whose inbox is gone is too', async () => {
  const out = await sendOut();
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
    expect([address, await refused(address, lines)]).toEqual([
      address,
      expect.stringMatching(/^550 5\.1\.1 /),
    ]);
  expect((await stateOf(out))[0]).toBe('sent');
  const gone = await server.inbox();
  const late = await sendOut(server, gone);
  await server.client.inboxes.delete(gone.id);
  expect(await refused(late.returnPath, lines)).toMatch(/^550 5\.1\.1 /);
});

test('Interface 3 delivery_status: a report with a sender counts for nothing and is mail for the inbox', async () => {
  const out = await sendOut();
  const lines = deliveryReport({ recipient: out.to });
  await bringBack(out.returnPath, lines, 'mailer-daemon@mx.remote.example');
  expect((await stateOf(out))[0]).toBe('sent');
  expect(await suppressionOf(out)).toBeUndefined();
  expect((await mailsIn())[0]).toMatchObject({ envelope_to: [out.returnPath], auto_submitted: true });
});

test('Interface 3 Message auto_submitted: what comes to a return path and is no report goes to the inbox as automatic mail', async () => {
  const out = await sendOut();
  for (const from of ['', 'ada@remote.example']) {
    const subject = server.freshName('away');
    await bringBack(out.returnPath, vacationAnswer(subject), from);
    expect((await mailsIn())[0]).toMatchObject({
      subject,
      auto_submitted: true,
      envelope_to: [out.returnPath],
    });
  }
  for (const lines of [
    feedbackReport('not-spam'),
    feedbackReport('auth-failure'),
    deliveryReport({ recipient: out.to, action: 'eaten' }),
    deliveryReport({ recipient: out.to, status: '2.0.0' }),
    deliveryReport({ recipient: '' }),
  ]) {
    const before = (await mailsIn()).length;
    await bringBack(out.returnPath, lines);
    expect(await mailsIn()).toHaveLength(before + 1);
  }
  expect((await stateOf(out))[0]).toBe('sent');
  expect(await suppressionOf(out)).toBeUndefined();
});

test('Interface 3 delivery_status: a report at an inbox that names a message of it changes the status, suppresses nobody, and is mail', async () => {
  const box = await server.inbox();
  const out = await sendOut(server, box);
  const returned = ['From: x@y.example', `Message-ID: ${out.messageId}`];
  await bringBack(box.address, deliveryReport({ recipient: 'other@remote.example', returned }));
  expect((await stateOf(out))[0]).toBe('sent');
  await bringBack(inbox.address, deliveryReport({ recipient: out.to, returned }));
  expect((await stateOf(out))[0]).toBe('sent');
  await bringBack(box.address, deliveryReport({ recipient: out.to.toUpperCase(), returned }));
  expect((await stateOf(out))[0]).toBe('bounced');
  expect((await eventsOf(out)).map(({ event }) => event)).toEqual(['message.bounced']);
  expect(await suppressionOf(out)).toBeUndefined();
  expect((await mailsIn(box)).map(({ auto_submitted }) => auto_submitted)).toEqual([true, true]);
  const complained = await sendOut(server, box);
  await bringBack(
    box.address,
    feedbackReport(
      'abuse',
      [`Original-Rcpt-To: <${complained.to}>`],
      [`Message-ID: ${complained.messageId}`],
    ),
  );
  expect([(await stateOf(complained))[0], await suppressionOf(complained)]).toEqual([
    'complained',
    undefined,
  ]);
});

test('Interface 3 delivery_status: feedback at an inbox that shows the return path counts as if it had come there', async () => {
  const [mailFrom, header] = [await sendOut(), await sendOut()];
  await bringBack(inbox.address, feedbackReport('abuse', [`Original-Mail-From: <${mailFrom.returnPath}>`]));
  await bringBack(inbox.address, feedbackReport('abuse', [], [`Return-Path: <${header.returnPath}>`]));
  for (const out of [mailFrom, header])
    expect([(await stateOf(out))[0], await suppressionOf(out)]).toEqual([
      'complained',
      suppressed(out, 'complaint'),
    ]);
});

test('Conventions 3: a report at an inbox of another workspace changes nothing, whatever it names', async () => {
  const stranger = await server.workspace();
  const theirs = await server.inbox(stranger);
  const out = await sendOut();
  const returned = [`Message-ID: ${out.messageId}`, `Return-Path: <${out.returnPath}>`];
  await bringBack(theirs.address, deliveryReport({ recipient: out.to, returned }));
  await bringBack(theirs.address, feedbackReport('abuse', [`Original-Rcpt-To: ${out.to}`], returned));
  expect([(await stateOf(out))[0], await suppressionOf(out)]).toEqual(['sent', undefined]);
  expect(await mailsIn(theirs, stranger)).toHaveLength(2);
});

test('Interface 3 delivery_status: one mail to a return path and to an inbox is an outcome there and mail here', async () => {
  const out = await sendOut();
  const box = await server.inbox();
  const { response } = await bringBack([out.returnPath, box.address], deliveryReport({ recipient: out.to }));
  expect(response).toMatch(/^250 .*msg_/);
  expect((await stateOf(out))[0]).toBe('bounced');
  expect((await mailsIn(box)).map(({ envelope_to }) => envelope_to)).toEqual([[box.address]]);
});
