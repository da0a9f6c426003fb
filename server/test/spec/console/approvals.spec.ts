/*
 * Interface 11: what an agent wants to send is read, approved and refused in a real browser: on a desk, on a phone, and by the link of a
 * mail.
 */
import { createHash } from 'node:crypto';
import type { Approval } from '@postrider/contract/console';
import { findAccessibilityProblems } from '@postrider/testkit/browser/find-accessibility-problems.ts';
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { holdLonger, signInOn } from '@postrider/testkit/browser/person-pages.ts';
import { takePicture } from '@postrider/testkit/browser/take-picture.ts';
import { signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { type ServerWithSink, startServerWithSink } from '@postrider/testkit/servers/server-with-sink.ts';
import type { TestWorkspace } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { simpleParser } from 'mailparser';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../src/audit/append-audit.ts';
import { createMailParser } from '../../../src/mail/parse/parse-pool.ts';
import { setPolicy } from '../../../src/policies/set-policy.ts';

type Browser = Awaited<ReturnType<typeof openBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

const sizes = { desk: { width: 1280, height: 800 }, phone: { width: 390, height: 844 } };
/** People hear of what is held after half a second. */
const timeScale = '20';

let relayed: ServerWithSink;
let server: ServerWithSink['server'];
let browser: Browser;
let owner: Awaited<ReturnType<typeof signedIn>>;
let support: Inbox;
const pages = {} as Record<keyof typeof sizes, Page>;
const faults: string[] = [];

beforeAll(async () => {
  [relayed, browser] = await Promise.all([
    startServerWithSink({ env: { POSTRIDER_TIME_SCALE: timeScale } }),
    openBrowser(),
  ]);
  server = relayed.server;
  owner = await signedIn(server);
  support = await server.inbox();
  await askForApproval(server);
  await Promise.all((['desk', 'phone'] as const).map(openOn));
});
afterAll(async () => {
  await browser?.close();
  await relayed?.stop();
});

function askForApproval({ id }: Pick<TestWorkspace, 'id'>) {
  const place = { workspaceId: id, level: 'workspace', subjectId: id } as const;
  return setPolicy(server.server.deps, place, { send: 'approve' }, operator);
}
async function openOn(size: keyof typeof sizes): Promise<void> {
  const page = await newPage(size);
  await page.goto(`${server.url}/console/approvals`);
  await signInOn(page, owner.person);
  await page.getByRole('heading', { name: 'Approvals', exact: true }).waitFor();
  pages[size] = page;
}
async function newPage(size: keyof typeof sizes): Promise<Page> {
  const context = await browser.newContext({ viewport: sizes[size], reducedMotion: 'reduce' });
  await holdLonger(context);
  const page = await context.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content Security Policy|Minified React/.test(message.text())) faults.push(message.text());
  });
  return page;
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });
const say = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const picture = (page: Page, name: string) => takePicture(page, `approval-${name}`, { fullPage: true });
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
const hold = (more: object = {}) =>
  server.client.messages.send({
    inbox_id: support.id,
    to: [`${server.freshName()}@remote.example`],
    subject: 'The offer',
    text: 'Here it is.',
    ...more,
  });
const shown = async (id: string) => (await owner.request(`/approvals/${id}`)).body as unknown as Approval;
const copyFor = async (address: string) => {
  await eventually(`mail for ${address}`, async () => relayed.sink.copiesFor(address).length > 0);
  return relayed.sink.copiesFor(address);
};
/** Calls a tool of the MCP server over HTTP and returns what a model reads. */
const callTool = async (name: string, args: object) => {
  const { text } = await server.request('/mcp', {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  });
  return text;
};

