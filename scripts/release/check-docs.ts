/*
 * Builds the documentation and looks at it as a server shows it: size, requests, accessibility of every page, the search, and the parts
 * that run in a browser. Throws an error that says what is wrong.
 */
import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBrowser } from '../../testkit/src/browser/open-browser.ts';
import { examinePages, search } from './docs-pages.ts';
import { measureFirstPage, startDocsServer } from './docs-server.ts';

type Browser = Awaited<ReturnType<typeof openBrowser>>;

const root = fileURLToPath(new URL('../../', import.meta.url));
const builtFolder = join(root, 'site', 'dist');
const firstPageBytesMax = 150 * 1024;
/** All files in all encodings, which a server may come to have in memory. */
const builtBytesMax = 24 * 1024 * 1024;
const foundMax = 3;

/** Questions of people, the words that they type, and the page that answers it. */
const questions: { question: string; words: string; page: string }[] = [
  {
    question: 'How does my agent get the code of a sign-up?',
    words: 'wait for code',
    page: 'guides/waiting',
  },
  {
    question: 'Is this webhook really from the server?',
    words: 'verify signature',
    page: 'guides/verifying-webhooks',
  },
  { question: 'How do I keep a retry from sending twice?', words: 'send once', page: 'guides/sending' },
  {
    question: 'Can I read a mail before it goes out?',
    words: 'approve phone',
    page: 'guides/approve-by-phone',
  },
  { question: 'How do I send from my own domain?', words: 'own domain', page: 'guides/own-domain' },
  { question: 'How do I use SES?', words: 'amazon ses', page: 'self-hosting/ses' },
  { question: 'How do I connect Claude?', words: 'claude', page: 'guides/mcp' },
  { question: 'Why do I get 429?', words: 'rate_limited', page: 'reference/errors' },
  { question: 'Why is an address not sent to any more?', words: 'suppressed', page: 'guides/suppressions' },
  {
    question: 'My agent sends nonsense. How do I stop it?',
    words: 'stop all sending',
    page: 'guides/when-an-agent-goes-wrong',
  },
];

/** Checks the built documentation, and prints what it measured. */
export default async function checkDocs(): Promise<void> {
  execFileSync(process.execPath, [join(root, 'scripts', 'build-docs.ts')], { stdio: 'inherit' });
  const wrong: string[] = [];
  const paths = checkFiles(wrong);
  const server = await startDocsServer();
  const browser = await openBrowser();
  try {
    await checkFirstPages(browser, server.url, wrong);
    await checkParts(browser, server.url, wrong);
    await checkQuestions(browser, server.url, wrong);
    const problems = await examinePages(browser, server.url, paths);
    console.log(
      `  ${paths.length} pages, light on a desk and dark on a phone: ${problems.length} problems of accessibility, width, policy or scripts`,
    );
    wrong.push(...problems);
  } finally {
    await browser.close();
    await server.stop();
  }
  if (wrong.length > 0)
    throw new Error(`${wrong.length} of the documentation:\n${wrong.slice(0, 50).join('\n')}`);
}

function checkFiles(wrong: string[]): string[] {
  const names = readdirSync(builtFolder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(builtFolder, name)).isFile());
  const bytes = files.reduce((sum, name) => sum + statSync(join(builtFolder, name)).size, 0);
  console.log(
    `  ${files.length} files, ${megabytes(bytes)} in all encodings (at most ${megabytes(builtBytesMax)})`,
  );
  if (bytes > builtBytesMax) wrong.push(`The files have ${megabytes(bytes)}.`);
  return files
    .filter((name) => name.endsWith('.html') && name !== '404.html')
    .map((name) => `/docs/${name.replace(/(^|\/)index\.html$/, '$1').replace(/\.html$/, '')}`)
    .sort();
}

async function checkFirstPages(browser: Browser, url: string, wrong: string[]): Promise<void> {
  for (const path of ['/', '/docs/quickstart', '/docs/guides/sending']) {
    const { requests, bytes } = await measureFirstPage(browser, url + path);
    const size = `${path} in a browser with an empty cache: ${(bytes / 1024).toFixed(1)} KB in ${requests} requests`;
    console.log(`  ${size} (at most ${firstPageBytesMax / 1024} KB)`);
    if (bytes > firstPageBytesMax) wrong.push(size);
  }
}

/** The parts of a page that scripts make work. */
async function checkParts(browser: Browser, url: string, wrong: string[]): Promise<void> {
  const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  try {
    const page = await context.newPage();
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
    await page.goto(`${url}/docs/reference/messages`);
    await page.getByRole('button', { name: 'Copy page' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    if (!(await copied()).startsWith('# Messages'))
      wrong.push('"Copy page" does not copy the Markdown of the page.');
    const group = page.locator('.vp-code-group').first();
    await group.getByText('Python', { exact: true }).click();
    if (!(await group.locator('.language-python').isVisible()))
      wrong.push('The tab "Python" does not show Python.');
    await group.locator('.language-python button.copy').click();
    if (!(await copied()).includes('client.messages.send('))
      wrong.push('The button of a block does not copy its code.');
    await page.getByRole('switch').first().click();
    await page.reload();
    if (!(await page.evaluate('document.documentElement.classList.contains("dark")')))
      wrong.push('A dark page is light again after it was loaded anew.');
    if ((await context.cookies()).length > 0) wrong.push('A page sets a cookie.');
    console.log('  copy page, tabs, copy buttons and dark pages work; no cookies');
  } finally {
    await context.close();
  }
}

async function checkQuestions(browser: Browser, url: string, wrong: string[]): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`${url}/docs/`, { waitUntil: 'networkidle' });
  for (const { question, words, page: right } of questions) {
    const { pages, problems } = await search(page, words, foundMax);
    const place = pages.indexOf(right) + 1;
    wrong.push(...problems.map((problem) => `The search for "${words}": ${problem}`));
    console.log(`  "${words}" (${question}) → ${right}: ${place === 0 ? 'not found' : `place ${place}`}`);
    if (place === 0) wrong.push(`"${words}" finds ${pages.join(', ') || 'nothing'}, and not ${right}.`);
  }
  await page.close();
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await checkDocs();
