import { findAccessibilityProblems } from '@postrider/testkit/browser/find-accessibility-problems.ts';
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { startSession } from '@postrider/testkit/browser/person-pages.ts';
import { makePerson } from '@postrider/testkit/http/console-browser.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

let server: TestServer;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  [server, browser] = await Promise.all([joinTestServer(), openBrowser()]);
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  await startSession(context, server, await makePerson(server));
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const open = (path: string) => page.goto(`${server.url}/console${path}`);
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const say = (text: string | RegExp) => page.getByText(text).first().waitFor();

/** Sends what is being written, and returns the message as the inbox got it. */
const send = async (inboxId: string) => {
  await button('Send').click();
  await button('Send now').click();
  await page.getByRole('heading', { name: 'Message sent' }).waitFor();
  const sent = await server.client.messages.list({ inbox_id: inboxId, direction: 'inbound' });
  return sent.messages[0];
};

test('a person who changes the text of a formatted draft sends that text only', async () => {
  const from = await server.inbox();
  const to = await server.inbox();
  const { id } = await server.client.drafts.create({
    inbox_id: from.id,
    to: to.address,
    subject: 'Offer',
    text: 'It costs 10.',
    html: '<p>It costs 10.</p>',
  });
  await open(`/compose?draft=${id}`);
  await say('Editing the text replaces it.');
  await field('Message').fill('It costs 20.');
  const message = await send(to.id);
  expect(message?.body_text?.trim()).toBe('It costs 20.');
  expect(message?.body_html ?? '').not.toContain('10');
});

test('a text is formatted, goes on after a reload, and what is pasted keeps nothing but its format', async () => {
  const from = await server.inbox();
  const to = await server.inbox();
  await open(`/compose?inbox=${from.id}&to=${to.address}`);
  await field('Subject').fill('Formatted');
  await field('Message').focus();
  await page.keyboard.type('Dear Ada,');
  await page.keyboard.press('Enter');
  await button('Bold').click();
  await page.keyboard.type('Bring');
  await button('Bold').click();
  await page.keyboard.press('Enter');
  await button('Bulleted list').click();
  await page.keyboard.type('cards');
  await page.keyboard.press('Enter');
  await field('Message').evaluate((element) => {
    const clipboardData = new DataTransfer();
    const html =
      '<div onclick="top.ran = 1" style="position:fixed">an <i>engine</i><img src="x" onerror="top.ran = 1">' +
      '<script>top.ran = 1</script><a href="javascript:top.ran = 1">now</a> <a href="https://shop.example/">here</a></div>';
    clipboardData.setData('text/html', html);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  await say('Saved as a draft');
  await page.reload();
  await field('Message').getByText('Bring').waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(await page.evaluate(() => 'ran' in window)).toBe(false);
  const message = await send(to.id);
  const text = 'Dear Ada,\nBring\n- cards\n- an enginenow here (https://shop.example/)';
  expect(message?.body_text?.trim()).toBe(text);
  expect(message?.body_html).toContain('<strong>Bring</strong>');
  expect(message?.body_html).toContain('an <em>engine</em>now <a href="https://shop.example/">here</a>');
  expect(message?.body_html).not.toMatch(/script|onclick|onerror|<img|position/);
});

test('a blank line of a formatted text has a height in the mail, and stays after a reload', async () => {
  const to = await server.inbox();
  await open(`/compose?to=${to.address}`);
  await field('Subject').fill('Blank lines');
  await field('Message').focus();
  await page.keyboard.type('**Dear** Ada,');
  for (const line of ['', 'See you', '', '', 'Grace']) {
    await page.keyboard.press('Enter');
    await page.keyboard.type(line);
  }
  await say('Saved as a draft');
  await page.reload();
  await field('Message').getByText('Grace').waitFor();
  expect(await field('Message').locator('strong').allTextContents()).toEqual(['Dear']);
  expect(await field('Message').locator('p').allTextContents()).toHaveLength(6);
  const message = await send(to.id);
  expect(message?.body_text?.trim()).toBe('Dear Ada,\n\nSee you\n\n\nGrace');
  expect(message?.body_html?.match(/<p [^>]*><br><\/p>/g)).toHaveLength(3);
});

test('a space at the end of a formatted text is there after a reload', async () => {
  const to = await server.inbox();
  await open(`/compose?to=${to.address}`);
  await field('Subject').fill('Spaces');
  await field('Message').focus();
  await page.keyboard.type('**a** ');
  await say('Saved as a draft');
  await page.reload();
  await field('Message').getByText('a', { exact: true }).waitFor();
  await field('Message').focus();
  await page.keyboard.press('Control+End');
  await page.keyboard.type('b');
  const message = await send(to.id);
  expect(message?.body_text?.trim()).toBe('a b');
  expect(message?.body_html).toContain('<strong>a</strong> b');
});

test('the version of a program is shown until the text is changed, also if the new text is formatted', async () => {
  const from = await server.inbox();
  const { id } = await server.client.drafts.create({
    inbox_id: from.id,
    subject: 'Offer',
    text: 'It costs 10.',
    html: '<table><tr><td>It costs 10.</td></tr></table>',
  });
  await open(`/compose?draft=${id}`);
  const note = page.getByText('Editing the text replaces it.');
  await note.waitFor();
  await field('Message').focus();
  await page.keyboard.type('**Now** ');
  await note.waitFor({ state: 'detached' });
});