test.each(['desk', 'phone'] as const)(
  'Interface 11 Approval: a reply with a file is read and approved on a %s, and its bytes go out as they were shown',
  async (size) => {
    const page = pages[size];
    const from = `${server.freshName('ada')}@remote.example`;
    // The other page may still list what was approved a moment ago.
    const subject = `The price on a ${size}`;
    await sendMail(server.smtpPort, {
      from: `Ada <${from}>`,
      to: support.address,
      subject,
      text: 'What does it cost?',
    });
    await server.filed();
    const { messages } = await server.client.messages.list({ inbox_id: support.id, direction: 'inbound' });
    const asked = messages.find(({ from_addr }) => from_addr === from)!;
    const { id } = await server.client.messages.reply(asked.id, {
      text: 'It costs ten.',
      html: '<p>It costs <b>ten</b>. See <a href="https://evil.example/">shop.example</a>.<img src="https://track.example/1.gif"></p>',
      attachments: [{ filename: 'plan.txt', content_type: 'text/plain', content: Buffer.from('a plan') }],
    });
    const row = page
      .getByRole('table', { name: 'Waiting for you' })
      .getByRole('link', { name: `Re: ${subject}` });
    await row.waitFor();
    await row.click();
    await say(page, /The agent with the key “test” wants to send this/);
    await say(page, /Wrote to this inbox on .*, but without proof/);
    await say(page, 'A link shows shop.example and leads to evil.example.');
    await say(page, `Nothing proves that ${from} wrote the original message.`);
    await page.frameLocator('iframe').getByText('It costs ten. See shop.example.').waitFor();
    await say(page, '1 image on another server is not loaded.');
    await say(page, 'plan.txt');
    await page.getByText('Show the original message').click();
    await say(page, 'What does it cost?');
    await page.getByText('Headers and source').click();
    const { raw, content_hash } = await shown(id);
    await say(page, content_hash.slice(0, 12));
    const bytes = Buffer.from(await (await fetch(raw.url)).arrayBuffer());
    expect(await fits(page)).toBe(true);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await picture(page, `reply-${size}`);

    expect(relayed.sink.copiesFor(from)).toEqual([]);
    await button(page, 'Approve').click();
    await say(page, 'Approved. It is sent now.');
    await say(page, /^(Sent|Delivered)$/);
    await page.frameLocator('iframe').getByText('It costs ten. See shop.example.').waitFor();
    const [copy] = await copyFor(from);
    expect(sha256(copy!.raw)).toBe(sha256(bytes));
    await picture(page, `approved-${size}`);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await page.getByRole('table', { name: 'Decided' }).getByText(`Re: ${subject}`).first().waitFor();
    await picture(page, `list-${size}`);
  },
);

test('Interface 11 Approval: what the page does not show to everybody is said, and is not approved together with others unread', async () => {
  const [desk, phone] = [pages.desk, pages.phone];
  const { id } = await hold({
    subject: 'Parts \u202egnp.exe',
    text: 'The plain invoice.',
    html: '<p>The plain invoice.</p><!--[if mso]><p>Pay 4,000 EUR</p><![endif]--><style>@media print{p:after{content:"by noon"}}</style>',
  });
  await desk.goto(`${server.url}/console/approvals/${id}`);
  await desk.getByRole('heading', { name: 'Parts [U+202E]gnp.exe' }).waitFor();
  await say(desk, 'Only Outlook shows “Pay 4,000 EUR”.');
  await say(desk, 'Only on some screens, in some programs or on paper: “by noon”.');
  expect(await findAccessibilityProblems(desk)).toEqual([]);
  await picture(desk, 'parts-desk');
  await button(desk, 'Show the source').click();
  await desk.getByText('<!--[if mso]>').waitFor();
  await phone.goto(`${server.url}/console/approvals/review`);
  const item = phone.getByRole('article', { name: 'Parts [U+202E]gnp.exe' });
  const box = item.getByRole('checkbox');
  await item.getByText('Press “Show the source” first.').waitFor();
  expect(await box.isDisabled()).toBe(true);
  await picture(phone, 'parts-phone');
  await item.getByRole('button', { name: 'Show the source' }).click();
  await box.check();
  expect(await fits(phone)).toBe(true);
});

test('Interface 11 Approval: names of recipients, headers of the key and a file that is not what it says are shown', async () => {
  const page = pages.desk;
  const to = `${server.freshName()}@remote.example`;
  const { id } = await hold({
    to: [`"Agreed: we pay \u202eall" <${to}>`],
    headers: { 'X-Order': 'number 7' },
    attachments: [{ filename: 'invoice.exe', content_type: 'application/pdf', content: Buffer.from('MZ') }],
  });
  await page.goto(`${server.url}/console/approvals/${id}`);
  await say(page, 'The message calls this recipient “Agreed: we pay [U+202E]all”');
  await page.getByRole('term').getByText('x-order').waitFor();
  await say(page, 'number 7');
  await say(
    page,
    'The file invoice.exe is declared as application/pdf, but its name suggests another kind of file.',
  );
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await picture(page, 'names');
});

