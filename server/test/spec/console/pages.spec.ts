import { findAccessibilityProblems } from '@postrider/testkit/browser/find-accessibility-problems.ts';
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { startSession } from '@postrider/testkit/browser/person-pages.ts';
import { makePerson, signedIn, type TestPerson } from '@postrider/testkit/http/console-browser.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { TOTP } from 'otpauth';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createKey } from '../../../src/keys/manage-keys.ts';

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([joinTestServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Opens a page of the console in a new browser, and collects what must not happen on any page. */
async function openPage(
  path: string,
  { person, width = 1200 }: { person?: TestPerson; width?: number } = {},
) {
  const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: 'reduce' });
  onTestFinished(() => context.close());
  if (person) await startSession(context, server, person);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Warning:|Minified React/.test(message.text())) faults.push(message.text());
  });
  await page.goto(`${server.url}/console${path}`);
  return { page, faults };
}

async function signIn(page: Page, { email, password }: Pick<TestPerson, 'email' | 'password'>) {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

const pathOf = (page: Page) => page.url().slice(server.url.length);
const statusWith = async (key: string) =>
  (await fetch(`${server.url}/v1/account`, { headers: { authorization: `Bearer ${key}` } })).status;

describe('the sign-in', () => {
  test('comes before a page and leads back to it, with its filters', async () => {
    const { page, faults } = await openPage('/keys?filter=a%20b');
    await page.getByLabel('Email address').waitFor();
    expect(await page.title()).toBe('Sign in · Postrider');
    expect(await findAccessibilityProblems(page)).toEqual([]);
    const person = await makePerson(server);
    await signIn(page, { ...person, password: 'not this one' });
    await page.getByText('Check the email address and the password.').waitFor();
    await signIn(page, person);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(pathOf(page)).toBe('/console/keys?filter=a%20b');
    expect(faults).toEqual([]);
  });

  test('asks for the second factor, and says that a code is wrong', async () => {
    const { person, ...session } = await signedInWithFactor();
    const { page } = await openPage('/keys');
    await signIn(page, person);
    await page.getByLabel('Code').fill('000000');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The code is wrong.').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Code').fill(session.recoveryCode);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  test('follows when the person signs out, and when the session has ended elsewhere', async () => {
    const person = await makePerson(server);
    const { page, faults } = await openPage('/keys');
    await signIn(page, person);
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await signIn(page, person);
    await page.getByRole('button', { name: 'Create a key' }).first().click();
    await page.getByLabel('Name').fill('late');
    await page.context().clearCookies();
    // By the keyboard, which waits for no button: the page may read something first, and leave by that.
    await page.keyboard.press('Enter');
    await page.getByLabel('Email address').waitFor();
    expect(pathOf(page)).toBe('/console/sign-in?next=%2Fkeys');
    expect(faults).toEqual([]);
  });

  test('is not shown while it is unknown who is signed in, which is asked once and again on request', async () => {
    const { page } = await openPage('/sign-in');
    let asked = 0;
    await page.route('**/console/api/session', (route) => {
      asked += 1;
      return route.fulfill({ status: 500, json: { error: 'internal', message: 'It failed.' } });
    });
    await page.goto(`${server.url}/console`);
    await page.getByRole('alert').waitFor();
    expect(asked).toBe(1);
    await page.unroute('**/console/api/session');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByLabel('Email address').waitFor();
  });
});

/** Creates a person who has a second factor, and returns one of the recovery codes. */
async function signedInWithFactor() {
  const session = await signedIn(server);
  const { password } = session.person;
  const begun = await session.request('/me/second-factor', { method: 'POST', body: { password } });
  const { secret } = begun.body as unknown as { secret: string };
  const code = new TOTP({ secret }).generate({ timestamp: server.server.deps.clock.now().getTime() });
  const confirmed = await session.request('/me/second-factor/confirm', { method: 'POST', body: { code } });
  const [recoveryCode = ''] = (confirmed.body as unknown as { recovery_codes: string[] }).recovery_codes;
  return { person: session.person, recoveryCode };
}

describe('the page of API keys', () => {
  test('creates a key that works, shows it once, and revokes it', async () => {
    const { page, faults } = await openPage('/keys', { person: await makePerson(server) });
    await page.getByRole('button', { name: 'Create a key' }).first().click();
    await page.getByLabel('Name').fill('agent of the page');
    await page.keyboard.press('Enter');
    const key = (await page.getByRole('region', { name: 'API key' }).textContent()) ?? '';
    expect(await statusWith(key)).toBe(200);
    await page.getByText(`export POSTRIDER_API_KEY=${key}`).waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('row', { name: /agent of the page/ }).waitFor();
    await page.getByText('Copy it now.').waitFor({ state: 'detached' });
    expect((await page.content()).includes(key)).toBe(false);
    await page.getByRole('button', { name: 'Revoke agent of the page' }).click();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await page.getByText('“agent of the page” was revoked.').waitFor();
    expect(await statusWith(key)).toBe(401);
    await page.getByRole('row', { name: /agent of the page.*Revoked/ }).waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('asks what should happen to what a key created, and keeps or stops it', async () => {
    const owner = await server.workspace();
    const { deps } = server.server;
    const inbox = await server.inbox(owner);
    const agent = async (name: string) => {
      const { key } = await createKey(deps, owner.name, name);
      const client = new Postrider({ apiKey: key, baseURL: `${server.url}/v1` });
      const url = `https://agent.example.com/${name}`;
      const hook = await client.webhooks.create({ url, events: ['message.received'] });
      const scheduled_at = new Date(deps.clock.now().getTime() + 86_400_000).toISOString();
      const draft = await client.drafts.create({
        inbox_id: inbox.id,
        to: 'ada@remote.example',
        scheduled_at,
      });
      return { hook, draft };
    };
    const [kept, stopped] = [await agent('kept'), await agent('stopped')];
    const { page, faults } = await openPage('/keys', { person: await makePerson(server, 'owner', owner) });
    for (const name of ['kept', 'stopped']) {
      await page.getByRole('button', { name: `Revoke ${name}` }).click();
      await page.getByText('It created 1 webhook and 1 scheduled draft.').waitFor();
      await page.getByText(`https://agent.example.com/${name}`).waitFor();
      expect(await findAccessibilityProblems(page)).toEqual([]);
      if (name === 'kept') await page.getByLabel('Keep them').check();
      await page.getByRole('button', { name: 'Revoke the key' }).click();
      await page.getByText(`“${name}” was revoked.`).waitFor();
    }
    const { webhooks, drafts } = owner.client;
    expect([(await webhooks.get(kept.hook.id)).enabled, (await drafts.get(kept.draft.id)).status]).toEqual([
      true,
      'scheduled',
    ]);
    expect([
      (await webhooks.get(stopped.hook.id)).enabled,
      (await drafts.get(stopped.draft.id)).status,
    ]).toEqual([false, 'draft']);
    expect(faults).toEqual([]);
  });

  test('tells members that it is for owners', async () => {
    const { page } = await openPage('/keys', { person: await makePerson(server, 'member') });
    await page.getByRole('heading', { name: 'Only owners can see this page' }).waitFor();
    expect(await page.getByRole('navigation').getByText('API keys').count()).toBe(0);
  });
});

describe('the frame of the pages', () => {
  test('opens the palette and the help by keys, and goes to a page by its keys', async () => {
    const { page, faults } = await openPage('/nothing/here', { person: await makePerson(server) });
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    // At once, since they belong together for a moment only.
    await Promise.all([page.keyboard.press('g'), page.keyboard.press('k')]);
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe('/console/keys');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Control+k');
    const words = page.getByPlaceholder('Go to a page or run a command');
    await words.fill('late parcel & co');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Search', exact: true }).waitFor();
    expect(pathOf(page)).toBe('/console/search?q=late%20parcel%20%26%20co');
    await page.keyboard.press('Control+k');
    await words.fill('shortcuts');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('says that the code of a page cannot be loaded, and shows the page once it can', async () => {
    const { page, faults } = await openPage('/usage', { person: await makePerson(server) });
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
    const code = /\/assets\/keys-page-[^/]*\.js/;
    await page.route(code, (route) => route.abort());
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.waitForEvent('load');
    await page.getByText('This page could not be loaded').waitFor();
    expect(pathOf(page)).toBe('/console/keys');
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Usage' }).click();
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByText('This page could not be loaded').waitFor();
    await page.unroute(code);
    await page.getByRole('button', { name: 'Reload the page' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('says that an address names a workspace of others, and leads to the own one', async () => {
    const { page, faults } = await openPage('/keys?workspace=wsp_nope', { person: await makePerson(server) });
    await page.getByRole('heading', { name: 'You are not in this workspace' }).waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.getByRole('link', { name: 'Go to your own workspace' }).click();
    await page.getByRole('heading', { name: 'Inboxes', exact: true }).waitFor();
    expect(faults).toEqual([]);
  });

  test('is left by one step back from the first page', async () => {
    const { page } = await openPage('/keys', { person: await makePerson(server) });
    await page.getByRole('table').waitFor();
    await page.goto(new URL('/console/', page.url()).href);
    await page.getByRole('heading', { name: 'Inboxes', exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/console/keys');
  });

  test('keeps the dark scheme, in which everything can be read', async () => {
    const { page } = await openPage('/keys', { person: await makePerson(server) });
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    await page.reload();
    await page.getByRole('table').waitFor();
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    expect(await findAccessibilityProblems(page)).toEqual([]);
  });

  test('fits a phone, with the navigation in a drawer', async () => {
    const { page } = await openPage('/keys', { person: await makePerson(server), width: 360 });
    await page.getByRole('table').waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    const link = page.getByRole('link', { name: 'API keys' });
    expect(await link.isVisible()).toBe(false);
    const burger = page.getByRole('button', { name: 'Open the navigation' });
    await burger.click();
    await link.waitFor();
    await page.keyboard.press('Escape');
    await link.waitFor({ state: 'hidden' });
    await expect
      .poll(() => burger.evaluate((button) => button === button.ownerDocument.activeElement))
      .toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Close the navigation' }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Write a message');
    await link.click();
    await link.waitFor({ state: 'hidden' });
    expect(await findAccessibilityProblems(page)).toEqual([]);
  });
});
