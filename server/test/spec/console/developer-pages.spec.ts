import { findAccessibilityProblems } from '@postrider/testkit/browser/find-accessibility-problems.ts';
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { openAs, readRegion } from '@postrider/testkit/browser/person-pages.ts';
import { makePerson } from '@postrider/testkit/http/console-browser.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { catchRefusal, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { unwrap } from 'postrider/webhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let server: TestServer;
let browser: Awaited<ReturnType<typeof openBrowser>>;
let receiver: WebhookReceiver;

beforeAll(async () => {
  [server, browser, receiver] = await Promise.all([joinTestServer(), openBrowser(), startWebhookReceiver()]);
});
afterAll(async () => {
  await browser?.close();
  await receiver?.close();
  await server?.stop();
});

type Page = Awaited<ReturnType<typeof openFor>>;

async function openFor(path: string, role: 'owner' | 'member' = 'owner') {
  return openAs(browser, server, await makePerson(server, role), path);
}

/** Returns the height at which the middle of something is. */
async function middle(place: ReturnType<Page['locator']>): Promise<number> {
  const { y, height } = (await place.boundingBox()) ?? { y: Number.NaN, height: 0 };
  return y + height / 2;
}

/** Copies the event of an open row. Its JSON is nowhere on the page. */
async function copiedJson(page: Page): Promise<unknown> {
  expect(await page.getByText('"event"').count()).toBe(0);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy as JSON' }).click();
  await page.getByText('Copied', { exact: true }).waitFor();
  return JSON.parse(await page.evaluate(() => navigator.clipboard.readText()));
}

