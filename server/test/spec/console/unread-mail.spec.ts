import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { openAs } from '@postrider/testkit/browser/person-pages.ts';
import { makePerson } from '@postrider/testkit/http/console-browser.ts';
import { receiveUnread } from '@postrider/testkit/servers/receive-unread.ts';
import { makeTakingInbox } from '@postrider/testkit/servers/taking-inbox.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSequencer } from '../../../src/events/write-log.ts';
import { startParsingAgain } from '../../../src/parsing/parse-again.ts';

let server: TestServer;
let browser: Awaited<ReturnType<typeof openBrowser>>;

beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ roles: ['api'] }), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

test('a mail that the server was too busy to read says so in the console, and shows its text and files once it was read', async () => {
  const inbox = await makeTakingInbox(server);
  const id = await receiveUnread(server, inbox, 'The plan', 'Please sign by noon.');
  const { thread_id } = await server.client.messages.get(id);
  const page = await openAs(browser, server, await makePerson(server, 'owner'), `/threads/${thread_id}`);
  await page.getByText('The server was too busy to read this email.').waitFor();
  expect(await page.getByRole('button', { name: /^Download plan\.txt/ }).count()).toBe(0);
  await page.getByRole('img', { name: /^Live/ }).waitFor();
  const { deps } = server.server;
  const stops = [startSequencer(deps), startParsingAgain(deps)];
  try {
    await page.locator('.message-text').getByText('Please sign by noon.').waitFor();
    await page.getByRole('button', { name: /^Download plan\.txt/ }).waitFor();
  } finally {
    await Promise.all(stops.map((stop) => stop()));
  }
});
