import { findAccessibilityProblems } from '@postrider/testkit/browser/find-accessibility-problems.ts';
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { openAs, signInOn, signOut, startSession } from '@postrider/testkit/browser/person-pages.ts';
import { makePerson } from '@postrider/testkit/http/console-browser.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { catchRefusal, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

let server: TestServer;
let browser: Browser;
let page: Page;
const faults: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([joinTestServer(), openBrowser()]);
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 } });
  await startSession(context, server, await makePerson(server));
  page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Minified React/.test(message.text())) faults.push(message.text());
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const open = (path: string) => page.goto(`${server.url}/console${path}`);
const field = (name: string) => page.getByRole('textbox', { name, exact: true });
/** Returns the lines of the text that is being written. */
const written = async () => (await field('Message').locator('p').allTextContents()).join('\n');
const button = (name: string) => page.getByRole('button', { name, exact: true });
const say = (text: string | RegExp) => page.getByText(text).first().waitFor();
const received = async (inboxId: string) =>
  (await server.client.messages.list({ inbox_id: inboxId, direction: 'inbound' })).messages;

test('what a person writes survives a reload, and is sent once however often the button is pressed', async () => {
  const from = await server.inbox();
  const to = await server.inbox();
  await open(`/compose?inbox=${from.id}`);
  await field('To').fill(`${to.address}, no address,`);
  await field('Subject').fill('<b>Hello</b>');
  await field('Subject').press('Enter');
  await field('Message').fill('First line\nsecond line');
  const file = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('the notes') };
  await page.locator('input[type=file]').setInputFiles(file);
  await say(/^no address must be an address/);
  await say('Saved as a draft');
  await page.reload();
  await expect.poll(written).toBe('First line\nsecond line');
  expect(await findAccessibilityProblems(page)).toEqual([]);

  await button('Send').dblclick();
  await button('Undo').click();
  expect(await received(to.id)).toEqual([]);
  await field('Message').fill('Changed');
  await button('Send').click();
  await button('Send now').click();
  await page.getByRole('heading', { name: 'Message sent' }).waitFor();
  const messages = await received(to.id);
  expect(messages.map(({ subject, body_text }) => [subject, body_text?.trim()])).toEqual([
    ['<b>Hello</b>', 'Changed'],
  ]);
  expect(messages[0]?.attachments.map(({ filename }) => filename)).toEqual(['notes.txt']);
});

test('a message that cannot be saved stays on the page, and is saved and sent once the server is back', async () => {
  const to = await server.inbox();
  await open(`/compose?to=${to.address}`);
  await field('Subject').fill('Offline');
  await say('Saved as a draft');
  await page.context().setOffline(true);
  await field('Message').fill('Must not be lost');
  await button('Send').click();
  await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
  expect(await written()).toBe('Must not be lost');
  await page.context().setOffline(false);
  await button('Send').click();
  await button('Send now').click();
  await page.getByRole('heading', { name: 'Message sent' }).waitFor();
  expect((await received(to.id)).map(({ body_text }) => body_text?.trim())).toEqual(['Must not be lost']);
});

test('the next new message comes from the inbox that sent the last one, and not from the newest', async () => {
  const [used] = [await server.inbox(), await server.inbox()];
  await open(`/compose?inbox=${used.id}&to=${used.address}`);
  await field('Subject').fill('From the older one');
  await button('Send').click();
  await button('Send now').click();
  await page.getByRole('heading', { name: 'Message sent' }).waitFor();
  await page.getByRole('link', { name: 'Write another message' }).click();
  await field('Subject').waitFor();
  expect(await page.getByLabel('From').first().inputValue()).toContain(used.address);
});

test('a person sees who would be left out before anything is sent', async () => {
  const from = await server.inbox();
  const to = await server.inbox();
  const gone = `gone@${server.freshName('host')}.example`;
  await server.client.suppressions.create({ address: gone });
  await open(`/compose?inbox=${from.id}&to=${gone},${to.address}`);
  await field('Subject').fill('News');
  await button('Send').click();
  await say('Not everyone would get this message');
  await say(gone);
  await button('Send to the other recipient').click();
  await button('Send now').click();
  await page.getByRole('heading', { name: 'Message sent' }).waitFor();
  expect(await received(to.id)).toHaveLength(1);
});

