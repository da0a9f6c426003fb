import { fileURLToPath } from 'node:url';
import { type Correspondent, startCorrespondent } from '@postrider/example-correspondent';
import { type StartedProgram, startProgram } from '@postrider/example-start-server/program';
import { type RestartableServer, startRestartableServer } from '@postrider/example-start-server/restartable';
import { type Draft, Postrider } from 'postrider';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

const file = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const within = { timeout: 300_000, interval: 100 };

let ada: Correspondent;
let server: RestartableServer;
let client: Postrider;
const programs: StartedProgram[] = [];

beforeEach(async () => {
  ada = await startCorrespondent();
  server = await startRestartableServer({
    POSTRIDER_TRANSPORT: 'smtp',
    POSTRIDER_SMTP_RELAY: ada.relayUrl,
  });
  client = new Postrider({ apiKey: server.apiKey, baseURL: server.baseURL });
});
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.kill()));
  await server?.remove();
  await ada?.stop();
});

const start = (name: string, ...args: string[]) => {
  const program = startProgram([file(name), ...args], server);
  programs.push(program);
  return program;
};

const write = (subject: string, headers: Record<string, string> = {}) =>
  ada.send(server.smtpPort, {
    from: 'Ada <ada@engine.example>',
    to: 'support@postrider.test',
    subject,
    headers,
    text: `About ${subject}: it does not turn.`,
  });

const subjectsOf = (drafts: Draft[]) => drafts.map(({ subject }) => subject).sort();
const listDrafts = () => client.drafts.list().toArray({ limit: 100 });

/** Resolves once so many messages were dealt with; a message that was not is unread. */
const untilRead = (count: number) =>
  vi.waitFor(async () => {
    const read = await client.messages.list({ direction: 'inbound', read: true }).toArray({ limit: 100 });
    expect(read).toHaveLength(count);
  }, within);

test('drafts once for each message over crashes of both sides, and sends only what is approved', async () => {
  // An earlier run died behind the draft, before it marked the message.
  const inbox = await client.inboxes.getOrCreate({ local_part: 'support' });
  await write('One');
  const one = await client.messages.waitFor({ inbox_id: inbox.id, after: inbox.created_at });
  await client.drafts.create({ inbox_id: inbox.id, reply_to_message_id: one.id, text: 'Drafted before.' });
  const agent = start('support-agent.ts');
  await untilRead(1);

  // It dies in the middle of several messages, and some come while it is away.
  await Promise.all(['Two', 'Three', 'Four'].map((subject) => write(subject)));
  await vi.waitFor(() => expect(agent.lines.length).toBeGreaterThan(2), { ...within, interval: 1 });
  await agent.kill();
  await write('Five');
  await write('Six', { 'Auto-Submitted': 'auto-replied' });
  await server.crash();
  await server.start();
  start('support-agent.ts');
  await untilRead(6);

  // The server dies under a program that continues.
  await write('Seven');
  await server.crash();
  await server.start();
  await write('Eight');
  await untilRead(8);

  const drafts = await listDrafts();
  const subjects = ['One', 'Two', 'Three', 'Four', 'Five', 'Seven', 'Eight'].map(
    (subject) => `Re: ${subject}`,
  );
  expect(subjectsOf(drafts)).toEqual(subjects.sort());
  expect(drafts.every(({ to, status }) => to.join() === 'ada@engine.example' && status === 'draft')).toBe(
    true,
  );
  expect(ada.received).toHaveLength(0);

  const list = start('approve.ts');
  await list.ended;
  for (const { id } of drafts) expect(list.lines).toContainEqual(expect.stringContaining(id));
  // Two people approve the same ones at once, and one of them does so again.
  const isGood = (subject: string | null) => subject === 'Re: One' || subject === 'Re: Eight';
  const good = drafts.flatMap(({ id, subject }) => (isGood(subject) ? id : []));
  await Promise.all([start('approve.ts', ...good).ended, start('approve.ts', ...good).ended]);
  const again = start('approve.ts', ...good);
  await again.ended;
  expect(again.lines).toEqual(good.map((id) => expect.stringContaining(`Was sent before: ${id}`)));

  await write('Nine');
  await untilRead(9);
  expect(ada.received.map(({ subject }) => subject).sort()).toEqual(['Re: Eight', 'Re: One']);
  expect(ada.received.map(({ inReplyTo }) => inReplyTo)).toContain(one.message_id);
  expect((await listDrafts()).filter(({ status }) => status === 'draft')).toHaveLength(6);
});
