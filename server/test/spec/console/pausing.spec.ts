/* Interface 11 in a real browser: people pause what agents send, see that it holds, and let it go on. */
import { findAccessibilityProblems } from '@postrider/testkit/browser/find-accessibility-problems.ts';
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { openAs } from '@postrider/testkit/browser/person-pages.ts';
import { makePerson } from '@postrider/testkit/http/console-browser.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { Postrider } from 'postrider';
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

test('the red button stops sending, every open page says so, and an owner lets it go on', async () => {
  const { id: inbox_id } = await server.inbox();
  const send = () =>
    server.client.messages.send({ inbox_id, to: 'ada@remote.example', subject: 'Hello', text: 'Hello' });
  const owner = await openAs(browser, server, await makePerson(server), '/labels');
  const member = await openAs(browser, server, await makePerson(server, 'member'), '/usage');
  await owner.setViewportSize({ width: 390, height: 844 });
  await member.getByRole('button', { name: 'Pause sending' }).click();
  await member.getByLabel('Reason').fill('It writes to strangers');
  await member.getByRole('button', { name: 'Pause now' }).click();
  await member.getByText('The server has confirmed it').waitFor();
  expect(await findAccessibilityProblems(member)).toEqual([]);
  await expect(send()).rejects.toMatchObject({ status: 409, code: 'sending_paused' });

  const bar = (page: typeof owner) => page.getByRole('status').filter({ hasText: 'Sending is paused.' });
  await bar(owner).getByText('Reason: It writes to strangers').waitFor();
  expect(await bar(member).getByRole('button').count()).toBe(0);
  expect(await findAccessibilityProblems(owner)).toEqual([]);
  await bar(owner)
    .getByRole('button', { name: /^Resume sending/ })
    .click();
  await owner.getByRole('dialog').getByRole('button', { name: 'Resume sending' }).click();
  await owner.getByRole('button', { name: 'Pause sending' }).waitFor();
  await bar(member).waitFor({ state: 'detached' });
  expect(await send()).toMatchObject({ delivery_status: 'sent' });
});

test('a policy is set on the page, shown with its place, and refuses a send', async () => {
  const { id: inbox_id, address } = await server.inbox();
  const page = await openAs(browser, server, await makePerson(server), '/sending');
  await page.getByRole('button', { name: 'Add a policy' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: 'Inbox' }).fill(address);
  await page.getByRole('option', { name: address }).click();
  await dialog.getByRole('button', { name: 'Careful defaults' }).click();
  expect(await dialog.getByLabel('Emails per hour', { exact: true }).inputValue()).toBe('20');
  await dialog.getByText('A list').click();
  await dialog.getByRole('combobox', { name: 'Addresses and domains' }).fill('nonsense');
  await page.keyboard.press('Enter');
  await dialog.getByText('neither an address nor a domain: nonsense').waitFor();
  await dialog.getByRole('combobox', { name: 'Addresses and domains' }).fill('remote.example');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Recipients per message').fill('1');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: new RegExp(address) }).waitFor();

  const meaning = page.getByRole('region', { name: 'What this means' });
  await meaning.getByRole('combobox', { name: 'Inbox' }).fill(address);
  await page.getByRole('option', { name: address }).click();
  await meaning.getByText('Mail can be sent only to remote.example.').waitFor();
  await meaning.getByText('At most 1 recipient per message.').waitFor();
  const to = ['ada@remote.example', 'bob@remote.example'];
  await expect(server.client.messages.send({ inbox_id, to, subject: 'x', text: 'x' })).rejects.toMatchObject({
    status: 429,
    body: { reason: 'policy' },
  });
});

test('a key is created for one inbox, limited in its row, and paused there', async () => {
  const [own, other] = [await server.inbox(), await server.inbox()];
  const page = await openAs(browser, server, await makePerson(server), '/keys');
  await page.getByRole('button', { name: 'Create a key' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('scoped agent');
  await dialog.getByText('Some inboxes', { exact: true }).click();
  expect(await dialog.getByRole('button', { name: 'Create' }).isDisabled()).toBe(true);
  await dialog.getByRole('combobox', { name: 'Inboxes of the key' }).fill(own.address);
  await page.getByRole('option', { name: own.address }).click();
  await dialog.getByText('30 days').click();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Create' }).click();
  const apiKey = (await page.getByRole('region', { name: 'API key' }).textContent()) ?? '';
  await dialog.getByRole('button', { name: 'Done' }).click();
  const client = new Postrider({ apiKey, baseURL: `${server.url}/v1`, maxRetries: 0 });
  await expect(client.inboxes.get(other.id)).rejects.toMatchObject({ status: 404 });
  const send = () =>
    client.messages.send({ inbox_id: own.id, to: 'ada@remote.example', subject: 'x', text: 'x' });

  await page.getByRole('row', { name: /scoped agent.*1 inbox/ }).waitFor();
  await page.getByRole('button', { name: 'Limits of scoped agent' }).click();
  await page.getByText('What it can send').click();
  await page.getByRole('radio', { name: /Ask people first/ }).click();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /scoped agent.*People approve/ }).waitFor();
  expect(await send()).toMatchObject({ delivery_status: 'held' });
  await page.setViewportSize({ width: 390, height: 844 });
  const row = page.getByRole('row', { name: /scoped agent/ });
  await row.getByRole('cell', { name: '1 inbox' }).waitFor();
  await row.getByRole('cell', { name: /\b20\d\d\b/ }).waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Pause sending: scoped agent' }).click();
  await page.getByRole('button', { name: 'Pause now' }).click();
  await page.getByText('The server has confirmed it').waitFor();
  await expect(send()).rejects.toMatchObject({ code: 'sending_paused', body: { at: 'key' } });

  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Sending policy' }).click();
  const meaning = page.getByRole('region', { name: 'What this means' });
  const choose = async (label: string, name: string) => {
    await meaning.getByRole('combobox', { name: label }).fill(name);
    await page.getByRole('option', { name }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  };
  await choose('API key', 'scoped agent');
  await choose('Inbox', other.address);
  await meaning.getByText(`it cannot send from ${other.address}.`).waitFor();
  await choose('Inbox', own.address);
  await meaning.getByText('Each message is held until somebody here approves it').waitFor();
});
