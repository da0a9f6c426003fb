/*
 * The documentation as a running server shows it, to programs and in a browser: built, or plainly from its sources where it is not built.
 */
import { findAccessibilityProblems } from '@postrider/testkit/browser/find-accessibility-problems.ts';
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { takePicture } from '@postrider/testkit/browser/take-picture.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

type Browser = Awaited<ReturnType<typeof openBrowser>>;

const desk = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };
const pages = ['', 'quickstart', 'guides/sending', 'reference/messages', 'self-hosting/limits', 'compare'];

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([joinTestServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  server.request(path, { key: null, headers });

test('Interface 6: /docs has the guides and the reference of this version, without a key or cookie', async () => {
  const guide = await get('/docs/guides/sending', { accept: 'text/html' });
  expect([guide.status, guide.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  expect(guide.text).toContain('Follow the delivery');
  expect(guide.headers.get('set-cookie')).toBeNull();
  const reference = await get('/docs/reference/messages', { accept: 'text/markdown' });
  expect(reference.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(reference.text).toContain('`POST /messages`');
});

test('Interface 6: /llms.txt leads models to the Markdown of each page', async () => {
  const { status, text } = await get('/llms.txt');
  expect([status, text.startsWith('# Postrider\n\n> ')]).toEqual([200, true]);
  const links = [...text.matchAll(/\]\((\/docs\/[^)#]+)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(90);
  const answers = await Promise.all(links.map(async (link) => [link, (await get(link)).status]));
  expect(answers.filter(([, answer]) => answer !== 200)).toEqual([]);
  expect((await get('/docs/llms-full.txt')).text.length).toBeGreaterThan(400_000);
});

test('an unknown page is a 404', async () => {
  expect((await get('/docs/nothing', { accept: 'text/html' })).status).toBe(404);
  expect((await get('/docs/nothing', { accept: 'application/json' })).body).toMatchObject({
    error: 'not_found',
  });
});

describe('in a browser', () => {
  test.each(pages)(
    '/docs/%s has no problem of accessibility, fits a phone and runs nothing that is not allowed',
    async (path) => {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      page.on('request', (request) => request.url().startsWith(server.url) || problems.push(request.url()));
      for (const [name, viewport] of Object.entries({ desk, phone }))
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.setViewportSize(viewport);
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await page.goto(`${server.url}/docs/${path}`);
          const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (excess > 0) problems.push(`${name}: ${excess} px wider than the screen`);
          problems.push(...(await findAccessibilityProblems(page)));
          await takePicture(page, `docs-${path.replaceAll('/', '-') || 'contents'}-${name}-${colorScheme}`);
        }
      await page.close();
      expect(problems).toEqual([]);
    },
  );

  test('a person comes from the address of the server to a page, and to the console', async () => {
    const page = await browser.newPage();
    await page.goto(server.url);
    expect(page.url()).toBe(`${server.url}/docs/`);
    await page.getByRole('main').getByRole('link', { name: 'Quickstart', exact: true }).click();
    await page.getByRole('heading', { name: 'Create an inbox' }).waitFor();
    expect(page.url()).toBe(`${server.url}/docs/quickstart`);
    await page.getByRole('link', { name: 'Console', exact: true }).first().click();
    await page.waitForURL(/\/console/);
    await page.close();
  });
});
