import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendMail } from '../harness/smtp-client.ts';
import { startTestServer, type TestServer } from '../harness/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('Interface 3 Message: a mail is read with its subject and text', async () => {
  const inbox = await server.inbox();
  await sendMail(server.smtpPort, {
    from: 'ada@remote.example',
    to: inbox.address,
    subject: 'Hi',
    text: 'ü',
  });
  const { messages } = await server.client.messages.list({ inbox_id: inbox.id });
  expect(messages).toMatchObject([{ subject: 'Hi', body_text: 'ü' }]);
});
