import { findAccessibilityProblems } from '@postrider/testkit/browser/find-accessibility-problems.ts';
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { signInOn, signOut, startSession } from '@postrider/testkit/browser/person-pages.ts';
import { makePerson } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

let server: TestServer;
let browser: Browser;
let workspace: TestWorkspace;
let inbox: Inbox;
let page: Page;
let faults: string[];

beforeAll(async () => {
  [server, browser] = await Promise.all([joinTestServer(), openBrowser()]);
});
beforeEach(async () => {
  workspace = await server.workspace();
  inbox = await server.inbox(workspace);
  await page?.context().close();
  const context = await browser.newContext({ viewport: { width: 1200, height: 800 } });
  await startSession(context, server, await makePerson(server, 'owner', workspace));
  page = await context.newPage();
  faults = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (/Content Security Policy|Warning:|Minified React/.test(message.text())) faults.push(message.text());
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const receive = (mail: Partial<Parameters<typeof sendMail>[1]> = {}) =>
  sendMail(server.smtpPort, { from: 'Ada <ada@remote.example>', to: inbox.address, text: 'Hello.', ...mail });
const open = (path: string) => page.goto(`${server.url}/console${path}`);
const row = (subject: string) => page.getByRole('listitem').filter({ hasText: subject });
const subjects = () =>
  page.getByRole('list', { name: 'Threads' }).locator('.thread-subject').allTextContents();

describe('inboxes', () => {
  test('are created, renamed and deleted, and are the first page', async () => {
    await open('');
    await page.getByRole('heading', { name: 'Inboxes', exact: true }).waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Create an inbox' }).click();
    const name = server.freshName('desk');
    await page.getByLabel('Address', { exact: true }).fill('No Blanks');
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('must consist of a-z').waitFor();
    await page.getByLabel('Address', { exact: true }).fill(name);
    await page.getByLabel('Display name').fill('The desk');
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click();
    const made = page.getByRole('row').filter({ hasText: `${name}@` });
    await made.getByText('The desk').waitFor();
    await made.getByRole('button', { name: /^Change the name/ }).click();
    await page.getByLabel('Display name').fill('The other desk');
    await page.getByRole('button', { name: 'Save' }).click();
    await made.getByText('The other desk').waitFor();
    await made.getByRole('button', { name: /^Delete/ }).click();
    await page.getByText('All its messages, threads and drafts are deleted').waitFor();
    await page.getByRole('button', { name: 'Delete the inbox and its mail' }).click();
    await made.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });
});

describe('threads', () => {
  test('appear at the top while the page is open, are opened by keys, and are then read', async () => {
    await open('/threads');
    await page.getByText('No mail yet').waitFor();
    await page.getByRole('img', { name: /^Live/ }).waitFor();
    for (const subject of ['First', 'Second']) {
      await receive({ subject });
      await row(subject).waitFor();
    }
    expect(await subjects()).toEqual(['Second', 'First']);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'First', level: 2 }).waitFor();
    await row('First').getByRole('img', { name: 'Unread.' }).waitFor({ state: 'detached' });
    await eventually('the read mark', async () => {
      const { threads } = await workspace.client.threads.list({ read: true });
      return threads.some(({ subject }) => subject === 'First');
    });
    await page.keyboard.press('u');
    await row('First').getByRole('img', { name: 'Unread.' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('are deleted only after the time to take it back', async () => {
    for (const subject of ['Keep', 'Drop']) await receive({ subject });
    await open('/threads');
    const remove = async (subject: string) => {
      await row(subject).getByRole('checkbox').check();
      await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
      await row(subject).waitFor({ state: 'detached' });
    };
    await row('Keep').waitFor();
    await remove('Keep');
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('Keep').waitFor();
    await remove('Drop');
    expect((await workspace.client.threads.list()).threads.length).toBe(2);
    await page.getByRole('button', { name: 'Delete now' }).click();
    await eventually(
      'the deletion',
      async () => (await workspace.client.threads.list()).threads.length === 1,
    );
    expect(await subjects()).toEqual(['Keep']);
  });

  test('are marked and deleted by keys: those that are selected, otherwise the current one', async () => {
    for (const subject of ['Last', 'Third', 'Second', 'First']) {
      await receive({ subject });
      await server.filed();
    }
    await open('/threads');
    await row('First').waitFor();
    const history = () => page.evaluate(() => window.history.length);
    const begun = await history();
    await page.keyboard.press('Escape');
    expect(await history()).toBe(begun);
    await row('Second').getByRole('checkbox').check();
    await page.getByRole('toolbar').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
    await page.keyboard.press('j');
    for (const subject of ['Second', 'Third']) await row(subject).getByRole('checkbox').check();
    await page.keyboard.press('u');
    for (const subject of ['Second', 'Third'])
      await row(subject).getByRole('img', { name: 'Unread.' }).waitFor({ state: 'detached' });
    expect(await row('First').getByRole('img', { name: 'Unread.' }).isVisible()).toBe(true);
    for (const subject of ['Second', 'Third']) await row(subject).getByRole('checkbox').check();
    await page.keyboard.press('#');
    await page.getByText('2 threads will be deleted').waitFor();
    expect(await subjects()).toEqual(['First', 'Last']);
    // One that is open goes back to the list, and the next one stays unread.
    await row('First').getByRole('link').click();
    await page.getByRole('heading', { name: 'First', level: 2 }).waitFor();
    await page.keyboard.press('#');
    await page.getByText('Select a thread to read it here.').waitFor();
    expect(await subjects()).toEqual(['Last']);
    expect(await row('Last').getByRole('img', { name: 'Unread.' }).isVisible()).toBe(true);
    expect(faults).toEqual([]);
  });

  test('keep the focus on a phone when they are opened, closed, and taken back', async () => {
    await receive({ subject: 'Only' });
    await page.setViewportSize({ width: 390, height: 780 });
    await open('/threads');
    await row('Only').getByRole('link').click();
    const isFocused = (place: ReturnType<Page['locator']>) =>
      eventually('the focus', () => place.evaluate((element) => element === document.activeElement));
    await isFocused(page.getByRole('heading', { name: 'Only', level: 2 }));
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await isFocused(row('Only').getByRole('link'));
    await page.keyboard.press('#');
    await page.getByRole('button', { name: 'Undo' }).click();
    await isFocused(row('Only').getByRole('link'));
    expect(faults).toEqual([]);
  });

  test('of a selection are all deleted when the page is left before the time is over', async () => {
    const all = Array.from({ length: 12 }, (_, n) => `Mail ${n}`);
    await Promise.all(all.map((subject) => receive({ subject })));
    await server.filed();
    await open('/threads');
    for (const subject of all)
      await page.getByRole('checkbox', { name: `Select “${subject}”`, exact: true }).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('12 threads will be deleted').waitFor();
    await page.goto('about:blank');
    await eventually(
      'the deletions',
      async () => (await workspace.client.threads.list()).threads.length === 0,
    );
  });

  test('stay where they are while the reader is further down, and all of them can be reached', async () => {
    for (let sent = 0; sent < 120; sent += 20)
      await Promise.all(Array.from({ length: 20 }, (_, n) => receive({ subject: `Mail ${sent + n}` })));
    await server.filed();
    await open('/threads');
    await page.getByRole('listitem').first().waitFor();
    const scroller = page.locator('.thread-scroller');
    await eventually('the last page', async () => {
      await scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return page.getByText('No more threads.').isVisible();
    });
    expect(await page.getByRole('listitem').count()).toBeLessThan(40);
    const seen = page.getByRole('listitem').last();
    await eventually('the last rows', async () => ((await seen.boundingBox())?.y ?? -1) > 0);
    const before = [await seen.textContent(), (await seen.boundingBox())?.y];
    await receive({ subject: 'Newest' });
    await page.getByRole('button', { name: '1 newer thread' }).waitFor();
    expect([await seen.textContent(), (await seen.boundingBox())?.y]).toEqual(before);
    await page.getByRole('button', { name: '1 newer thread' }).click();
    await row('Newest').waitFor();
    await deletesFarDown(scroller);
    expect(faults).toEqual([]);
  });
});

/** Deletes the oldest thread, and opens one that an agent deleted. Both must leave the list, whose first page has neither. */
async function deletesFarDown(scroller: ReturnType<Page['locator']>): Promise<void> {
  const [oldest, other] = (await workspace.client.threads.list().toArray({ limit: 200 })).slice(-2).reverse();
  if (!oldest || !other) throw new Error('The workspace has threads.');
  const link = (id: string) => page.locator(`[data-thread-link="${id}"]`);
  const toEnd = () => scroller.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  // A row of the part that is drawn may be drawn anew at any moment, so that a pointer could miss it.
  const openRow = (id: string, isLate = () => false) =>
    eventually('the row', async () => {
      if (isLate()) return true;
      await toEnd();
      if (!(await link(id).isVisible())) return false;
      return link(id).evaluate((element) => {
        (element as HTMLElement).click();
        return true;
      });
    });
  await openRow(oldest.id);
  await page.getByRole('heading', { name: oldest.subject, level: 2 }).waitFor();
  await page.keyboard.press('#');
  await page.getByRole('button', { name: 'Delete now' }).click();
  await page.getByText('The thread was deleted').waitFor();
  await toEnd();
  await link(other.id).waitFor();
  expect(await link(oldest.id).count()).toBe(0);
  await workspace.client.threads.delete(other.id);
  // The page may hear of it first, and then there is no row to open.
  let isGone = false;
  const gone = link(other.id)
    .waitFor({ state: 'detached' })
    .then(() => (isGone = true));
  await openRow(other.id, () => isGone);
  const told = page.getByRole('heading', { name: 'This thread no longer exists' });
  await Promise.race([gone, told.waitFor()]);
  await gone;
}

describe('a message', () => {
  test('shows who is proven, its text as text, its headers and its source', async () => {
    await receive({
      subject: 'Re: <b>Offer</b>',
      inReplyTo: '<before@remote.example>',
      text: 'See https://shop.example/1 or javascript:alert(1)\n\nOn Monday, Support wrote:\n> The old text\n',
      attachments: [{ filename: 'plan.txt', content: 'A plan.' }],
    });
    await open('/threads');
    await row('<b>Offer</b>').getByRole('link').click();
    await page.getByRole('button', { name: /^Not proven: anyone could have written this/ }).click();
    await page.getByText('SPF: missing').waitFor();
    await page.keyboard.press('Escape');
    const links = page.locator('.message-text').getByRole('link');
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
      'https://shop.example/1',
    ]);
    const body = page.locator('.message-text');
    expect(await body.textContent()).not.toContain('The old text');
    await page.getByRole('button', { name: 'Show the quoted text' }).click();
    await body.getByText('The old text').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Headers' }).click();
    await page.getByRole('rowheader', { name: 'Message-ID' }).waitFor();
    await page.getByRole('tab', { name: 'Source' }).click();
    await page.getByRole('link', { name: 'Download the source' }).waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: /^Download plan\.txt/ }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('plan.txt');
    expect(faults).toEqual([]);
  });

  test('shows its HTML in a frame that loads images of other servers only when it is asked to', async () => {
    await receive({ subject: 'News', html: '<p>Hello</p><img src="https://track.example/1.gif">' });
    await open('/threads');
    await row('News').getByRole('link').click();
    await page.frameLocator('iframe').getByText('Hello').waitFor();
    const asked = page.waitForRequest('https://track.example/1.gif');
    await page.getByText('1 image on another server is not loaded.').waitFor();
    await page.getByRole('button', { name: 'Show images' }).click();
    await asked;
    await signOut(page);
    await signInOn(page, await makePerson(server, 'owner', workspace));
    // The next person in the same tab chooses anew.
    await page.getByRole('button', { name: 'Show images' }).waitFor();
  });

  test('that was sent tells the story of each recipient', async () => {
    const to = ['success', 'bounce+story'].map((name) => `${name}@simulator.postrider.test`);
    const sent = await workspace.client.messages.send({
      inbox_id: inbox.id,
      to,
      subject: 'Offer',
      text: 'x',
    });
    await open(`/threads/${sent.thread_id}`);
    await page.getByText('Bounced. The address is now suppressed').waitFor();
    await page.getByText('Accepted by the recipient’s server').waitFor();
    await row('Offer').getByText('Bounced').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    expect(faults).toEqual([]);
  });
});
