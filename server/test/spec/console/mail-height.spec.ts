import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { type PageServer, startPageServer } from '@postrider/testkit/browser/page-server.ts';
import { startSession } from '@postrider/testkit/browser/person-pages.ts';
import { makePerson } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

const imageHeight = 700;

let server: TestServer;
let browser: Browser;
let page: Page;
let images: PageServer;
/** The numbers of the images that the server of images sends. */
let released = 0;
let onRelease = Promise.withResolvers<void>();

const release = () => {
  released += 1;
  onRelease.resolve();
  onRelease = Promise.withResolvers();
};

beforeAll(async () => {
  [server, browser] = await Promise.all([joinTestServer(), openBrowser()]);
  images = await startPageServer(async ({ url = '' }, response) => {
    const number = Number(/\d+/.exec(url)?.[0]);
    while (number > released) await onRelease.promise;
    response.writeHead(200, { 'content-type': 'image/svg+xml' });
    response.end(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="${imageHeight}"/>`);
  });
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
  await startSession(context, server, await makePerson(server));
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await images?.close();
  await server?.stop();
});

const frame = () => page.locator('iframe');
const height = async () => (await frame().boundingBox())?.height ?? 0;
const imageTag = (number: number) => `<p><img src="${images.url}/${number}.svg"></p>`;

/** Opens a mail with an HTML text, on its own. */
const show = async (html: string) => {
  const inbox = await server.inbox();
  await sendMail(server.smtpPort, { from: 'ada@remote.example', to: inbox.address, subject: 'Tall', html });
  await server.filed();
  const [message] = (await server.client.messages.list({ inbox_id: inbox.id })).messages;
  await page.goto(`${server.url}/console/threads/${message?.thread_id}`);
};

test('a mail is in a frame as tall as its HTML, whose height no other window can tell', async () => {
  const html = `<p>Top</p><div style="height:2400px">x</div><img src="data:," onerror="top.postMessage({ mailHeight: 7000 }, '*')"><p>End</p>`;
  await show(html);
  await eventually('the height', async () => (await height()) > 2_400);
  const shown = page.frameLocator('iframe').locator('html');
  expect(await shown.evaluate((element) => element.scrollHeight - element.clientHeight)).toBe(0);
  const before = await height();
  expect(before).toBeLessThan(2_700);
  await page.evaluate(() => window.postMessage({ mailHeight: 9_000 }, '*'));
  await page.setViewportSize({ width: 390, height: 780 });
  await eventually('the width of a phone', async () => ((await frame().boundingBox())?.width ?? 999) < 390);
  expect(Math.abs((await height()) - before)).toBeLessThan(100);
  expect(await frame().getAttribute('sandbox')).toBe(
    'allow-scripts allow-popups allow-popups-to-escape-sandbox',
  );
});

test('a frame grows with every image that is loaded late', async () => {
  released = 0;
  const numbers = [1, 2, 3, 4, 5];
  await show(`<p>Top</p>${numbers.map(imageTag).join('')}<p>End</p>`);
  await page.getByRole('button', { name: 'Show images' }).click();
  for (const number of numbers) {
    release();
    await eventually(`image ${number}`, async () => (await height()) > number * imageHeight);
  }
  const shown = page.frameLocator('iframe').locator('html');
  await eventually(
    'the end of the mail',
    async () => (await shown.evaluate((element) => element.scrollHeight - element.clientHeight)) === 0,
  );
});

test('a mail that is taller than its frame whatever the frame does not grow for ever', async () => {
  released = 0;
  await show(`<div style="height:calc(100vh + 10px)">x</div>${imageTag(1)}`);
  await page.getByRole('button', { name: 'Show images' }).click();
  await page.frameLocator('iframe').getByText('x').waitFor();
  release();
  await eventually('the image', async () => (await height()) > imageHeight);
  const told = await page.evaluate(async () => {
    let count = 0;
    addEventListener('message', () => {
      count += 1;
    });
    for (let frames = 0; frames < 200; frames += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    return count;
  });
  expect(told).toBeLessThan(10);
  expect(await height()).toBeLessThan(12_000);
});
