/* Returning mail that is not believed: mail that is no report, reports at inboxes, and whatever others once wrote. */

import {
  type BounceMail,
  bounceCorpus,
  bounceFixtures,
  expectedResult,
  readBounces,
} from '@postrider/testkit/mail/bounce-corpus.ts';
import { deliveryReport, feedbackReport, vacationAnswer } from '@postrider/testkit/mail/made-reports.ts';
import { corpusFolder, fixturesFolder, readMails } from '@postrider/testkit/mail/mail-corpus.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestServer } from '@postrider/testkit/servers/test-server.ts';
import { openReporting } from '@postrider/testkit/smtp/reporting.ts';
import { sendBytes } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

const recipientsMax = 50;
const atOnce = 8;

let running: ServerWithSink;
let server: TestServer;
let inbox: Inbox;
let reporting: ReturnType<typeof openReporting>;

beforeAll(async () => {
  running = await startServerWithSink();
  server = running.server;
  inbox = await server.inbox();
  reporting = openReporting(running, inbox);
});
afterAll(() => running.stop());

test('Interface 3 delivery_status: a report with a sender to an inbox counts for nothing and is mail', async () => {
  const out = await reporting.sendOut();
  const lines = deliveryReport({ recipient: out.to, returned: [`Message-ID: ${out.messageId}`] });
  await reporting.bringBack(inbox.address, lines, 'mailer-daemon@mx.remote.example');
  expect((await reporting.stateOf(out))[0]).toBe('sent');
  expect(await reporting.suppressionOf(out)).toBeUndefined();
  expect((await reporting.mailsIn())[0]).toMatchObject({
    envelope_to: [inbox.address],
    auto_submitted: true,
  });
});

