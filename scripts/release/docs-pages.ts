import { findAccessibilityProblems } from '../../testkit/src/browser/find-accessibility-problems.ts';
import type { openBrowser } from '../../testkit/src/browser/open-browser.ts';

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };

/**
 * Looks at pages in a browser, light on a desk and dark on a phone. Returns what is wrong: what axe finds, what is wider than the screen,
 * what the security policy kept from running, errors of scripts, and requests to other hosts.
 */
export async function examinePages(browser: Browser, origin: string, paths: string[]): Promise<string[]> {
  const wrong: string[] = [];
  const left = [...paths];
  const examineNext = async () => {
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    let name = '';
    page.on('console', (message) => message.type() === 'error' && wrong.push(`${name}: ${message.text()}`));
    page.on('pageerror', (error) => wrong.push(`${name}: ${error.message}`));
    page.on(
      'request',
      (request) => request.url().startsWith(origin) || wrong.push(`${name}: asks ${request.url()}`),
    );
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      for (const [size, colorScheme] of [
        ['desk', 'light'],
        ['phone', 'dark'],
      ] as const) {
        name = `${path}, ${size}, ${colorScheme}`;
        await page.setViewportSize(sizes[size]);
        await page.emulateMedia({ colorScheme });
        await page.goto(origin + path, { waitUntil: 'load' });
        wrong.push(...(await examine(page)).map((problem) => `${name}: ${problem}`));
      }
    }
    await context.close();
  };
  await Promise.all([examineNext(), examineNext()]);
  return wrong;
}

async function examine(page: Page): Promise<string[]> {
  await page.locator('main').waitFor();
  const excess = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  const problems = await findAccessibilityProblems(page);
  return [...problems, ...(Number(excess) > 0 ? [`${excess} px wider than the screen`] : [])];
}

/** The pages that a search finds, each once, best first, and the problems of accessibility of its dialog. */
export interface Found {
  pages: string[];
  problems: string[];
}

/** Types words into the search of a page. */
export async function search(page: Page, words: string, count: number): Promise<Found> {
  await page.keyboard.press('Control+k');
  const input = page.locator('#localsearch-input');
  await input.fill(words);
  await page.locator('#localsearch-list li, .no-results').first().waitFor();
  // The results of the words before may still be there.
  await page.waitForTimeout(600);
  const links = await page
    .locator('#localsearch-list li a')
    .evaluateAll((all) => all.map((link) => (link as unknown as { pathname: string }).pathname));
  const problems = await findAccessibilityProblems(page);
  await page.keyboard.press('Escape');
  const pages = [...new Set(links.map((link) => link.replace(/^\/docs\//, '')))].slice(0, count);
  return { pages, problems };
}
