import type { Browser, BrowserContext, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { ConsoleBrowser, type TestPerson } from '../http/console-browser.ts';
import type { TestServer } from '../servers/test-server.ts';

/** Opens a page of the console in a browser that nobody has used, until the test ends. */
export async function openPage(browser: Browser, origin: string, path: string): Promise<Page> {
  return openIn(await newContext(browser), origin, path);
}

async function newContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  await holdLonger(context);
  onTestFinished(() => context.close());
  return context;
}

async function openIn(context: BrowserContext, origin: string, path: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${origin}/console${path}`);
  return page;
}

/** Signs in on the page of the sign-in, which leads to the page that was asked for. */
export async function signInOn(
  page: Page,
  { email, password }: Pick<TestPerson, 'email' | 'password'>,
): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Opens a page of the console as a person who has signed in before. */
export async function openAs(
  browser: Browser,
  server: Pick<TestServer, 'url'>,
  person: TestPerson,
  path: string,
): Promise<Page> {
  const context = await newContext(browser);
  await startSession(context, server, person);
  return openIn(context, server.url, path);
}

/** Has a page wait five minutes in place of five seconds with what can be taken back, so that a slow machine does so in time. */
export async function holdLonger(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const usual = window.setTimeout.bind(window) as (...all: unknown[]) => number;
    window.setTimeout = ((run: unknown, ms?: number, ...more: unknown[]) =>
      usual(run, ms === 5_000 ? 300_000 : ms, ...more)) as typeof window.setTimeout;
  });
}

/** Signs in without the page of the sign-in, which takes a browser longer than most tests. */
export async function startSession(
  context: BrowserContext,
  server: Pick<TestServer, 'url'>,
  person: Pick<TestPerson, 'email' | 'password'>,
): Promise<void> {
  await holdLonger(context);
  const session = new ConsoleBrowser(server);
  const { status } = await session.signIn(person);
  if (status !== 200) throw new Error(`The sign-in was answered ${status}.`);
  await context.addCookies(browserCookies(session));
}

/** Returns the cookies of a session in the form in which a browser takes them. */
export function browserCookies({ cookies }: ConsoleBrowser): Parameters<BrowserContext['addCookies']>[0] {
  const shared = { domain: '127.0.0.1', path: '/', httpOnly: true, secure: true, sameSite: 'Lax' as const };
  return [...cookies].map(([name, value]) => ({ name, value, ...shared }));
}

/** Signs out, up to the page of the sign-in. */
export async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

/** Gives a page an authenticator that verifies its person at once. */
export async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
    },
  });
}

/** Returns the text of a region, such as a piece of code that is shown. */
export async function readRegion(page: Page, region: string): Promise<string> {
  return (await page.getByRole('region', { name: region }).textContent()) ?? '';
}

/** Waits until a page is drawn and what it reads has come: no skeleton is left, and nothing changes for a moment. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(
    ({ quietMs }) => {
      const state = globalThis as { settling?: { html: number; since: number } };
      const isReady =
        document.querySelector('h1, h2, form') && !document.querySelector('.mantine-Skeleton-root');
      const html = document.body.innerHTML.length;
      const now = performance.now();
      if (!isReady || state.settling?.html !== html) state.settling = { html, since: now };
      return isReady && now - state.settling.since >= quietMs;
    },
    { quietMs: 120 },
    { polling: 40 },
  );
}
