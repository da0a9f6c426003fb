import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { signedZone } from '@postrider/testkit/mail/signed-mail.ts';
import {
  joinTestServer,
  type TestServer,
  type TestWorkspace,
} from '@postrider/testkit/servers/test-server.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { findAddressees, type InboxAddress } from '../inboxes/find-inbox.ts';
import { createMailAuthenticator } from '../mail/authenticate/authenticate-mail.ts';
import { type Arrival, newArrival } from './arrival.ts';
import { Intake } from './intake.ts';
import { receive } from './receive.ts';

let server: TestServer;
let deps: Deps;
let intake: Intake;

beforeAll(async () => {
  server = await joinTestServer();
  const { deps: opened } = server.server;
  const authenticator = createMailAuthenticator({
    resolve: signedZone,
    parser: opened.parser,
    hostname: 'mx.postrider.test',
    timeoutMs: 300_000,
  });
  deps = { ...opened, authenticator };
});
afterAll(() => server.stop());
beforeEach(() => {
  intake = new Intake(deps);
});
afterEach(() => intake.close(5_000));

/** Asked for after the rules are made, as RCPT does. */
const tagOf = async (address: string): Promise<InboxAddress> =>
  (await findAddressees(deps, [{ recipient: address, sender: '' }]))[0]!.inbox;
const workspaceWith = async (...rules: string[]): Promise<{ owner: TestWorkspace; inbox: InboxAddress }> => {
  const owner = await server.workspace();
  for (const text of rules) {
    const [kind, pattern = ''] = text.split(' ');
    await owner.client.rules.create({ kind: kind as 'allow', direction: 'inbound', pattern });
  }
  const { address } = await server.inbox(owner);
  return { owner, inbox: await tagOf(address) };
};

/** The SPF record of example.com names this address, and its policy refuses all other senders. */
const honest = '203.0.113.7';
const forger = '203.0.113.9';
let number = 0;
const takeAs = async (
  { client, from, envelopeFrom }: Pick<Arrival, 'client' | 'envelopeFrom'> & { from: string },
  inboxes: InboxAddress[],
) => {
  const raw = Buffer.from(`From: ${from}\r\nSubject: ${number++}\r\n\r\nHi\r\n`);
  const recipients = inboxes.map((inbox) => ({ address: inbox.address, tag: inbox }));
  const arrival = newArrival({ raw, client, envelopeFrom, recipients });
  const { code, enhanced } = await receive(deps, arrival, client && intake);
  return `${code} ${enhanced}`;
};
const take = (from: string, remoteAddress: string, inboxes: InboxAddress[], envelopeFrom = 'a@example.com') =>
  takeAs({ from, envelopeFrom, client: { id: 'session', remoteAddress, helo: 'example.com' } }, inboxes);
/** Mail that never left this server. */
const takeFromInside = (inboxes: InboxAddress[]) =>
  takeAs({ from: 'bob@x.example', envelopeFrom: 'a@example.com', client: null }, inboxes);
const count = async ({ inboxId }: InboxAddress): Promise<number> =>
  (await server.rows('select from messages where inbox_id = $1', [inboxId])).length;
const isRefused = '550 5.7.1';
const isTaken = '250 2.0.0';

test('an allow does not count for a From that fails DMARC, and counts for one that passes or has no policy', async () => {
  const { inbox } = await workspaceWith(
    'block example.com',
    'allow ada@example.com',
    'block x.example',
    'allow a@x.example',
  );
  expect(await take('ada@example.com', honest, [inbox])).toBe(isTaken);
  expect(await take('ada@example.com', forger, [inbox])).toBe(isRefused);
  expect(await take('bob@example.com', honest, [inbox])).toBe(isRefused);
  expect(await take('a@x.example', forger, [inbox])).toBe(isTaken);
  expect(await take('ada@example.com', '127.0.0.1', [inbox])).toBe(isTaken);
  expect(await count(inbox)).toBe(3);
});