test('Interface 11 Approval: a refused message tells the agent why, by the SDK and by MCP, and its thread who it was', async () => {
  const page = pages.desk;
  const to = `${server.freshName()}@remote.example`;
  const { id, thread_id } = await hold({ to: [to], subject: 'Too early' });
  await page.goto(`${server.url}/console/threads/${thread_id}`);
  await say(page, 'This message has not been sent. It is waiting for approval.');
  await page
    .getByRole('link', { name: /Too early/ })
    .getByText('Held', { exact: true })
    .waitFor();
  await picture(page, 'thread-held');
  await page.getByRole('link', { name: 'Review it' }).click();
  await button(page, 'Refuse').click();
  await button(page, 'Wrong recipient').click();
  await picture(page, 'refuse');
  await page.getByRole('dialog').getByRole('button', { name: 'Refuse', exact: true }).click();
  await say(page, 'Refused. The agent is told.');
  const { recipients } = await server.client.messages.get(id);
  expect(recipients).toMatchObject([{ status: 'rejected', detail: 'not_approved: Wrong recipient' }]);
  expect(await callTool('get_message', { message_id: id })).toContain('Wrong recipient');
  await page.getByRole('link', { name: 'Show the whole conversation' }).click();
  await say(page, 'This message was not sent. Ada refused it: Wrong recipient');
  await picture(page, 'thread-refused');
  expect(relayed.sink.copiesFor(to)).toEqual([]);
});

test('Interface 11 Approval: of several, only those that were shown in full and chosen are approved together', async () => {
  const page = pages.phone;
  const [short, long] = [`${server.freshName()}@remote.example`, `${server.freshName()}@remote.example`];
  await hold({ to: [short], subject: 'Short' });
  await hold({ to: [long], subject: 'Long', text: 'A line.\n'.repeat(300) });
  const stays = await hold({ subject: 'Stays' });
  await page.goto(`${server.url}/console/approvals`);
  await page.getByRole('link', { name: 'Review several' }).click();
  const box = (subject: string) => page.getByRole('checkbox', { name: `Select “${subject}”` });
  await box('Short').check();
  expect(await box('Stays').isChecked()).toBe(false);
  expect(await box('Long').isDisabled()).toBe(true);
  await button(page, 'Show all 301 lines').click();
  await box('Long').check();
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await picture(page, 'review');
  await button(page, 'Approve 2').click();
  await expect.poll(() => page.getByText('Approved. It is sent now.').count()).toBe(2);
  await Promise.all([short, long].map(copyFor));
  expect(await server.client.messages.get(stays.id)).toMatchObject({ delivery_status: 'held' });
  const quiet = await server.inbox();
  await page.goto(`${server.url}/console/approvals/review?inbox=${quiet.id}`);
  await page.getByRole('heading', { name: 'Nothing is waiting for a decision' }).waitFor();
});

test('Interface 11 Approval: what the server could not show for now says so, is loaded again, and can then be approved', async () => {
  const page = pages.desk;
  const { id } = await hold({ subject: 'Busy', html: '<p>A formatted text.</p>' });
  const { deps } = server.server;
  const { parser } = deps;
  const stopped = createMailParser();
  await stopped.close();
  Object.assign(deps, { parser: stopped });
  try {
    await page.goto(`${server.url}/console/approvals/${id}`);
    await button(page, 'Show again').waitFor();
    const frame = page.frameLocator('iframe');
    await frame.getByText('This mail cannot be shown right now. Try again in a moment.').waitFor();
    expect(await button(page, 'Approve').isDisabled()).toBe(true);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await picture(page, 'not-shown');
  } finally {
    Object.assign(deps, { parser });
  }
  await button(page, 'Show again').click();
  await page.frameLocator('iframe').getByText('A formatted text.').waitFor();
  await button(page, 'Approve').click();
  await page.getByText('Approved. It is sent now.').waitFor();
  expect(await server.client.messages.get(id)).not.toMatchObject({ delivery_status: 'held' });
});