test('a reply to an automatic message is refused with the reason, and sent if the person insists', async () => {
  const inbox = await server.inbox();
  const headers = { 'Auto-Submitted': 'auto-replied' };
  const away = { from: 'ada@example.com', to: inbox.address, subject: 'Away', text: 'I am away.', headers };
  await sendMail(server.smtpPort, away);
  await server.filed();
  const [original] = await received(inbox.id);
  const { id } = await server.client.drafts.create({
    inbox_id: inbox.id,
    reply_to_message_id: original?.id ?? '',
    text: 'Until when?',
  });
  await open(`/compose?draft=${id}`);
  await button('Send').click();
  await button('Send now').click();
  await say('This is a reply to an automatic message');
  await button('Send anyway').click();
  await button('Send now').click();
  await page.getByRole('heading', { name: 'Message sent' }).waitFor();
  const sent = await server.client.messages.list({ inbox_id: inbox.id, direction: 'outbound' });
  expect(sent.messages).toMatchObject([
    { subject: 'Re: Away', thread_id: original?.thread_id, to_addrs: ['ada@example.com'] },
  ]);
  await expect(server.client.drafts.get(id)).rejects.toMatchObject({ code: 'not_found' });
});

test('an agent’s formatted and scheduled draft stays when its thread is only looked at', async () => {
  const inbox = await server.inbox();
  const mail = { from: 'ada@example.com', to: inbox.address, subject: 'Question', text: 'When?' };
  await sendMail(server.smtpPort, mail);
  await server.filed();
  const [original] = await received(inbox.id);
  const { id } = await server.client.drafts.create({
    inbox_id: inbox.id,
    reply_to_message_id: original?.id ?? '',
    html: '<p>On <b>Monday</b></p><script>parent.document.title = "run"</script>',
    scheduled_at: '2040-01-31T09:00:00.000Z',
  });
  await open(`/threads/${original?.thread_id}`);
  const shown = page.frameLocator('iframe[title="Formatted version"]').getByText('Monday');
  await shown.waitFor();
  expect(await page.evaluate(() => document.activeElement?.matches('[contenteditable]'))).toBe(false);
  await field('Message').focus();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SECTION');
  await page.getByRole('link', { name: 'Inboxes', exact: true }).click();
  await page.getByRole('heading', { name: 'Inboxes', exact: true }).waitFor();
  await page.goBack();
  await shown.waitFor();
  expect(await server.client.drafts.get(id)).toMatchObject({ status: 'scheduled', failure: null });
});

test('a message that is about to be sent is sent before its person is signed out', async () => {
  const to = await server.inbox();
  const own = await openAs(browser, server, await makePerson(server), `/compose?to=${to.address}`);
  await own.getByLabel('Subject').fill('Last words');
  await own.getByRole('button', { name: 'Send', exact: true }).click();
  await own.getByRole('button', { name: 'Undo', exact: true }).waitFor();
  await signOut(own);
  expect((await received(to.id)).map(({ subject }) => subject)).toEqual(['Last words']);
});

test('what was typed while the session ended is there after the next sign-in', async () => {
  const person = await makePerson(server);
  const own = await openAs(browser, server, person, '/compose');
  await own.getByLabel('Subject').waitFor();
  const other = await own.context().newPage();
  await other.goto(`${server.url}/console/drafts`);
  const { promise: signedOut, resolve: release } = Promise.withResolvers<void>();
  await own.route('**/v1/drafts', async (route) => {
    if (route.request().method() === 'POST') await signedOut;
    // A page that was loaded again has given its request up.
    await route.continue().catch(() => undefined);
  });
  await own.getByLabel('Subject').fill('Do not lose me');
  await signOut(other);
  await own.getByRole('heading', { name: 'Sign in' }).waitFor();
  await own.reload();
  release();
  await own.unroute('**/v1/drafts');
  await signInOn(own, person);
  await own.getByText('Saved as a draft').waitFor();
  expect(await own.getByLabel('Subject').inputValue()).toBe('Do not lose me');
});

test('a reply is written and sent with the keyboard, which is on the page again afterwards', async () => {
  const inbox = await server.inbox();
  const mail = { from: 'ada@example.com', to: inbox.address, subject: 'Question', text: 'When?' };
  await sendMail(server.smtpPort, mail);
  await server.filed();
  const [original] = await received(inbox.id);
  await open(`/threads/${original?.thread_id}`);
  await button('Reply').waitFor();
  await page.keyboard.press('r');
  await field('Message').waitFor();
  await page.keyboard.type('On Monday');
  await page.keyboard.press('Control+Enter');
  await button('Undo').click();
  await expect.poll(() => field('Message').evaluate((each) => each === document.activeElement)).toBe(true);
  await page.keyboard.press('Control+Enter');
  await button('Send now').click();
  await say('Message sent');
  await expect.poll(() => button('Reply').evaluate((each) => each === document.activeElement)).toBe(true);
});