describe('webhooks', () => {
  test('are added with a secret that is shown once and verifies, tested, and delivered again', async () => {
    const page = await openFor('/webhooks');
    await page.getByRole('button', { name: 'Add a webhook' }).first().click();
    await page.getByRole('textbox', { name: 'URL' }).fill(receiver.url);
    await page.getByRole('button', { name: 'Add the webhook' }).click();
    const secret = await readRegion(page, 'Signing secret');
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: receiver.url }).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Your receiver accepted the test with status').waitFor();
    const [request] = receiver.requests;
    expect((await unwrap(request?.body ?? '', request?.headers ?? {}, secret)).event).toBe(
      'message.received',
    );
    expect((await page.content()).includes(secret)).toBe(false);
    await page.getByRole('button', { name: 'Redeliver' }).first().click();
    await page.getByText('The event was delivered again.').waitFor();
    await page.getByRole('button', { name: 'Show the delivery of message.received' }).first().click();
    await page.getByText('Received: Mail arrived at an inbox.').waitFor();
    expect(page.url()).toContain('?delivery=dlv_');
    expect(await copiedJson(page)).toMatchObject({ event: 'message.received' });
    expect(await findAccessibilityProblems(page)).toEqual([]);
  });

  test('are disabled, enabled and deleted by owners, and only tested by members', async () => {
    const { id } = await server.client.webhooks.create({ url: receiver.url, events: ['message.bounced'] });
    const member = await openFor(`/webhooks/${id}`, 'member');
    await member.getByRole('button', { name: 'Send a test' }).waitFor();
    await member.getByText('Only owners of the workspace can change this.').waitFor();
    expect(await member.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    const owner = await openFor(`/webhooks/${id}`);
    await owner.getByRole('button', { name: 'Disable' }).click();
    await owner.getByRole('button', { name: 'Disable the webhook' }).click();
    await owner.getByText('This webhook is disabled').waitFor();
    expect((await server.client.webhooks.get(id)).enabled).toBe(false);
    await owner.getByRole('button', { name: 'Enable' }).click();
    await owner.getByText('This webhook is disabled').waitFor({ state: 'detached' });
    await owner.getByRole('button', { name: 'Delete' }).click();
    await owner.getByRole('button', { name: 'Delete the webhook' }).click();
    await owner.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    await expect(server.client.webhooks.get(id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('a webhook that fails', () => {
  test('looks failing in the list and on its page, until its receiver takes a delivery', async () => {
    const failing = await startWebhookReceiver();
    failing.always(500);
    const { id } = await server.client.webhooks.create({ url: failing.url, events: ['message.received'] });
    await server.client.webhooks.test(id);
    const page = await openFor('/webhooks');
    await page.getByRole('row', { name: failing.url }).getByText('Failing', { exact: true }).waitFor();
    await page.getByRole('link', { name: failing.url }).click();
    await page.getByText('The last delivery failed').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    failing.always(204);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Your receiver accepted the test with status').waitFor();
    await page.getByText('The last delivery failed').waitFor({ state: 'detached' });
    await server.client.webhooks.delete(id);
    await failing.close();
  });
});

describe('the delivery log', () => {
  test('shows what was sent to an address that is searched for, and how far it got', async () => {
    const inbox = await server.inbox();
    const to = `bounce+${server.freshName('log')}@simulator.postrider.test`;
    await server.client.messages.send({ inbox_id: inbox.id, to, subject: 'Into the void', text: 'x' });
    const page = await openFor(`/decisions?q=${encodeURIComponent(to)}`);
    const sent = page.getByRole('region', { name: 'Sent to this address' });
    await sent.getByRole('link', { name: 'Into the void' }).waitFor();
    await sent.getByText(/Bounced\. The address is now suppressed\. The server said: 5/).waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await sent.getByRole('link', { name: 'Into the void' }).click();
    await page.waitForURL(/\/threads\/thr_/);
    await server.client.suppressions.delete(to);
  });
});

describe('mail for unknown addresses', () => {
  test('stays on the page when more of it cannot be loaded, which is then tried again', async () => {
    const from = `ada@${server.freshName('typing')}.example`;
    const { address } = await server.inbox();
    for (let n = 0; n < 11; n += 1)
      await catchRefusal(
        sendMail(server.smtpPort, { from, to: `mistyped-${n}-${address}`, subject: 'Hi', text: 'Hi' }),
      );
    const [first] = await server.rows<{ id: string }>('select id from workspaces order by id limit 1');
    const operator = await makePerson(server, 'owner', { id: first?.id ?? '' });
    const page = await openAs(browser, server, operator, `/decisions?q=${from}`);
    const section = page.getByRole('region', { name: 'To unknown addresses' });
    const rows = section.locator('tbody tr');
    const more = section.getByRole('button', { name: 'Load more' });
    await more.waitFor();
    const older = (url: URL) =>
      url.pathname.endsWith('/unknown-recipients') && url.searchParams.has('cursor');
    await page.route(older, (route) => route.abort());
    await more.click();
    await section.getByRole('alert').waitFor();
    expect(await rows.count()).toBe(10);
    await page.unroute(older);
    await section.getByRole('button', { name: /Try again|Load more/ }).click();
    await expect.poll(() => rows.count()).toBe(11);
  });
});

describe('events', () => {
  test('appear as they happen, wait during a pause, and are filtered by the address', async () => {
    const inbox = await server.inbox();
    const send = (subject: string) =>
      server.client.messages.send({ inbox_id: inbox.id, to: ['ada@example.com'], subject, text: 'x' });
    await send('before the page');
    const page = await openFor('/events');
    await page.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('button', { name: /before the page/ }).waitFor();
    await send('<b>while it is open</b>');
    await page.getByRole('button', { name: /<b>while it is open<\/b>/ }).waitFor();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await send('during the pause');
    await page.getByRole('button', { name: 'Resume (1)' }).waitFor();
    expect(await page.getByRole('button', { name: /during the pause/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Resume (1)' }).click();
    await page.getByRole('button', { name: /during the pause/ }).click();
    const facts = page.locator('dl');
    await facts.getByRole('link', { name: 'during the pause' }).waitFor();
    await facts.getByText(inbox.address).first().waitFor();
    expect(await copiedJson(page)).toMatchObject({
      event: 'message.sent',
      inbox_id: inbox.id,
      recipient: 'ada@example.com',
    });
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.goto(`${server.url}/console/events?kinds=message.complained`);
    await page.getByText('Nothing matches the filters.').waitFor();
    await page.getByRole('button', { name: 'Clear the filters' }).click();
    await page.getByRole('button', { name: /before the page/ }).waitFor();
  });
});

describe('requests', () => {
  test('are listed with what their errors mean', async () => {
    await server.request('/v1/inboxes/inb_nothing');
    const page = await openFor('/requests?status=4xx');
    const row = page.getByRole('button', { name: 'Show the request GET /v1/inboxes/inb_nothing' });
    await row.waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByText('The path or an id is unknown').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
  });
});

describe('domains', () => {
  test('are added with their records, and become stricter step by step', async () => {
    const hostname = `${server.freshName()}.example`;
    const page = await openFor('/domains');
    await page.getByRole('button', { name: 'Add a domain' }).first().click();
    await page.getByLabel('Domain', { exact: true }).fill(hostname);
    await page.getByRole('button', { name: 'Add the domain' }).click();
    await page.getByRole('heading', { name: hostname }).waitFor();
    await page.getByText(`_dmarc.${hostname}`).first().waitFor();
    await page.getByRole('button', { name: 'Show the zone file' }).click();
    expect(await readRegion(page, `${hostname}.zone`)).toContain('v=DKIM1');
    await page.getByRole('button', { name: 'Move to quarantine' }).click();
    await page.getByRole('button', { name: 'Set quarantine' }).click();
    await page.getByText('v=DMARC1; p=quarantine').first().waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
  });
});

describe('lists', () => {
  test('of rules explain a pattern while it is typed, and take a deletion back', async () => {
    const page = await openFor('/rules');
    await page.getByRole('button', { name: 'Add a rule' }).first().click();
    await page.getByLabel('Address or domain').fill('Spam.example');
    await page.getByText('Matches every address of spam.example and of its subdomains.').waitFor();
    await page.getByRole('button', { name: 'Add the rule' }).click();
    await page.getByRole('cell', { name: 'spam.example', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Delete the rule for spam.example' }).click();
    await page.getByRole('cell', { name: 'spam.example', exact: true }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('cell', { name: 'spam.example', exact: true }).waitFor();
    expect((await server.client.rules.list()).rules).toMatchObject([
      { pattern: 'spam.example', kind: 'block' },
    ]);
    await page.setViewportSize({ width: 390, height: 844 });
    const [badge, bin] = [
      page.getByRole('cell', { name: 'Block' }),
      page.getByRole('cell').getByRole('button'),
    ];
    expect(await middle(bin)).toBeCloseTo(await middle(badge), -1);
    expect(await findAccessibilityProblems(page)).toEqual([]);
  });

  test('of suppressions take an address, find it, and send to it again', async () => {
    await server.client.suppressions.create({ address: 'grace@example.com' });
    const page = await openFor('/suppressions');
    await page.getByRole('button', { name: 'Suppress an address' }).first().click();
    await page.getByLabel('Address', { exact: true }).fill('not an address');
    await page.getByRole('button', { name: 'Suppress', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Address', { exact: true }).fill('Ada@Example.com');
    await page.getByRole('button', { name: 'Suppress', exact: true }).click();
    await page.getByRole('cell', { name: /^ada@example.com$/i }).waitFor();
    await page.getByLabel('Find an address').fill('grace');
    await page.getByRole('cell', { name: /^ada@example.com$/i }).waitFor({ state: 'detached' });
    expect(page.url()).toContain('?q=grace');
    await page.getByRole('button', { name: 'Remove grace@example.com' }).click();
    await page.getByText('Nothing matches the filters.').waitFor();
    // The page takes it out of the list before the server has.
    const addresses = async () =>
      (await server.client.suppressions.list()).suppressions.map(({ address }) => address.toLowerCase());
    await expect.poll(addresses).toEqual(['ada@example.com']);
  });
});
