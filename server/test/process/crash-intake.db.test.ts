import { eventually } from '@postrider/testkit/lib/eventually.ts';
import {
  makeServerHome,
  type ServerHome,
  type ServerProcess,
} from '@postrider/testkit/servers/server-process.ts';
import {
  type IntakeMail,
  isAcknowledged,
  type MadeMail,
  madeUpMails,
  startIntake,
} from '@postrider/testkit/smtp/steady-intake.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';

const crashes = 2;

let home: ServerHome;

beforeEach(async () => {
  home = await makeServerHome();
});

afterEach(() => home.remove());

/**
 * The ids of the messages of an inbox, by their Message-ID, once each mail that is awaited is among them: what was acknowledged
 * and not yet filed when the server died is filed soon after the next start.
 */
const listed = (server: ServerProcess, inbox: string, awaited: MadeMail[]): Promise<Map<string, string[]>> =>
  eventually(
    'every acknowledged mail',
    async () => {
      const ids = await list(server, inbox);
      return awaited.every(({ messageId }) => ids.has(messageId)) && ids;
    },
    { pauseMs: 500 },
  );

const list = async ({ client }: ServerProcess, inbox: string): Promise<Map<string, string[]>> => {
  const ids = new Map<string, string[]>();
  for await (const { id, message_id } of client.messages.list({ inbox_id: inbox, limit: 100 }))
    ids.set(message_id, [...(ids.get(message_id) ?? []), id]);
  return ids;
};

const rawOf = async ({ client }: ServerProcess, id: string): Promise<Buffer> => {
  const { url } = await client.messages.raw(id);
  return Buffer.from(await (await fetch(url)).arrayBuffer());
};

test('a server that is killed again and again under load has every mail that it acknowledged, once and byte for byte', async () => {
  const mails: IntakeMail[] = [];
  let server = await home.start();
  const inbox = await server.client.inboxes.create({ local_part: 'intake' });
  for (let crash = 0; crash < crashes; crash++) {
    const intake = startIntake({
      port: server.smtpPort,
      to: inbox.address,
      sessions: 8,
      mails: madeUpMails(`crash-${crash}`, inbox.address),
    });
    await eventually('some mail', async () => intake.acknowledged() >= 100);
    await server.crash();
    await intake.ended;
    mails.push(...intake.mails);
    server = await home.start();
  }
  const acknowledged = mails.filter(isAcknowledged);
  expect(acknowledged.length).toBeGreaterThanOrEqual(100 * crashes);
  const ids = await listed(server, inbox.id, acknowledged);
  const wrong = acknowledged.filter(({ messageId }) => ids.get(messageId)?.length !== 1);
  expect(wrong.map(({ messageId }) => messageId)).toEqual([]);
  const known = new Set(mails.map(({ messageId }) => messageId));
  expect([...ids.keys()].filter((id) => !known.has(id))).toEqual([]);

  // A sender that heard nothing sends again: what had been stored is known, and what had not is stored now.
  const unanswered = mails.filter((mail) => !isAcknowledged(mail));
  expect(unanswered.length).toBeGreaterThan(0);
  const again = startIntake({
    port: server.smtpPort,
    to: inbox.address,
    sessions: 2,
    mails: unanswered,
  });
  await again.ended;
  expect(again.acknowledged()).toBe(unanswered.length);
  const all = await listed(server, inbox.id, mails);
  expect([all.size, [...all.values()].filter((each) => each.length !== 1)]).toEqual([mails.length, []]);

  const sample = mails.filter((_, index) => index % 7 === 0 || !isAcknowledged(mails[index]!));
  for (const mail of sample) {
    const raw = await rawOf(server, all.get(mail.messageId)?.[0] ?? '');
    expect([mail.messageId, raw.equals(mail.raw)]).toEqual([mail.messageId, true]);
  }
  await server.stop();
});
