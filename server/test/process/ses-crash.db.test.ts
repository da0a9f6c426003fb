import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type LocalSes, startLocalSes } from '@postrider/testkit/servers/local-ses.ts';
import { makeServerHome, type ServerHome } from '@postrider/testkit/servers/server-process.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let ses: LocalSes;
let home: ServerHome;

beforeAll(async () => {
  ses = await startLocalSes();
  home = await makeServerHome({
    POSTRIDER_TRANSPORT: 'ses',
    POSTRIDER_SES_REGION: 'eu-west-1',
    POSTRIDER_SES_ENDPOINT: ses.url,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    POSTRIDER_TIME_SCALE: '20',
  });
});
afterAll(async () => {
  await home.remove();
  await ses.close();
});

test('a server that is killed between a call to SES and its answer never calls again for this recipient', async () => {
  let server = await home.start();
  const inbox = await server.client.inboxes.create({ local_part: 'agent' });
  const [taken, refused] = ['taken@example.com', 'refused@example.com'];
  ses.trouble({ kind: 'hang' }, { recipient: taken });
  ses.trouble(
    { kind: 'error', status: 403, code: 'ExpiredTokenException', message: 'No' },
    { recipient: refused, times: Number.POSITIVE_INFINITY },
  );
  const sent = await server.client.messages.send({
    inbox_id: inbox.id,
    to: [taken, refused],
    subject: 'Once',
    text: 'Hello',
  });
  const statuses = async () =>
    (await server.client.messages.get(sent.id)).recipients.map(({ status }) => status).join();
  // The answer to the refused call is recorded by then, and the other call has arrived.
  await eventually(
    'both calls',
    async () => ses.messages.length === 1 && (await statuses()) === 'sending,deferred',
  );
  expect(ses.messages.map(({ to }) => to)).toEqual([[taken]]);
  await server.crash();
  ses.calm();
  server = await home.start();
  const message = await eventually('an outcome for both recipients', async () => {
    const found = await server.client.messages.get(sent.id);
    return found.recipients.every(({ status }) => status === 'failed' || status === 'sent') && found;
  });
  expect(message.recipients).toMatchObject([
    { address: taken, status: 'failed', detail: expect.stringMatching(/^unconfirmed: /) },
    { address: refused, status: 'sent' },
  ]);
  expect(ses.messages.map(({ to }) => to)).toEqual([[taken], [refused]]);
});
