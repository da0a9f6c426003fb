import { text } from 'node:stream/consumers';
import { findAccessibilityProblems } from '@postrider/testkit/browser/find-accessibility-problems.ts';
import { openBrowser } from '@postrider/testkit/browser/open-browser.ts';
import { openAs, openPage, readRegion, signInOn } from '@postrider/testkit/browser/person-pages.ts';
import { makePerson, type TestPerson } from '@postrider/testkit/http/console-browser.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

type Page = Awaited<ReturnType<typeof openPage>>;

const password = 'a much longer one';
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

/** Invites an address on the page of people, and returns the link. */
async function invite(page: Page, email: string): Promise<string> {
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('button', { name: 'Create the invitation' }).click();
  await page.getByText('This server did not send it by email.').waitFor();
  const link = await readRegion(page, 'Invitation link');
  await page.getByRole('button', { name: 'Done' }).click();
  return link;
}

/** Invites somebody and follows the link, up to the first page in the workspace. */
async function inviteAndJoin(owner: Page, name: string) {
  const email = `${name.toLowerCase()}-${crypto.randomUUID()}@example.com`;
  const link = await invite(owner, email);
  const page = await openPage(browser, server.url, '/forgot-password');
  await page.goto(link);
  await page.getByText(`You have been invited to join as a member, with the address ${email}.`).waitFor();
  expect(page.url()).toBe(`${server.url}/console/invitation`);
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Choose a password').fill('too short');
  expect(await page.getByRole('button', { name: 'Accept the invitation' }).isDisabled()).toBe(true);
  await page.getByLabel('Choose a password').fill(password);
  expect(await findAccessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.getByRole('button', { name: `Account of ${name}` }).waitFor();
  return { email, link, page };
}

describe('people', () => {
  test('come by a link that leaves the address bar, and become owners, who sign in again', async () => {
    const owner = await openFor(await makePerson(server), '/people');
    const { email, page: guest } = await inviteAndJoin(owner, 'Grace');
    await guest.goto(`${server.url}/console/people`);
    await guest.getByRole('row', { name: /Grace.*You/ }).waitFor();
    expect(await guest.getByRole('button', { name: 'Invite' }).count()).toBe(0);
    await owner.reload();
    await owner.getByRole('button', { name: 'Actions for Grace' }).click();
    await owner.getByRole('menuitem', { name: 'Make an owner' }).click();
    await owner.getByRole('button', { name: 'Change the role' }).click();
    await owner.getByText('Grace is now an owner.').waitFor();
    await guest.reload();
    await signInOn(guest, { email, password });
    await guest.getByRole('button', { name: 'Invite', exact: true }).waitFor();
    expect(await findAccessibilityProblems(guest)).toEqual([]);
  });

  test('lose access at once, and come back with the password that they have', async () => {
    const owner = await openFor(await makePerson(server), '/people');
    const { email, link, page: guest } = await inviteAndJoin(owner, 'Linus');
    await owner.reload();
    await owner.getByRole('button', { name: 'Actions for Linus' }).click();
    await owner.getByRole('menuitem', { name: 'Remove from the workspace' }).click();
    await owner.getByRole('button', { name: 'Remove', exact: true }).click();
    await owner.getByText('Linus was removed from the workspace.').waitFor();
    await guest.goto(`${server.url}/console/people`);
    await guest.getByRole('heading', { name: 'Sign in' }).waitFor();
    await guest.goto(link);
    await guest.getByText('The link no longer works').waitFor();
    await guest.goto(await invite(owner, email));
    await guest.getByText('This address already has an account.').waitFor();
    expect(await findAccessibilityProblems(guest)).toEqual([]);
    await guest.getByLabel('Password', { exact: true }).fill('not this one');
    await guest.keyboard.press('Enter');
    await guest.getByText('Sign-in failed').waitFor();
    await guest.getByLabel('Password', { exact: true }).fill(password);
    await guest.keyboard.press('Enter');
    await guest.getByRole('button', { name: 'Account of Linus' }).waitFor();
  });

  test('are invited again and again, and only the last link works until it is revoked', async () => {
    const owner = await openFor(await makePerson(server), '/people');
    const email = `twice-${crypto.randomUUID()}@example.com`;
    const first = await invite(owner, email);
    const second = await invite(owner, email);
    const guest = await openPage(browser, server.url, '/invitation');
    await guest.getByText('This link is incomplete').waitFor();
    await guest.goto(first);
    await guest.getByText('The link no longer works').waitFor();
    await guest.goto(second);
    await guest.getByText(`with the address ${email}`).waitFor();
    await owner.getByRole('button', { name: `Revoke the invitation for ${email}` }).click();
    await owner.getByRole('button', { name: 'Revoke the invitation', exact: true }).click();
    await owner.getByText(`The invitation for ${email} was revoked.`).waitFor();
    await guest.getByLabel('Your name').fill('Late');
    await guest.getByLabel('Choose a password').fill('a much longer one');
    await guest.getByRole('button', { name: 'Accept the invitation' }).click();
    await guest.getByText('The link no longer works').waitFor();
  });
});

describe('the workspace', () => {
  test('is renamed by an owner, and the audit log says by whom, filtered by the address', async () => {
    const person = await makePerson(server);
    const page = await openFor(person, '/settings');
    const name = `Renamed ${crypto.randomUUID()}`;
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: `Workspace ${name}. Switch to another` }).waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.goto(`${server.url}/console/audit?person=${person.id}`);
    await page.getByRole('button', { name: `to “${name}”` }).click();
    await page.getByText('workspace.renamed').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await page.getByLabel('Action', { exact: true }).selectOption({ label: 'Person removed' });
    await page.getByText('Nothing matches the filters.').waitFor();
    const { person: who, action } = Object.fromEntries(new URL(page.url()).searchParams);
    expect([who, action]).toEqual([person.id, 'member.removed']);
  });

  test('shows its usage by day, also as a table', async () => {
    const inbox = await server.client.inboxes.create({ local_part: `usage-${Date.now()}` });
    await server.client.messages.send({ inbox_id: inbox.id, to: [inbox.address], subject: 'One', text: '1' });
    const page = await openFor(await makePerson(server), '/usage?days=7');
    await page.getByRole('img', { name: /^Chart: Sent and received/ }).waitFor();
    await page.getByText('All days as a table').click();
    const today = server.server.deps.clock.now().toISOString().slice(0, 10);
    const table = page.getByRole('table', { name: 'All days as a table' });
    await table.getByRole('row', { name: today }).waitFor();
    expect(await table.getByRole('row').count()).toBe(8);
    expect(await findAccessibilityProblems(page)).toEqual([]);
  });

  test('has first steps until all are done, ticked while mail comes and goes', async () => {
    const workspace = await server.workspace();
    const { id, address } = await workspace.client.inboxes.create({ local_part: `first-${Date.now()}` });
    const page = await openFor(await makePerson(server, 'owner', workspace), '/inboxes');
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('2 of 5 done').waitFor();
    expect(await readRegion(page, 'Command')).toContain(`--mail-rcpt ${address}`);
    expect(await findAccessibilityProblems(page)).toEqual([]);
    await workspace.client.messages.send({ inbox_id: id, to: [address], subject: 'One', text: '1' });
    await steps.getByText('4 of 5 done').waitFor();
    await workspace.client.webhooks.create({
      url: 'https://hooks.example.com/one',
      events: ['message.received'],
    });
    await page.reload();
    await page.getByRole('link', { name: address }).waitFor();
    await steps.waitFor({ state: 'detached' });
  });

  test('shows what the doctor finds to owners of the first workspace, and says so to others', async () => {
    const [first] = await server.rows<{ id: string }>('select id from workspaces order by id limit 1');
    const operator = await makePerson(server, 'owner', { id: first?.id ?? '' });
    const page = await openFor(operator, '/doctor');
    await page.getByRole('heading', { name: 'database' }).waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    const other = await openFor(await makePerson(server), '/doctor');
    await other.getByRole('heading', { name: 'This page is for the operator of the server' }).waitFor();
  });

  test('shows whether the audit log is intact, with the last hash, and saves it as a file', async () => {
    const workspace = await server.workspace();
    const page = await openFor(await makePerson(server, 'owner', workspace), '/audit');
    await page.getByText(/^Chain intact: 1 entry since /).waitFor();
    await page.getByRole('button', { name: 'Copy the last hash' }).waitFor();
    await page.getByText('signed in with password').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`audit-${workspace.id}.jsonl`);
    const saved = await text(await download.createReadStream());
    expect(
      saved
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([{ workspace_id: workspace.id, seq: 1, action: 'person.signed_in' }]);
    await server.rows(`update audit_entries set after = '{}' where workspace_id = $1`, [workspace.id]);
    await page.reload();
    const alert = page.getByRole('alert').filter({ hasText: 'The audit log was changed from outside' });
    await alert.getByText('Entry 1 was changed.').waitFor();
    expect(await findAccessibilityProblems(page)).toEqual([]);
  });

  test('keeps audit log and doctor from members', async () => {
    const page = await openFor(await makePerson(server, 'member'), '/doctor');
    await page.getByRole('heading', { name: 'Only owners can see this page' }).waitFor();
    await page.goto(`${server.url}/console/audit`);
    await page.getByRole('heading', { name: 'Only owners can see this page' }).waitFor();
    await page.goto(`${server.url}/console/settings`);
    await page.getByText('Only owners of the workspace can change its name.').waitFor();
  });
});
