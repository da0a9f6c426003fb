import { failOn } from '@postrider/testkit/database/failing-table.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { makeEnvelope } from '@postrider/testkit/mail/made-envelope.ts';
import { makeTakingInbox } from '@postrider/testkit/servers/taking-inbox.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Deps } from '../deps.ts';
import type { InboxAddress } from '../inboxes/find-inbox.ts';
import { newArrival } from './arrival.ts';
import { Intake } from './intake.ts';
import { receive } from './receive.ts';
import { createSpool } from './spool/spool-mail.ts';

let server: TestServer;
let deps: Deps;
let intake: Intake;

beforeAll(async () => {
  server = await startTestServer({ roles: ['api'] });
  deps = server.server.deps;
});
afterAll(() => server.stop());

beforeEach(() => {
  intake = new Intake(deps);
});
afterEach(() => intake.close(5_000));

const makeInbox = () => makeTakingInbox(server);

const rawOf = (number: number, text = 'Hi') =>
  Buffer.from(`Message-ID: <mail-${number}@remote.example>\r\nSubject: ${number}\r\n\r\n${text}\r\n`);

const session = { id: 'session', remoteAddress: '127.0.0.1', helo: 'remote.example' };
const takeFrom = (helo: string, raw: Buffer, ...inboxes: InboxAddress[]) => {
  const recipients = inboxes.map((inbox) => ({ address: inbox.address, tag: inbox }));
  const client = { ...session, helo };
  return receive(deps, newArrival({ raw, client, envelopeFrom: 'ada@remote.example', recipients }), intake);
};

const take = (raw: Buffer, ...inboxes: InboxAddress[]) => takeFrom(session.helo, raw, ...inboxes);

/** More at once than go the direct way, so that the rest is spooled. */
const takeMany = (count: number, ...inboxes: InboxAddress[]) =>
  Promise.all(Array.from({ length: count }, (_, number) => take(rawOf(number), ...inboxes)));

const subjectsIn = async ({ inboxId }: InboxAddress): Promise<string[]> => {
  const rows = await server.rows<{ subject: string }>('select subject from messages where inbox_id = $1', [
    inboxId,
  ]);
  return rows.map(({ subject }) => subject).sort((one, two) => Number(one) - Number(two));
};
const numbers = (count: number) => Array.from({ length: count }, (_, number) => String(number));
const verdictsOf = ({ inboxId }: InboxAddress) =>
  server.rows('select verdict, message_id from smtp_decisions where inbox_id = $1', [inboxId]);

test('more mail than can be filed at once is acknowledged first and filed behind, each once, with its verdict and bytes', async () => {
  const [one, two] = [await makeInbox(), await makeInbox()];
  const answers = await takeMany(100, one, two);
  expect(answers.filter(({ code }) => code !== 250)).toEqual([]);
  await server.filed();
  for (const inbox of [one, two]) {
    expect(await subjectsIn(inbox)).toEqual(numbers(100));
    await eventually('the verdicts', async () => (await verdictsOf(inbox)).length === 100);
    expect(new Set((await verdictsOf(inbox)).map(({ verdict }) => verdict))).toEqual(new Set(['accepted']));
  }
  const bytes = await server.rows<{ subject: string; raw: Buffer }>(
    `select m.subject, o.raw from messages m join originals o on o.workspace_id = m.workspace_id and o.message_id = m.id
      where m.inbox_id = $1`,
    [two.inboxId],
  );
  expect(bytes.filter(({ subject, raw }) => !rawOf(Number(subject)).equals(Buffer.from(raw)))).toEqual([]);
  expect(bytes).toHaveLength(100);
});

test('a single mail can be read as soon as it is acknowledged', async () => {
  const inbox = await makeInbox();
  for (let number = 0; number < 10; number++) {
    const { text } = await take(rawOf(number), inbox);
    const [row] = await server.rows('select id from messages where inbox_id = $1 order by id desc limit 1', [
      inbox.inboxId,
    ]);
    expect(text).toBe(`Ok: ${row?.id}`);
  }
});

