import { afterAll, beforeAll, expect, test } from 'vitest';
import { refusalOf, sendMail } from '../harness/smtp-client.ts';
import { startTestServer, type TestServer } from '../harness/test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('Architecture 5.1: mail to an unknown address is refused with 550 5.1.1', async () => {
  const mail = { from: 'ada@remote.example', to: 'nobody@postrider.test', text: 'Hi' };
  expect((await refusalOf(sendMail(server.smtpPort, mail))).response).toMatch(/^550 5\.1\.1 /);
});
