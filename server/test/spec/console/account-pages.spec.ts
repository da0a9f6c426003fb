import { findAccessibilityProblems } from '@postrider/testkit/browser/find-accessibility-problems.ts';
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import {
  addAuthenticator,
  openAs,
  openPage,
  readRegion,
  signInOn,
  signOut,
} from '@postrider/testkit/browser/person-pages.ts';
import { makePerson, type TestPerson } from '@postrider/testkit/http/console-browser.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
let browser: Awaited<ReturnType<typeof openBrowser>>;

beforeAll(async () => {
  [server, browser] = await Promise.all([joinTestServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const openFor = (person: TestPerson, path: string) => openAs(browser, server, person, path);

test('a forgotten password is for the operator where the server sends no mail', async () => {
  const page = await openPage(browser, server.url, '/sign-in');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await page.getByRole('heading', { name: 'Forgot your password?' }).waitFor();
  await page.getByLabel('Email address').fill('lost@example.com');
  await page.getByRole('button', { name: 'Request a link' }).click();
  expect(await readRegion(page, 'Command for the operator')).toBe(
    'npm run postrider -- people reset lost@example.com',
  );
  expect(await findAccessibilityProblems(page)).toEqual([]);
});

describe('the own account', () => {
  test('turns the second factor on by a code, shows recovery codes once, and turns it off', async () => {
    const person = await makePerson(server);
    const page = await openFor(person, '/account');
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Set up' }).click();
    await dialog.getByLabel('Current password').fill('not this one');
    await page.keyboard.press('Enter');
    await dialog.getByText('The password is wrong').waitFor();
    await dialog.getByLabel('Current password').fill(person.password);
    await page.keyboard.press('Enter');
    await dialog.getByRole('img', { name: /QR code/ }).waitFor();
    const secret = (await readRegion(page, 'Or enter this secret manually')).replaceAll(' ', '');
    await dialog.getByLabel('Code from the app').fill('000000');
    await page.keyboard.press('Enter');
    await dialog.getByText('The code is wrong.').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    const timestamp = server.server.deps.clock.now().getTime();
    await dialog.getByLabel('Code from the app').fill(new TOTP({ secret }).generate({ timestamp }));
    await page.keyboard.press('Enter');
    expect((await readRegion(page, 'Recovery codes')).trim().split('\n')).toHaveLength(10);
    await page.getByRole('button', { name: 'I have saved the codes' }).click();
    await page.getByText('10 recovery codes are left.').waitFor();
    await page.getByRole('button', { name: 'Remove', exact: true }).click();
    await dialog.getByLabel('Current password').fill(person.password);
    await page.getByRole('button', { name: 'Remove the second factor' }).click();
    await page.getByText('The second factor was removed.').waitFor();
  });

  test('changes the password, which signs out other devices', async () => {
    const person = await makePerson(server);
    const page = await openFor(person, '/account');
    const other = await openFor(person, '/account');
    await other.getByText('This device').waitFor();
    await page.getByLabel('Current password').fill(person.password);
    await page.getByLabel('New password').fill('another long password');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('The password was changed').waitFor();
    await other.reload();
    await signInOn(other, { ...person, password: 'another long password' });
    await other.getByRole('heading', { name: 'Devices' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: /^Sign out Chrome on/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText(/Chrome on \w+ was signed out/).waitFor();
    await other.reload();
    await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
  });

  test('adds a passkey, which signs in without a password until it is removed', async () => {
    const person = await makePerson(server);
    const page = await openPage(browser, server.url.replace('127.0.0.1', 'localhost'), '/account');
    await addAuthenticator(page);
    await signInOn(page, person);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Test key');
    await page.getByRole('dialog').getByLabel('Current password').fill(person.password);
    await page.keyboard.press('Enter');
    await page.getByText('You can now sign in with “Test key”.').waitFor();
    await page.getByText('Never used').waitFor();
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: /^Account of/ }).waitFor();
    await page.goto(`${new URL(page.url()).origin}/console/account`);
    await page.getByRole('button', { name: 'Remove the passkey Test key' }).click();
    await page.getByRole('dialog').getByLabel('Current password').fill(person.password);
    await page.getByRole('button', { name: 'Remove the passkey', exact: true }).click();
    await page.getByText('You have no passkeys yet.').waitFor();
    await signOut(page);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('Sign-in failed').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
  });

  test('says why there are no passkeys at an IP address', async () => {
    const page = await openFor(await makePerson(server), '/account');
    await page.getByText('Passkeys need a host name in the address of this page.').waitFor();
    expect(await page.getByRole('button', { name: 'Add a passkey' }).isDisabled()).toBe(true);
  });
});