test('an allow that stands against no block leaves a forged From to the reader, as without the allow', async () => {
  const { inbox } = await workspaceWith('allow ada@example.com', 'block x.example');
  expect(await take('ada@example.com', forger, [inbox])).toBe(isTaken);
});

test('of several authors one that is blocked is enough, and an allow of one does not help the other', async () => {
  const { inbox } = await workspaceWith('block example.com', 'allow ada@example.com');
  expect(await take('ada@example.com, bob@example.com', honest, [inbox])).toBe(isRefused);
  expect(await take('a@other.example, ada@example.com', forger, [inbox])).toBe(isRefused);
});

test('a forged mail for three workspaces is taken by the one whose rules do not depend on the author', async () => {
  const blocking = await workspaceWith('block example.com');
  const allowing = await workspaceWith('block example.com', 'allow ada@example.com');
  const without = await workspaceWith();
  const all = [blocking.inbox, allowing.inbox, without.inbox];
  expect(await take('ada@example.com', forger, all)).toBe(isTaken);
  expect(await Promise.all(all.map(count))).toEqual([0, 0, 1]);
  expect(await take('ada@example.com', honest, all)).toBe(isTaken);
  expect(await Promise.all(all.map(count))).toEqual([0, 1, 2]);
  expect(await take('ada@example.com', forger, all.slice(0, 2))).toBe(isRefused);
});

test('while mail is acknowledged before it is read, a blocked From is still refused before the 250, and the rest is taken', async () => {
  const blocking = await workspaceWith('block example.com');
  const allowing = await workspaceWith('block example.com', 'allow ada@example.com');
  const without = await workspaceWith();
  const everybody = [blocking.inbox, allowing.inbox, without.inbox];
  const rounds = Array.from({ length: 30 });
  const answers = await Promise.all(
    rounds.flatMap(() => [
      take('bob@example.com', honest, [blocking.inbox]),
      take('ada@example.com', forger, [allowing.inbox]),
      take('ada@example.com', honest, [allowing.inbox]),
      take('bob@example.com', honest, everybody),
      take('eve@x.example', honest, everybody),
    ]),
  );
  const expected = rounds.flatMap(() => [isRefused, isRefused, isTaken, isTaken, isTaken]);
  expect(answers).toEqual(expected);
  await server.filed();
  await eventually('all of it to be filed', async () => (await count(without.inbox)) === 60);
  expect(await Promise.all(everybody.map(count))).toEqual([30, 60, 60]);
  const verdicts = async () =>
    server.rows(
      `select verdict, left(reply, 9) as reply, count(*)::int as count from smtp_decisions
        where inbox_id = $1 group by 1, 2 order by 1`,
      [blocking.inbox.inboxId],
    );
  await eventually(
    'the verdicts',
    async () => (await verdicts()).reduce((sum, row) => sum + Number(row.count), 0) === 90,
  );
  expect(await verdicts()).toEqual([
    { verdict: 'accepted', reply: '250 2.0.0', count: 30 },
    { verdict: 'refused', reply: '550 5.7.1', count: 60 },
  ]);
});

test('rules that cannot be asked are no answer: the sender is told to try again, inside this server, too', async () => {
  const { inbox } = await workspaceWith('block example.com');
  const { inbox: other } = await workspaceWith();
  await server.rows('alter table rules rename to rules_away');
  try {
    expect(await take('bob@x.example', honest, [inbox])).toBe('451 4.3.0');
    expect(await takeFromInside([inbox])).toBe('451 4.3.0');
    expect(await take('bob@x.example', honest, [other])).toBe(isTaken);
    expect(await takeFromInside([other])).toBe(isTaken);
  } finally {
    await server.rows('alter table rules_away rename to rules');
  }
  expect(await take('bob@x.example', honest, [inbox])).toBe(isTaken);
  expect(await takeFromInside([inbox])).toBe(isTaken);
});