test('Console: mail that the server could not show for now says so, and can be shown again', async () => {
  const page = pages.desk;
  const html = '<p>A formatted mail.</p>';
  await sendMail(server.smtpPort, {
    from: 'ada@remote.example',
    to: support.address,
    subject: 'Shown',
    html,
  });
  const received = async () =>
    (await server.client.messages.list({ inbox_id: support.id })).messages.find(
      ({ subject }) => subject === 'Shown',
    );
  await eventually('the mail', async () => (await received()) !== undefined);
  const { thread_id } = (await received())!;
  const { deps } = server.server;
  const { parser } = deps;
  const stopped = createMailParser();
  await stopped.close();
  Object.assign(deps, { parser: stopped });
  try {
    await page.goto(`${server.url}/console/threads/${thread_id}`);
    await button(page, 'Show again').waitFor();
    await page.frameLocator('iframe').getByText('This mail cannot be shown right now.').waitFor();
  } finally {
    Object.assign(deps, { parser });
  }
  await button(page, 'Show again').click();
  await page.frameLocator('iframe').getByText('A formatted mail.').waitFor();
  await expect.poll(() => button(page, 'Show again').count()).toBe(0);
});

test('Interface 11 Approval: a person who sends what an agent drafted is told that it waits', async () => {
  const page = pages.desk;
  const draft = await server.client.drafts.create({
    inbox_id: support.id,
    to: ['ada@remote.example'],
    subject: 'By an agent',
    text: 'Here it is.',
  });
  await page.goto(`${server.url}/console/compose?draft=${draft.id}`);
  await button(page, 'Send').click();
  await button(page, 'Send now').click();
  await page.getByRole('heading', { name: 'Waiting for approval' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Review it' }).click();
  await say(page, /^The agent with the key “.+” wrote this draft, and a person sent it from/);
  await button(page, 'Approve').waitFor();
});

test('Interface 11 Approval: what somebody else decided meanwhile is said, and cannot be decided again', async () => {
  const page = pages.desk;
  const { id } = await hold({ subject: 'Twice' });
  await page.goto(`${server.url}/console/approvals/${id}`);
  await button(page, 'Approve').waitFor();
  const { content_hash } = await shown(id);
  await page.context().setOffline(true);
  const body = { decision: 'refuse', messages: [{ message_id: id, content_hash }], reason: 'Wrong tone' };
  await owner.request('/approvals/decide', { method: 'POST', body });
  await page.context().setOffline(false);
  await say(page, /^Refused by Ada, /);
  await say(page, 'Reason: Wrong tone');
  expect(await button(page, 'Approve').count()).toBe(0);
});

test('Interface 11 Approval: the link of a mail shows the message on a phone, and a click approves it once', async () => {
  // A workspace mails its people at most once in a few minutes.
  const team = await server.workspace();
  const { person } = await signedIn(server, 'owner', team);
  await askForApproval(team);
  const to = `${server.freshName()}@remote.example`;
  const { id } = await team.client.messages.send({
    inbox_id: (await server.inbox(team)).id,
    to: [to],
    subject: 'By link',
    html: '<p>Here <b>it</b> is.</p><noscript>Or not.</noscript>',
  });
  const link = await eventually('the mail with the link', async () => {
    const mails = await Promise.all(relayed.sink.copiesFor(person.email).map(({ raw }) => simpleParser(raw)));
    const blocks = mails.flatMap(({ text }) => (text ?? '').split('\n\n'));
    const block = blocks.find((each) => each.includes('Subject: By link'));
    return /https?:\/\/\S+\/console\/approve#\S+/.exec(block ?? '')?.[0];
  });
  const page = await newPage('phone');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.goto(link);
  await page.getByRole('heading', { name: 'Send this message?' }).waitFor();
  expect(new URL(page.url()).hash).toBe('');
  await page.reload();
  await page.frameLocator('iframe').getByText('Here it is.').waitFor();
  await say(page, 'Not shown here, but shown by some mail programs: “Or not.”.');
  await button(page, 'Approve').and(page.locator(':enabled')).waitFor();
  const calls = asked.filter((one) => one.includes('/console/api/'));
  expect(new Set(calls)).toEqual(new Set(['POST /console/api/approval-link']));
  expect(await team.client.messages.get(id)).toMatchObject({ delivery_status: 'held' });
  expect(await fits(page)).toBe(true);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await picture(page, 'link');
  await button(page, 'Approve').click();
  await say(page, 'Approved. It is sent now.');
  await copyFor(to);
  await page.reload();
  await page.getByRole('heading', { name: 'This was approved' }).waitFor();
  await picture(page, 'link-used');
  await page.goto(`${link.slice(0, -4)}AAAA`);
  await page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  await page.context().close();
  expect(faults).toEqual([]);
});
