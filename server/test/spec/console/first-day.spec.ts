/*
 * The first day with the console, in a real browser on a real server: what a person does, one after the other, from the sign-in that the
 * first start prints to a member who is kept out of what only owners may do.
 */
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { openPage, readRegion, signInOn } from '@postrider/testkit/browser/person-pages.ts';
import { type DnsServer, startDnsServer } from '@postrider/testkit/dns/dns-server.ts';
import { publishRecords } from '@postrider/testkit/dns/publish-domain.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { startWebhookReceiver, type WebhookReceiver } from '@postrider/testkit/servers/webhook-receiver.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { Postrider } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Page = Awaited<ReturnType<typeof openPage>>;

let dns: DnsServer;
let receiver: WebhookReceiver;
let server: TestServer;
let browser: Browser;

beforeAll(async () => {
  [dns, receiver, browser] = await Promise.all([startDnsServer(), startWebhookReceiver(), openBrowser()]);
  server = await startTestServer({ env: { POSTRIDER_DNS: dns.address } });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  await Promise.all([dns?.close(), receiver?.close()]);
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first();

/** Opens a page by the navigation. */
async function go(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click();
  await heading(page, name).waitFor();
}

test('a person signs in with what the first start printed, and works with mail, webhooks, domains, keys and people', async () => {
  const { firstSignIn } = server.server;
  if (!firstSignIn) throw new Error('The first start made nobody.');
  const page = await openPage(browser, server.url, '/');
  await signInOn(page, firstSignIn);
  await heading(page, 'Inboxes').waitFor();

  const { key, name } = await createKey(page);
  const client = new Postrider({ apiKey: key, baseURL: `${server.url}/v1`, maxRetries: 0 });
  const inbox = await client.inboxes.create({ local_part: 'support', display_name: 'Support' });
  await client.webhooks.create({ url: receiver.url, events: ['message.received'] });

  await readAndReply(page, inbox.address);
  const answers = await client.messages.list({ inbox_id: inbox.id, direction: 'outbound' });
  expect(
    answers.messages.map(({ subject, recipients }) => [subject, recipients?.map(({ address }) => address)]),
  ).toEqual([['Re: Where is my order?', ['ada@remote.example']]]);

  await redeliver(page);
  expect(await verifyDomain(page, client)).toBe('verified');
  await revokeKey(page, name);
  await expect(client.account.get()).rejects.toMatchObject({ status: 401, code: 'invalid_token' });
  await inviteMember(page);
});

/** Creates a key and returns it, as it is shown this one time. */
async function createKey(page: Page): Promise<{ key: string; name: string }> {
  const name = 'support-agent';
  await go(page, 'API keys');
  await button(page, 'Create a key').first().click();
  await page.getByLabel('Name').fill(name);
  await button(page, 'Create').click();
  await page.getByText('It is not shown again.').waitFor();
  const key = /pr_live_\w{43}/.exec((await page.getByRole('dialog').textContent()) ?? '')?.[0] ?? '';
  await button(page, 'Done').click();
  return { key, name };
}

/** Waits on the page of threads for a mail that comes in by SMTP, reads it and answers. */
async function readAndReply(page: Page, address: string): Promise<void> {
  await go(page, 'Threads');
  await heading(page, 'No mail yet').waitFor();
  const subject = 'Where is my order?';
  await sendMail(server.smtpPort, {
    from: 'Ada <ada@remote.example>',
    to: address,
    subject,
    text: 'It should have been here by now.',
    html: '<p>It should have been <b>here</b> by now.</p>',
  });
  await page.getByText(subject).first().waitFor();
  await page.getByText(subject).first().click();
  await page.frameLocator('iframe').getByText('here', { exact: true }).waitFor();
  await button(page, 'Reply').click();
  await page.getByRole('textbox', { name: 'Message', exact: true }).fill('It left our house yesterday.');
  await button(page, 'Send').click();
  await button(page, 'Send now').click();
  await page.getByText('Message sent').first().waitFor();
}

/** Has the event of the mail delivered once more, and checks that the receiver has it twice. */
async function redeliver(page: Page): Promise<void> {
  await go(page, 'Webhooks');
  await page.getByText(receiver.url).first().click();
  await heading(page, 'Deliveries').waitFor();
  expect(await receiver.waitFor(1)).toHaveLength(1);
  await button(page, 'Redeliver').first().click();
  await page.getByText('The event was delivered again.').waitFor();
  const ids = receiver.requests.map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
}

/** Adds a domain, publishes its records, and has them checked. Returns its status. */
async function verifyDomain(page: Page, client: Postrider): Promise<string | undefined> {
  const hostname = 'mail.acme.example';
  await go(page, 'Domains');
  await button(page, 'Add a domain').first().click();
  await page.getByRole('dialog').getByLabel('Domain', { exact: true }).fill(hostname);
  await button(page, 'Add the domain').click();
  await heading(page, hostname).waitFor();
  const find = async () => (await client.domains.list()).domains.find((one) => one.hostname === hostname);
  const added = await find();
  if (!added) throw new Error('The domain was not added.');
  publishRecords(dns, added);
  await button(page, 'Check now').click();
  await page.getByText('All records are correct.').waitFor();
  return (await find())?.status;
}

async function revokeKey(page: Page, name: string): Promise<void> {
  await go(page, 'API keys');
  await button(page, `Revoke ${name}`).click();
  await button(page, 'Revoke the key').click();
  await page.getByText(`“${name}” was revoked.`).waitFor();
}

/** Invites a member, who opens the link in another browser, works with mail, and is kept out of the pages of owners. */
async function inviteMember(page: Page): Promise<void> {
  await go(page, 'People');
  await button(page, 'Invite').click();
  await page.getByLabel('Email address').fill('grace@people.example');
  await button(page, 'Create the invitation').click();
  await page.getByText('The invitation is ready').waitFor();
  const link = await readRegion(page, 'Invitation link');
  await button(page, 'Done').click();

  const theirs = await openPage(browser, server.url, link.trim().replace(/^.*\/console/, ''));
  await theirs.getByLabel('Your name').fill('Grace');
  await theirs.getByLabel('Choose a password').fill('a password of her own');
  await theirs.getByRole('button', { name: 'Accept the invitation' }).click();
  await theirs.getByRole('navigation').getByRole('link', { name: 'Threads', exact: true }).click();
  await theirs.getByText('Where is my order?').first().waitFor();
  expect(await theirs.getByRole('link', { name: 'API keys', exact: true }).count()).toBe(0);
  const refused = await theirs.evaluate(
    async (workspace) => {
      const headers = { 'x-postrider-console': '1', 'x-postrider-workspace': workspace };
      const answer = await fetch('/console/api/keys', { headers });
      return [answer.status, (await answer.json()).error];
    },
    await firstWorkspace(),
  );
  expect(refused).toEqual([403, 'owner_only']);
}

async function firstWorkspace(): Promise<string> {
  const [first] = await server.rows<{ id: string }>('select id from workspaces order by id limit 1');
  return first?.id ?? '';
}