test('Interface 3 Message auto_submitted: what comes to a return path and is no report goes to the inbox as automatic mail', async () => {
  const out = await reporting.sendOut();
  for (const from of ['', 'ada@remote.example']) {
    const subject = server.freshName('away');
    await reporting.bringBack(out.returnPath, vacationAnswer(subject), from);
    expect((await reporting.mailsIn())[0]).toMatchObject({
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
    const before = (await reporting.mailsIn()).length;
    await reporting.bringBack(out.returnPath, lines);
    expect(await reporting.mailsIn()).toHaveLength(before + 1);
  }
  expect((await reporting.stateOf(out))[0]).toBe('sent');
  expect(await reporting.suppressionOf(out)).toBeUndefined();
});

test('Interface 3 delivery_status: a report at an inbox that names a message of it changes the status, suppresses nobody, and is mail', async () => {
  const box = await server.inbox();
  const out = await reporting.sendOut(box);
  const returned = ['From: x@y.example', `Message-ID: ${out.messageId}`];
  await reporting.bringBack(box.address, deliveryReport({ recipient: 'other@remote.example', returned }));
  expect((await reporting.stateOf(out))[0]).toBe('sent');
  await reporting.bringBack(inbox.address, deliveryReport({ recipient: out.to, returned }));
  expect((await reporting.stateOf(out))[0]).toBe('sent');
  await reporting.bringBack(box.address, deliveryReport({ recipient: out.to.toUpperCase(), returned }));
  expect((await reporting.stateOf(out))[0]).toBe('bounced');
  expect((await reporting.eventsOf(out)).map(({ event }) => event)).toEqual([
    'message.sent',
    'message.bounced',
  ]);
  expect(await reporting.suppressionOf(out)).toBeUndefined();
  expect((await reporting.mailsIn(box)).map(({ auto_submitted }) => auto_submitted)).toEqual([true, true]);
  const complained = await reporting.sendOut(box);
  await reporting.bringBack(
    box.address,
    feedbackReport(
      'abuse',
      [`Original-Rcpt-To: <${complained.to}>`],
      [`Message-ID: ${complained.messageId}`],
    ),
  );
  expect([(await reporting.stateOf(complained))[0], await reporting.suppressionOf(complained)]).toEqual([
    'complained',
    undefined,
  ]);
});

test('Interface 3 delivery_status: feedback at an inbox that shows the return path counts as if it had come there', async () => {
  const [mailFrom, header] = [await reporting.sendOut(), await reporting.sendOut()];
  await reporting.bringBack(
    inbox.address,
    feedbackReport('abuse', [`Original-Mail-From: <${mailFrom.returnPath}>`]),
  );
  await reporting.bringBack(
    inbox.address,
    feedbackReport('abuse', [], [`Return-Path: <${header.returnPath}>`]),
  );
  for (const out of [mailFrom, header])
    expect([(await reporting.stateOf(out))[0], await reporting.suppressionOf(out)]).toEqual([
      'complained',
      { reason: 'complaint', message_id: out.id },
    ]);
});

test('Conventions 3: a report at an inbox of another workspace changes nothing, whatever it names', async () => {
  const stranger = await server.workspace();
  const theirs = await server.inbox(stranger);
  const out = await reporting.sendOut();
  const returned = [`Message-ID: ${out.messageId}`, `Return-Path: <${out.returnPath}>`];
  await reporting.bringBack(theirs.address, deliveryReport({ recipient: out.to, returned }));
  await reporting.bringBack(
    theirs.address,
    feedbackReport('abuse', [`Original-Rcpt-To: ${out.to}`], returned),
  );
  expect([(await reporting.stateOf(out))[0], await reporting.suppressionOf(out)]).toEqual([
    'sent',
    undefined,
  ]);
  expect(await reporting.mailsIn(theirs, stranger)).toHaveLength(2);
});

test('Interface 3 delivery_status: one mail to a return path and to an inbox is an outcome there and mail here', async () => {
  const out = await reporting.sendOut();
  const box = await server.inbox();
  const { response } = await reporting.bringBack(
    [out.returnPath, box.address],
    deliveryReport({ recipient: out.to }),
  );
  expect(response).toMatch(/^250 .*msg_/);
  expect((await reporting.stateOf(out))[0]).toBe('bounced');
  expect((await reporting.mailsIn(box)).map(({ envelope_to }) => envelope_to)).toEqual([[box.address]]);
});

test('Interface 3 Message auto_submitted: answers that come to a return path faster than they are filed are mail, once each, beside reports', async () => {
  const box = await server.inbox();
  const [away, gone] = [await reporting.sendOut(box), await reporting.sendOut(box)];
  const subjects = Array.from({ length: 60 }, (_, at) => `away ${at}`);
  await Promise.all([
    ...subjects.map((subject) => reporting.bringBack(away.returnPath, vacationAnswer(subject))),
    ...subjects.map(() => reporting.bringBack(gone.returnPath, deliveryReport({ recipient: gone.to }))),
  ]);
  await server.filed();
  const mails = await reporting.mailsIn(box);
  expect(mails.map(({ subject }) => subject).sort()).toEqual(subjects.sort());
  expect(mails.every((mail) => mail.auto_submitted)).toBe(true);
  expect((await reporting.eventsOf(gone)).map(({ event }) => event)).toEqual([
    'message.sent',
    'message.bounced',
  ]);
});

/** Sends to so many recipients, and gives each one's return path. */
const sendTo = async (count: number): Promise<Map<string, string>> => {
  const to = Array.from({ length: count }, (_, at) => `${server.freshName(`r${at}`)}@remote.example`);
  for (let at = 0; at < count; at += recipientsMax)
    await server.client.messages.send({
      inbox_id: inbox.id,
      to: to.slice(at, at + recipientsMax),
      subject: 's',
      text: 't',
    });
  return new Map(to.map((address) => [address, running.sink.copiesFor(address)[0]?.from ?? '']));
};

/** Brings each mail to a return path of its own, and gives the recipient that it stood for. */
const bringAll = async (mails: Pick<BounceMail, 'file' | 'raw'>[]): Promise<string[]> => {
  const paths = [...(await sendTo(mails.length))];
  const left = mails.entries();
  const bring = async () => {
    for (const [at, { raw }] of left) {
      const { response } = await sendBytes(server.smtpPort, { from: '', to: paths[at]![1] }, raw);
      expect(response).toMatch(/^250 /);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, bring));
  await server.filed();
  return paths.map(([address]) => address);
};

const reasons = async (): Promise<Map<string, string>> => {
  const rows = await server.rows<{ address: string; reason: string }>(
    'select address, reason from suppressions',
  );
  return new Map(rows.map(({ address, reason }) => [address, reason]));
};
const mailCount = async () => {
  const [row] = await server.rows<{ count: string }>(
    `select count(*) from messages where direction = 'inbound' and auto_submitted`,
  );
  return Number(row?.count);
};

/** Returns the reason that a mail at a return path puts on the list: the mildest of its reports, a complaint, or none. */
const wantedOf = ({ expected }: BounceMail): string | undefined => {
  if (['abuse', 'opt-out'].includes(expected?.feedback_type ?? '')) return 'complaint';
  const results = (expected?.reports ?? []).map(expectedResult);
  if (results.length === 0 || results.some((result) => result === null || result === 'delayed'))
    return undefined;
  return results.includes('soft') ? 'soft_bounce' : 'hard_bounce';
};

test('States Recipient address message.bounced: what reports of others say is what suppresses, and prose suppresses nobody', async () => {
  const mails = readBounces(bounceCorpus() ?? bounceFixtures);
  const before = await mailCount();
  const addresses = await bringAll(mails);
  const found = await reasons();
  const did = addresses.filter((address) => found.has(address)).length;
  const wrong = mails.flatMap((mail, at) => {
    const reason = found.get(addresses[at]!);
    return reason === wantedOf(mail) ? [] : [`${mail.file}: ${reason}`];
  });
  const reports = mails.filter((mail) => wantedOf(mail)).length;
  console.log(
    `${mails.length} mails at return paths, ${reports} suppress: ${did} did, ${wrong.length} wrongly`,
  );
  expect(wrong).toEqual([]);
  const delays = mails.filter(({ expected }) =>
    expected?.reports.some(({ action }) => action === 'delayed'),
  ).length;
  expect(await mailCount()).toBe(before + mails.length - reports - delays);
});

test('States Recipient address message.bounced: other mail at a return path suppresses nobody, whatever it says and whoever it is from', async () => {
  const before = (await reasons()).size;
  const daemon = ['From: MAILER-DAEMON@remote.example', ...vacationAnswer('Returned mail').slice(1)];
  const mails = [
    ...readMails(corpusFolder() ?? fixturesFolder),
    { file: 'daemon', raw: Buffer.from(`${daemon.join('\r\n')}\r\n`) },
  ];
  const others = mails.filter(
    ({ raw }) => !/^content-type: message\/delivery-status/im.test(raw.toString('latin1')),
  );
  // The same bytes again would be a redelivery.
  const distinct = new Set(others.map(({ raw }) => raw.toString('latin1')));
  const mailsBefore = await mailCount();
  await bringAll(others);
  const suppressed = (await reasons()).size - before;
  console.log(`${others.length} other mails at return paths, ${suppressed} suppressed`);
  expect([suppressed, (await mailCount()) - mailsBefore]).toEqual([0, distinct.size]);
});
