import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { openAs } from '@postrider/testkit/browser/person-pages.ts';
import { makePerson } from '@postrider/testkit/http/console-browser.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, test } from 'vitest';

let server: TestServer;
let browser: Awaited<ReturnType<typeof openBrowser>>;

beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('mail that comes between the first list of a page and its stream of changes is shown', async () => {
  const inbox = await server.inbox();
  const receive = (subject: string) =>
    sendMail(server.smtpPort, { from: 'ada@remote.example', to: inbox.address, subject, text: 'Hello.' });
  await receive('Before');
  await server.filed();
  const page = await openAs(browser, server, await makePerson(server, 'owner'), '/threads');
  const { promise: hasCome, resolve: comes } = Promise.withResolvers<void>();
  await page.route('**/console/api/changes?*', async (route) => {
    await hasCome;
    await route.continue().catch(() => undefined);
  });
  await page.reload();
  await page.getByText('Before').first().waitFor();
  await receive('Meanwhile');
  await server.filed();
  comes();
  await page.getByText('Meanwhile').first().waitFor();
});
