import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { findAccessibilityProblems } from './find-accessibility-problems.ts';
import { findChromium } from './find-chromium.ts';
import { openBrowser } from './open-browser.ts';
import { type PageServer, startPageServer } from './page-server.ts';

const page = `<!doctype html><html lang="en"><title>Sum</title><main><h1>Sum</h1><p id="sum"></p></main>
<script>document.getElementById('sum').textContent = [1, 2, 3].reduce((a, b) => a + b);</script></html>`;
const withoutNames = '<!doctype html><html><title>Form</title><img src="/x.png"><input></html>';
const pngSignature = [0x89, 0x50, 0x4e, 0x47];

describe('openBrowser', () => {
  let browser: Browser;
  let server: PageServer;
  const cookies: (string | undefined)[] = [];

  beforeAll(async () => {
    server = await startPageServer((request, response) => {
      // Newer browsers ask for an icon, too.
      if (request.url !== '/favicon.ico') cookies.push(request.headers.cookie);
      response.setHeader('content-type', 'text/html');
      response.setHeader('set-cookie', 'seen=1');
      response.end(request.url === '/form' ? withoutNames : page);
    });
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
  });

  test('runs the scripts of a page and takes a picture of it', async () => {
    const context = await browser.newContext();
    const tab = await context.newPage();
    await tab.goto(server.url);
    expect(await tab.textContent('#sum')).toBe('6');
    expect([...(await tab.screenshot()).subarray(0, 4)]).toEqual(pngSignature);
    await context.close();
  });

  test('keeps the cookies of two contexts apart', async () => {
    cookies.length = 0;
    for (let times = 0; times < 2; times += 1) {
      const context = await browser.newContext();
      const tab = await context.newPage();
      await tab.goto(server.url);
      await context.close();
    }
    expect(cookies[0]).toBeUndefined();
    expect(cookies.every((cookie) => cookie === undefined)).toBe(true);
  });

  test('keeps the protections of pages: one origin cannot read another', async () => {
    const other = await startPageServer((_request, response) => response.end('secret'));
    const tab = await browser.newPage();
    await tab.goto(server.url);
    const read = await tab.evaluate(
      (url) =>
        fetch(url).then(
          (response) => response.text(),
          () => 'refused',
        ),
      other.url,
    );
    expect(read).toBe('refused');
    await tab.close();
    await other.close();
  });

  test('finds what a page breaks of WCAG', async () => {
    const context = await browser.newContext();
    const tab = await context.newPage();
    await tab.goto(server.url);
    expect(await findAccessibilityProblems(tab)).toEqual([]);
    await tab.goto(`${server.url}/form`);
    const rules = (await findAccessibilityProblems(tab)).map((line) => line.split(':')[0]);
    expect(rules.sort()).toEqual(['html-has-lang', 'image-alt', 'label']);
    await context.close();
  });
});

test('a path that cannot be run is refused by name', async () => {
  vi.stubEnv('POSTRIDER_TEST_CHROMIUM', '/nowhere/chrome');
  await expect(findChromium()).rejects.toThrow('POSTRIDER_TEST_CHROMIUM names /nowhere/chrome');
});
