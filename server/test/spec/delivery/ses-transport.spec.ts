/* Interface 10: `POSTRIDER_TRANSPORT=ses` sends by the API of Amazon SES, and answers to what SES renamed stay in the thread. */

import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type LocalSes, startLocalSes } from '@postrider/testkit/servers/local-ses.ts';
import { type LocalSns, startLocalSns, topicArn } from '@postrider/testkit/servers/local-sns.ts';
import { openDesk, type SendingDesk } from '@postrider/testkit/servers/sending-desk.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

let ses: LocalSes;
let sns: LocalSns;
let server: TestServer;
let here: SendingDesk;

beforeAll(async () => {
  process.env.AWS_ACCESS_KEY_ID = 'test';
  process.env.AWS_SECRET_ACCESS_KEY = 'test';
  [ses, sns] = await Promise.all([startLocalSes(), startLocalSns()]);
  server = await startTestServer({
    httpsAgent: sns.agent,
    env: {
      POSTRIDER_TRANSPORT: 'ses',
      POSTRIDER_SES_REGION: 'eu-west-1',
      POSTRIDER_SES_ENDPOINT: ses.url,
      POSTRIDER_SES_TOPIC_ARNS: topicArn,
      POSTRIDER_TIME_SCALE: '60',
    },
  });
  here = await openDesk(server);
});
afterEach(() => ses.calm());
afterAll(async () => {
  await server.stop();
  await Promise.all([ses.close(), sns.close()]);
});

const ada = 'ada@remote.example';
const acceptedFor = (address: string) => ses.messages.filter(({ to }) => to.includes(address));

test('a message is one call for each recipient, with the same content, and is sent', async () => {
  const bob = 'bob@remote.example';
  const { id } = await here.send([ada], { bcc: [bob] });
  await here.reaches(id, 'sent');
  const [one, other] = [acceptedFor(ada), acceptedFor(bob)];
  expect([one.length, other.length]).toEqual([1, 1]);
  expect(one[0]?.raw.equals(other[0]!.raw)).toBe(true);
  expect(one[0]?.raw.toString()).not.toContain(bob);
  expect(one[0]?.tags).toEqual({ workspace: here.owner.id, message: id, recipient: '0' });
  expect(one[0]?.from).toContain(here.inbox.address);
});

test('an answer that names the id of SES joins the thread, and so does one that names ours', async () => {
  const sent = await here.send([ada]);
  await here.reaches(sent.id, 'sent');
  const { message_id: own, thread_id } = await here.client.messages.get(sent.id);
  const providerId = acceptedFor(ada).at(-1)?.id;
  for (const named of [`<${providerId}@eu-west-1.amazonses.com>`, own]) {
    const subject = `Answer to ${named}`;
    const inReplyTo = named ?? '';
    await sendMail(server.smtpPort, { from: ada, to: here.inbox.address, subject, text: 'Yes.', inReplyTo });
    const answer = await eventually('the answer', async () =>
      (await here.received()).find((message) => message.subject === subject),
    );
    expect(answer.thread_id).toBe(thread_id);
  }
});

test('what SES reports by SNS on a message that it accepted counts', async () => {
  const address = 'gone@remote.example';
  const { id } = await here.send([address]);
  await here.reaches(id, 'sent');
  const mail = { messageId: acceptedFor(address)[0]?.id, timestamp: new Date() };
  const bounce = { bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: address }] };
  const body = sns.post({ Message: JSON.stringify({ eventType: 'Bounce', mail, bounce }) });
  expect((await fetch(`${server.url}/hooks/ses`, { method: 'POST', body })).status).toBe(200);
  expect(await here.status(id)).toBe('bounced');
});

test('a throttled message goes a moment later, and only once', async () => {
  const address = 'later@remote.example';
  const message = 'Maximum sending rate exceeded.';
  ses.trouble(
    { kind: 'error', status: 429, code: 'TooManyRequestsException', message },
    { recipient: address },
  );
  const { id } = await here.send([address]);
  await here.reaches(id, 'sent');
  expect(acceptedFor(address)).toHaveLength(1);
});

test('a lost answer fails the recipient as unconfirmed, which is never sent to again', async () => {
  const address = 'lost@remote.example';
  ses.trouble({ kind: 'drop-late' }, { recipient: address });
  const { id } = await here.send([address]);
  await here.reaches(id, 'failed');
  const [recipient] = (await here.client.messages.get(id)).recipients;
  expect(recipient?.detail).toMatch(/^unconfirmed: Amazon SES/);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(acceptedFor(address)).toHaveLength(1);
});

test('an account in the sandbox says so in the detail, and the message waits', async () => {
  ses.account.sandbox = true;
  ses.account.verified = [here.inbox.address];
  const { id } = await here.send(['stranger@remote.example']);
  await here.reaches(id, 'deferred');
  const [recipient] = (await here.client.messages.get(id)).recipients;
  expect(recipient?.detail).toContain('Request production access');
  ses.account.sandbox = false;
  ses.account.verified = [];
});
