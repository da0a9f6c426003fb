/*
 * Every page of the console in a real browser: light and dark, on a desk and on a phone. axe finds nothing, nothing is wider than the
 * screen, and `POSTRIDER_TEST_PICTURES=1` leaves pictures to be looked at.
 */
import { findAccessibilityProblems } from '@postrider/testkit/browser/find-accessibility-problems.ts';
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { openAs, openPage, settle, startSession } from '@postrider/testkit/browser/person-pages.ts';
import { takePicture } from '@postrider/testkit/browser/take-picture.ts';
import { type Demo, fillDemo } from '@postrider/testkit/console/fill-demo.ts';
import { fillPath, pathsIn } from '@postrider/testkit/console/page-paths.ts';
import { signedIn, type TestPerson } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Page = Awaited<ReturnType<typeof openPage>>;

const desk = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

const paths = pathsIn('navigation.ts').filter((path) => path !== 'messages/:messageId');
const publicPaths = pathsIn('public-pages.ts');

let server: TestServer;
let receiver: WebhookReceiver;
let browser: Browser;
let person: TestPerson;
let demo: Demo;

beforeAll(async () => {
  [receiver, browser] = await Promise.all([startWebhookReceiver(), openBrowser()]);
  server = await startTestServer();
  const owner = await signedIn(server);
  person = owner.person;
  await owner.request('/workspace', { method: 'PATCH', body: { title: 'Acme' } });
  demo = await fillDemo(server, { client: server.client, webhookUrl: receiver.url });
  await owner.request('/invitations', {
    method: 'POST',
    body: { email: 'grace@example.com', role: 'member' },
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await receiver?.close();
});

const filled = (path: string) =>
  fillPath(path, { ...demo, messageId: '' }).replace(/^search$/, 'search?q=order');

/** Returns how much wider than the screen a page stays. Charts take a moment to get their new size. */
async function excessOf(page: Page): Promise<number> {
  const measure = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await eventually('the page to fit', async () => (await measure()) <= 0).catch(() => {});
  return measure();
}

/** Looks at a page in both schemes and sizes. Returns what is wrong with it. */
async function examine(page: Page, name: string): Promise<string[]> {
  const wrong: string[] = [];
  for (const [size, viewport] of Object.entries({ desk, phone }))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await settle(page);
      const excess = await excessOf(page);
      if (excess > 0) wrong.push(`${name}, ${size}: ${excess} px wider than the screen`);
      wrong.push(
        ...(await findAccessibilityProblems(page)).map(
          (problem) => `${name}, ${size}, ${colorScheme}: ${problem}`,
        ),
      );
      await takePicture(page, `${name}-${size}-${colorScheme}`);
    }
  return wrong;
}

const nameOf = (path: string) => path.replace(/\/?:\w+\??/g, '-one').replaceAll('/', '-');

describe('a page that anybody may open', () => {
  test.each(publicPaths)('%s', async (path) => {
    const page = await openPage(browser, server.url, `/${path}`);
    expect(await examine(page, nameOf(path))).toEqual([]);
  });
});

describe('a page behind the sign-in', () => {
  let page: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    const context = await browser.newContext();
    await startSession(context, server, person);
    page = await context.newPage();
    page.on('pageerror', (error) => faults.push(error.message));
  });

  test.each(paths)('%s', async (path) => {
    await page.setViewportSize(desk);
    await page.goto(`${server.url}/console/${filled(path)}`);
    const wrong = await examine(page, nameOf(path));
    expect([...wrong, ...faults.splice(0)]).toEqual([]);
  });
});

test('without data, each page says what belongs there and how to begin', async () => {
  const empty = await server.workspace();
  const stranger = await signedIn(server, 'owner', empty);
  const page = await openAs(browser, server, stranger.person, '/');
  const silent: string[] = [];
  for (const path of paths.filter((one) => !one.includes(':'))) {
    await page.goto(`${server.url}/console/${path}`);
    await settle(page);
    const text = (await page.getByRole('main').textContent()) ?? '';
    if (text.trim().split(/\s+/).length < 8) silent.push(path);
    await takePicture(page, `${nameOf(path)}-empty`);
  }
  expect(silent).toEqual([]);
});
