/*
 * Every text that mail or the API can bring into the console, on every page of it, in a real browser: none of them runs, loads or changes
 * anything. The page's policy would stop most of it, so the control shows the same text as HTML, without the policy.
 */
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { browserCookies, settle } from '@postrider/testkit/browser/person-pages.ts';
import { fillPath, type PageIds, pathsIn } from '@postrider/testkit/console/page-paths.ts';
import { type ConsoleBrowser, signedIn, type TestPerson } from '@postrider/testkit/http/console-browser.ts';
import { decideHeld } from '@postrider/testkit/servers/decide-held.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

/** Counts itself where it runs, and tries to load an image where it is taken for HTML. */
const payload = (field: string) =>
  `"'><img src=/hit/${field} onerror=hits.push('${field}')><svg onload=hits.push('${field}')>{{hits}}`;
/** For names that are short. */
const short = (field: string) => `<img src=/hit/${field} onerror=hits.push(1)>`;

let server: TestServer;
let browser: Browser;
let owner: ConsoleBrowser & { person: TestPerson };
let ids: PageIds;

beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer(), openBrowser()]);
  owner = await signedIn(server);
  ids = await fill();
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

/** Puts the text into every field that takes it, and returns the ids of what has pages of its own. */
async function fill(): Promise<PageIds> {
  const { client } = server;
  const inbox = await client.inboxes.create({ local_part: 'x', display_name: payload('inbox') });
  await sendMail(server.smtpPort, {
    from: { name: payload('from'), address: 'eve@remote.example' },
    to: inbox.address,
    cc: { name: payload('cc'), address: 'mallory@remote.example' },
    replyTo: { name: payload('reply-to'), address: 'mallory@remote.example' },
    subject: payload('subject'),
    text: `${payload('text')}\nhttps://remote.example/"onmouseover=hits.push(1)\njavascript:hits.push(2)`,
    html: `<p>${payload('html')}</p>`,
    headers: {
      'X-Note': '<img src=/hit/header onerror=hits>',
      'List-Unsubscribe': '<javascript:hits.push(3)>',
    },
    attachments: [{ filename: `${short('file')}.txt`, content: payload('content') }],
  });
  const [message] = (await client.messages.list({ inbox_id: inbox.id })).messages;
  if (!message) throw new Error('The mail did not arrive.');
  const label = await client.labels.create({ name: short('label') });
  await client.labels.assign(label.id, { message_id: message.id });
  await client.drafts.create({
    inbox_id: inbox.id,
    to: ['eve@remote.example'],
    subject: payload('draft'),
    text: payload('draft-text'),
  });
  await client.messages.send({
    inbox_id: inbox.id,
    to: ['bounce@simulator.postrider.test'],
    subject: payload('sent'),
    text: payload('sent-text'),
    metadata: { note: payload('metadata') },
  });
  const webhook = await client.webhooks.create({
    url: `http://127.0.0.1:9/${encodeURI(short('url'))}?a='"onload=hits.push(1)`,
    events: ['message.received'],
  });
  await client.webhooks.test(webhook.id);
  const domain = await client.domains.create({ hostname: `${server.freshName()}.example` });
  await server.request(`/v1/${encodeURIComponent(payload('path'))}`);
  const post = (path: string, body: object, method = 'POST') => owner.request(path, { method, body });
  await post('/keys', { name: payload('key').slice(0, 100) });
  await post('/workspace', { title: payload('workspace').slice(0, 100) }, 'PATCH');
  await post('/me', { name: payload('person').slice(0, 100) }, 'PATCH');
  await post('/invitations', { email: `<img/src=/hit/mail>@x.example`, role: 'member' });
  return {
    inboxId: inbox.id,
    threadId: message.thread_id,
    messageId: message.id,
    webhookId: webhook.id,
    domainId: domain.id,
    heldId: await hold(message.id),
  };
}

/** Has an answer held whose texts an agent wrote, and another one refused. */
async function hold(messageId: string): Promise<string> {
  const { client } = server;
  const place = { workspaceId: server.id, level: 'workspace', subjectId: server.id } as const;
  await setPolicy(server.server.deps, place, { send: 'approve' }, operator);
  const refused = await client.messages.reply(messageId, { text: payload('refused'), force: true });
  await decideHeld(server, 'refuse', refused.id, payload('reason'));
  const { id } = await client.messages.reply(messageId, {
    force: true,
    text: payload('held'),
    html: `<p>${payload('held-html')}</p><a href="javascript:hits.push(4)">x</a>`,
    headers: { 'X-Note': payload('held-header').slice(0, 100) },
    attachments: [{ filename: `${short('held-file')}.txt`, content: Buffer.from(payload('held-content')) }],
  });
  return id;
}

/** Counts what the texts do on a page. */
async function watch(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.addInitScript('window.hits = []');
  page.on('request', (request) => {
    if (request.url().includes('/hit/')) found.push(`loaded ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    found.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  return found;
}
const hitsOn = (page: Page) => page.evaluate('window.hits') as Promise<string[]>;

test('no text of mail or of the API does anything on any page', async () => {
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  await context.addCookies(browserCookies(owner));
  const page = await context.newPage();
  const found = await watch(page);
  let seen = '';
  for (const path of pathsIn('navigation.ts')) {
    await page.goto(`${server.url}/console/${fillPath(path, ids)}`);
    await settle(page);
    found.push(...(await hitsOn(page)).map((hit) => `${path} ran ${hit}`));
    seen += (await page.locator('body').textContent()) ?? '';
  }
  for (const [tab, shown] of Object.entries({ 'Plain text': 'text', Headers: 'header', Source: 'header' })) {
    await page.goto(`${server.url}/console/threads/${ids.threadId}?message=${ids.messageId}`);
    await page
      .getByRole('tab', { name: tab })
      .or(page.getByText(tab, { exact: true }))
      .first()
      .click();
    await page.locator('main', { hasText: `/hit/${shown}` }).waitFor();
    await settle(page);
    found.push(...(await hitsOn(page)).map((hit) => `${tab} ran ${hit}`));
    seen += (await page.locator('body').textContent()) ?? '';
  }
  const links = await page
    .locator('a[href]')
    .evaluateAll((all) => all.map((a) => (a as HTMLAnchorElement).protocol));
  expect(links.filter((protocol) => !['http:', 'https:', 'mailto:'].includes(protocol))).toEqual([]);
  expect(found).toEqual([]);
  // The texts were really there. In names of files a slash is replaced.
  const fields = [
    'from',
    'subject',
    'text',
    'file',
    'label',
    'draft',
    'key',
    'workspace',
    'inbox',
    'header',
    'held',
    'held-file',
    'reason',
  ];
  expect(fields.filter((field) => !new RegExp(`[/_]hit[/_]${field}\\s`).test(seen))).toEqual([]);
});

test('the same text as HTML, without the policy, runs and loads', async () => {
  const page = await browser.newPage();
  const found = await watch(page);
  await page.goto('about:blank');
  await page.setContent(`<base href="${server.url}/">${payload('control')}`);
  await expect.poll(() => hitsOn(page)).toContain('control');
  expect(found).toContain(`loaded ${server.url}/hit/control`);
  await page.close();
});
