/* Interface 19: the page on which owners make, see and revoke admin tokens. */
import { findAccessibilityProblems } from '@postrider/testkit/browser/find-accessibility-problems.ts';
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { openAs, readRegion } from '@postrider/testkit/browser/person-pages.ts';
import { takePicture } from '@postrider/testkit/browser/take-picture.ts';
import { makePerson } from '@postrider/testkit/http/console-browser.ts';
import { makeToken, manage } from '@postrider/testkit/http/management-requests.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let browser: Awaited<ReturnType<typeof openBrowser>>;

beforeAll(async () => {
  [server, browser] = await Promise.all([joinTestServer(), openBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

async function openFor(role: 'owner' | 'member' = 'owner') {
  return openAs(browser, server, await makePerson(server, role), '/admin-tokens');
}

test('Interface 19 Tokens: an owner makes one, told which rights reach mail, and revokes it', async () => {
  const page = await openFor();
  await page.getByRole('button', { name: 'Create a token' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('billing');
  for (const warning of [
    'Keys can read mail.',
    'Events contain mail.',
    'Members can read mail.',
    'and the received mail that they reply to.',
  ])
    await dialog.getByText(warning).waitFor();
  const submit = dialog.getByRole('button', { name: 'Create', exact: true });
  expect(await submit.isDisabled()).toBe(true);
  await dialog.getByRole('checkbox', { name: 'API keys' }).check();
  await dialog.getByRole('checkbox', { name: 'Usage' }).check();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await takePicture(page, 'admin-tokens-create');
  await submit.click();
  const token = await readRegion(page, 'Admin token');
  expect(token).toMatch(/^pr_admin_\w{43}$/);
  expect((await manage(server, token, '/keys')).status).toBe(200);
  expect((await manage(server, token, '/members')).body).toMatchObject({ error: 'right_missing' });
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Done' }).click();
  await dialog.waitFor({ state: 'hidden' });
  expect((await page.content()).includes(token)).toBe(false);
  await page.reload();
  await page.getByRole('row', { name: /billing.*API keys, Usage/ }).waitFor();
  await takePicture(page, 'admin-tokens-list');
  await page.getByRole('button', { name: 'Revoke billing' }).click();
  await page.getByRole('button', { name: 'Revoke the token' }).click();
  await page.getByText('“billing” was revoked.').waitFor();
  expect((await manage(server, token, '/keys')).status).toBe(401);
});

test('Interface 19 Tokens: one whose maker is no owner any more is shown as stopped, and members see no tokens', async () => {
  const { personId } = await makeToken(server);
  await server.rows("update memberships set role = 'member' where person_id = $1", [personId]);
  const page = await openFor();
  await page.getByText('Stopped: its creator is no longer an owner').first().waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  const member = await openFor('member');
  await member.getByRole('heading').first().waitFor();
  expect(await member.getByRole('button', { name: 'Create a token' }).count()).toBe(0);
});