test('a draft is not sent from the list before the person has seen who would be left out', async () => {
  const inbox = await server.inbox();
  const gone = `gone@${server.freshName('host')}.example`;
  await server.client.suppressions.create({ address: gone });
  const fields = { inbox_id: inbox.id, to: [gone, inbox.address], subject: 'News' };
  const { id } = await server.client.drafts.create(fields);
  await open(`/drafts?inbox=${inbox.id}`);
  await button('Actions for “News”').click();
  await page.getByRole('menuitem', { name: 'Send now' }).click();
  await say(`Not sent yet, because the message would not reach ${gone}.`);
  await field('Message').waitFor();
  expect(await server.client.drafts.get(id)).toMatchObject({ status: 'draft' });
});

test('a draft is scheduled, and its deletion can be taken back', async () => {
  const inbox = await server.inbox();
  const draft = await server.client.drafts.create({
    inbox_id: inbox.id,
    to: inbox.address,
    subject: 'Later',
  });
  await open(`/drafts?inbox=${inbox.id}`);
  const actions = button('Actions for “Later”');
  await actions.click();
  await page.getByRole('menuitem', { name: 'Send later' }).click();
  await page.getByLabel('Time').fill('2001-01-01T09:00');
  await button('Schedule').click();
  await say('Choose a time in the future.');
  await page.getByLabel('Time').fill('2040-01-31T09:00');
  await button('Schedule').click();
  await page.getByRole('table').getByText('Scheduled').waitFor();
  const scheduled = await server.client.drafts.get(draft.id);
  expect(scheduled.status).toBe('scheduled');

  await actions.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await say('“Later” will be deleted');
  await button('Undo').click();
  await page.getByRole('table').getByText('Scheduled').waitFor();
  await expect.poll(() => actions.evaluate((each) => each === document.activeElement)).toBe(true);
  await expect
    .poll(() => server.client.drafts.get(draft.id))
    .toMatchObject({
      status: 'scheduled',
      scheduled_at: scheduled.scheduled_at,
    });
  await actions.click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await button('Delete now').click();
  const errorNow = () =>
    server.client.drafts.get(draft.id).then(
      () => null,
      ({ code }) => code,
    );
  await expect.poll(errorNow).toBe('not_found');
  await page.getByText('Nothing matches the filters.').waitFor();
});

test('a scheduled draft that is being deleted is deleted when the page is left', async () => {
  const inbox = await server.inbox();
  const { id } = await server.client.drafts.create({
    inbox_id: inbox.id,
    to: inbox.address,
    subject: 'Never',
    scheduled_at: '2040-01-31T09:00:00.000Z',
  });
  await open(`/drafts?inbox=${inbox.id}`);
  await button('Actions for “Never”').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await button('Undo').waitFor();
  await open('/inboxes');
  const isGone = () =>
    server.client.drafts.get(id).then(
      () => false,
      ({ code }) => code === 'not_found',
    );
  await expect.poll(isGone).toBe(true);
});

test('a search marks what it found, shows hostile text as text, and leads to the message', async () => {
  const from = await server.inbox();
  const to = await server.inbox();
  const text = 'the heliotrope <img src=x onerror="document.title=1"> and *stars* bloom';
  await server.client.messages.send({ inbox_id: from.id, to: to.address, subject: 'Flowers', text });
  await server.indexed();
  await open('/drafts');
  await page.getByRole('heading', { name: 'Drafts' }).waitFor();
  await page.keyboard.press('/');
  await field('Search messages').fill('heliotrope is:inbound');
  const result = page.getByRole('list', { name: 'Results' }).getByRole('link');
  await result.waitFor();
  expect(await result.locator('mark').allTextContents()).toEqual(['heliotrope']);
  expect(await result.textContent()).toContain('<img src=x onerror="document.title=1"> and *stars*');
  expect(await findAccessibilityProblems(page)).toEqual([]);
  const [message] = await received(to.id);
  expect(await result.getAttribute('href')).toBe(
    `/console/threads/${message?.thread_id}?message=${message?.id}`,
  );
});

test('the delivery log tells in plain words why a mail was refused', async () => {
  const inbox = await server.inbox();
  const sender = `news@${server.freshName('host')}.example`;
  await server.client.rules.create({ direction: 'inbound', kind: 'block', pattern: sender });
  const mail = { from: sender, to: inbox.address, subject: 'Buy', text: 'Now' };
  await catchRefusal(sendMail(server.smtpPort, mail));
  await sendMail(server.smtpPort, { ...mail, from: 'ada@example.com' });
  await open(`/decisions?inbox=${inbox.id}`);
  await say('A rule blocks the sender.');
  await say(/^550 5\.7\.1 /);
  await page.getByRole('searchbox', { name: 'Sender, recipient, host or reply' }).fill('ada@example.com');
  await page.getByText('A rule blocks the sender.').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Show the message' }).waitFor();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  expect(faults).toEqual([]);
});
