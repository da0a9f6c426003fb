import type { LoggedRequest, MailDecision, UsageDay } from '@postrider/contract/console';
import { type ConsoleBrowser, signedIn } from '@postrider/testkit/http/console-browser.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { joinTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { catchRefusal, sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let server: TestServer;
let owner: ConsoleBrowser;

beforeAll(async () => {
  server = await joinTestServer();
  owner = await signedIn(server);
});
afterAll(() => server.stop());

/** The responses of the lists of this file. */
interface Listed {
  requests: LoggedRequest[];
  decisions: MailDecision[];
  days: UsageDay[];
  next_cursor: string | null;
}

const listed = async (path: string): Promise<Listed> => {
  const { status, body } = await owner.request(path);
  expect([path, status, body.error]).toEqual([path, 200, undefined]);
  return body as unknown as Listed;
};

test('requests of keys are listed in pages, and those of the console are not among them', async () => {
  for (let n = 0; n < 3; n++) await server.request(`/v1/messages/msg_${n}?include=x`);
  await owner.request('/v1/account');
  const found = await eventually('the requests', async () => {
    const { requests } = await listed('/requests?path=/messages/msg_');
    return requests.length === 3 && requests;
  });
  expect(found[0]).toMatchObject({
    method: 'GET',
    path: '/v1/messages/msg_2',
    key_id: server.keyId,
    skipped: 0,
  });
  const { requests: all } = await listed('/requests');
  expect(all.filter(({ path }) => path.endsWith('/account'))).toEqual([]);
  const first = await listed('/requests?limit=2&path=msg_');
  const second = await listed(`/requests?limit=2&path=msg_&cursor=${first.next_cursor}`);
  const ids = [...first.requests, ...second.requests].map(({ id }) => id);
  expect(ids).toEqual(found.map(({ id }) => id));
  expect(second.next_cursor).toBeNull();
});

test('decisions on mail for the workspace are found, and mail for an unknown address at the shared domain is not', async () => {
  const inbox = await server.inbox();
  const unknown = `nobody-${inbox.address}`;
  const from = 'grace@sender.example';
  await sendMail(server.smtpPort, { from, to: inbox.address, subject: 'Hello', text: 'Hi' });
  await catchRefusal(sendMail(server.smtpPort, { from, to: unknown, subject: 'Hello', text: 'Hi' }));
  const decisions = await eventually('the decision', async () => {
    const body = await listed(`/decisions?query=${encodeURIComponent(inbox.address.toUpperCase())}`);
    return body.decisions.length > 0 && body.decisions;
  });
  expect(decisions).toMatchObject([{ verdict: 'accepted', inbox_id: inbox.id, mail_from: from }]);
  expect((await listed(`/decisions?query=${unknown}`)).decisions).toEqual([]);
  const { days } = await listed('/usage?days=1');
  expect(days).toHaveLength(1);
});

test('refused and deferred mail is found apart from the rest', async () => {
  const inbox = await server.inbox();
  const from = `bad@${server.freshName('blocked')}.example`;
  await server.client.rules.create({ kind: 'block', direction: 'inbound', pattern: from });
  await catchRefusal(sendMail(server.smtpPort, { from, to: inbox.address, subject: 'One', text: 'Hi' }));
  await sendMail(server.smtpPort, { from: 'a@fine.example', to: inbox.address, subject: 'Two', text: 'Hi' });
  const found = await eventually('both decisions', async () => {
    const lists = await Promise.all(
      ['failed', 'passed'].map((verdict) => listed(`/decisions?verdict=${verdict}&inbox_id=${inbox.id}`)),
    );
    const verdicts = lists.map(({ decisions }) => decisions.map(({ verdict }) => verdict));
    return verdicts.every(({ length }) => length > 0) && verdicts;
  });
  expect(found).toEqual([['refused'], ['accepted']]);
});

test('mail for unknown addresses is shown to owners of the first workspace only', async () => {
  const unknown = `mistyped-${(await server.inbox()).address}`;
  const from = 'grace@sender.example';
  await catchRefusal(sendMail(server.smtpPort, { from, to: unknown, subject: 'Hello', text: 'Hi' }));
  const [first] = await server.rows<{ id: string }>('select id from workspaces order by id limit 1');
  const operator = await signedIn(server, 'owner', { id: first?.id ?? '' });
  const path = `/unknown-recipients?query=${encodeURIComponent(unknown)}`;
  const decisions = await eventually('the refusal', async () => {
    const { body } = await operator.request(path);
    return (body as unknown as Listed).decisions.length > 0 && (body as unknown as Listed).decisions;
  });
  expect(decisions).toMatchObject([{ verdict: 'refused', inbox_id: null, rcpt_to: unknown }]);
  const { status, body } = await (await signedIn(server, 'owner', await server.workspace())).request(path);
  expect([status, body.error]).toEqual([403, 'owner_only']);
});

test('usage counts what was sent and received today', async () => {
  const inbox = await server.inbox();
  const received = async (): Promise<number> => (await listed('/usage?days=1')).days[0]?.received ?? -1;
  const before = await received();
  await sendMail(server.smtpPort, {
    from: 'a@sender.example',
    to: inbox.address,
    subject: 'One',
    text: 'Hi',
  });
  await eventually('the count', async () => (await received()) === before + 1);
});

test.each([
  '/requests?path=a%00b',
  '/requests?before=yesterday',
  '/requests?status=3xx',
  '/requests?cursor=x',
  `/decisions?query=${'x'.repeat(301)}`,
  '/decisions?query=a%0Ab',
  '/decisions?verdict=lost',
  '/decisions?cursor=x',
  '/usage?days=0',
  '/usage?days=91',
  '/usage?days=many',
  '/usage?more=1',
])('%s is refused with what is wrong', async (path) => {
  const { status, body } = await owner.request(path);
  expect([status, body.error]).toEqual([400, 'invalid_request']);
});

test.each([
  '/requests?path=%25',
  '/requests?path=_%5C%27',
  '/requests?key_id=*',
  '/decisions?query=%25%5C',
  '/decisions?inbox_id=x',
])('%s finds what has these characters, which is nothing', async (path) => {
  const body = await listed(path);
  expect(body.requests ?? body.decisions).toEqual([]);
});