test('what is left in the spool when a process ends is filed by the next one, a large mail too', async () => {
  const inbox = await makeInbox();
  const spool = createSpool(deps);
  const large = rawOf(1, 'x'.repeat(100_000));
  for (const [number, raw] of [rawOf(0), large].entries()) {
    const envelope = makeEnvelope(inbox, raw, `ada-${number}@remote.example`);
    expect(await spool({ envelope, raw })).toBe(true);
  }
  expect(await subjectsIn(inbox)).toEqual([]);
  await intake.close(0);
  intake = new Intake(deps);
  await server.filed();
  expect(await subjectsIn(inbox)).toEqual(['0', '1']);
});

test('an inbox that was deleted before the acknowledgement is refused, and after it takes its mail along', async () => {
  const [gone, kept] = [await makeInbox(), await makeInbox()];
  await server.client.inboxes.delete(gone.inboxId);
  const answers = await takeMany(20, gone);
  expect(answers.filter(({ code }) => code !== 550)).toEqual([]);
  await eventually('the verdicts', async () => (await verdictsOf(gone)).length === 20);
  expect(new Set((await verdictsOf(gone)).map(({ verdict }) => verdict))).toEqual(new Set(['refused']));
  expect((await takeMany(20, gone, kept)).filter(({ code }) => code !== 250)).toEqual([]);
  await server.filed();
  expect([await subjectsIn(gone), await subjectsIn(kept)]).toEqual([[], numbers(20)]);
  const orphans = `select from originals o where not exists (select from messages m
    where m.workspace_id = o.workspace_id and m.id = o.message_id)`;
  expect(await server.rows(orphans)).toEqual([]);
});

test('one mail that the database refuses holds up no other, and is stored without its texts', async () => {
  const inbox = await makeInbox();
  const poison = { table: 'messages', sqlstate: '22P05', message: 'untranslatable character' };
  await failOn(server, { ...poison, when: `new.subject = '7'` }, async () => {
    expect((await takeMany(30, inbox)).filter(({ code }) => code !== 250)).toEqual([]);
    await server.filed();
  });
  const subjects = await subjectsIn(inbox);
  expect(subjects).toHaveLength(30);
  expect(subjects.filter((subject) => subject !== '')).toEqual(
    numbers(30).filter((number) => number !== '7'),
  );
});

test('what was acknowledged waits while the database takes no messages, and is filed then', async () => {
  const inbox = await makeInbox();
  const away = { table: 'messages', sqlstate: '57P03', message: 'the database system is starting up' };
  let codes: number[] = [];
  await failOn(server, away, async () => {
    codes = (await takeMany(30, inbox)).map(({ code }) => code);
    expect(await subjectsIn(inbox)).toEqual([]);
  });
  expect(codes.filter((code) => code === 250).length).toBeGreaterThanOrEqual(20);
  await server.filed();
  expect(await subjectsIn(inbox)).toHaveLength(codes.filter((code) => code === 250).length);
});

test('redeliveries that are spooled together are one message', async () => {
  const inbox = await makeInbox();
  const answers = await Promise.all(Array.from({ length: 30 }, () => take(rawOf(1), inbox)));
  expect(answers.filter(({ code }) => code !== 250)).toEqual([]);
  await server.filed();
  expect(await subjectsIn(inbox)).toEqual(['1']);
  const originals = 'select from originals o join messages m on m.id = o.message_id where m.inbox_id = $1';
  expect(await server.rows(originals, [inbox.inboxId])).toHaveLength(1);
});

test('a client that introduces itself with what no database holds is taken like others, and spoils nobody else', async () => {
  const inbox = await makeInbox();
  const helo = (number: number) => (number % 5 === 0 ? 'a\0b\ud800' : 'remote.example');
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, number) => takeFrom(helo(number), rawOf(number), inbox)),
  );
  expect(answers.filter(({ code }) => code !== 250)).toEqual([]);
  await server.filed();
  expect(await subjectsIn(inbox)).toEqual(numbers(40));
});

test('one mail that cannot be spooled is deferred, and those that came with it are taken', async () => {
  const inbox = await makeInbox();
  const refused = { table: 'spooled_mail', sqlstate: '22P05', message: 'untranslatable character' };
  await failOn(server, { ...refused, when: `new.helo = 'refused.example'` }, async () => {
    const helo = (number: number) => (number === 20 ? 'refused.example' : 'remote.example');
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, number) => takeFrom(helo(number), rawOf(number), inbox)),
    );
    expect(answers.map(({ code }) => code)).toEqual(Array(40).fill(250).with(20, 451));
  });
  await server.filed();
  expect(await subjectsIn(inbox)).toHaveLength(39);
});
