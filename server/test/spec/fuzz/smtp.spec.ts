/*
 * Clients that say anything: every connection comes to its end, what the server says is bounded and is SMTP, and each mail that
 * it took is listed once.
 */

import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { fuzzTest } from '@postrider/testkit/lib/fuzz-rounds.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { playScript, type SmtpScript, smtpScripts } from '@postrider/testkit/smtp/smtp-script.ts';
import fc from 'fast-check';
import type { Inbox } from 'postrider';
import { afterAll, beforeAll, expect } from 'vitest';

const casesARound = 12;
const clientsAtOnce = 12;
const saidBytesMax = 20_000;

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ env: { POSTRIDER_RATE_LIMITS: 'off' } });
});
afterAll(() => server.stop());

/** The messages that the server said it took. */
const takenIn = (said: string): string[] =>
  [...said.matchAll(/^250 2\.0\.0 Ok: (msg_\w+)/gm)].map(([, id]) => id ?? '');

const play = async (script: SmtpScript): Promise<string[]> => {
  const said = await playScript(server.smtpPort, script);
  expect(said.length).toBeLessThan(saidBytesMax);
  const replies = said.split('\r\n').slice(0, -1);
  expect(replies.filter((line) => !/^[2-5]\d\d[ -][^\0\n\r]*$/.test(line))).toEqual([]);
  return takenIn(said);
};

/** The message that stands for each taken mail, which is an older one when the same bytes came before. */
const messagesOf = async (inbox: Inbox, taken: string[]): Promise<string[]> => {
  const rows = await server.rows<{ message_id: string; reply: string }>(
    "select message_id, reply from smtp_decisions where inbox_id = $1 and verdict in ('accepted', 'repeated')",
    [inbox.id],
  );
  const messages = new Map(rows.map(({ message_id, reply }) => [reply, message_id]));
  return taken.flatMap((id) => messages.get(`250 2.0.0 Ok: ${id}`) ?? []);
};

const listedIn = async (inbox: Inbox): Promise<string[]> => {
  const ids: string[] = [];
  for await (const { id } of server.client.messages.list({ inbox_id: inbox.id, limit: 100 })) ids.push(id);
  return ids;
};

fuzzTest('whatever clients say, the server lives, and what it took is listed once', 'smtp', async (seed) => {
  let tried = 0;
  const inbox = await server.inbox();
  const taken = new Set<string>();
  const scripts = fc.array(smtpScripts(inbox.address), {
    minLength: 1,
    maxLength: clientsAtOnce,
    size: 'max',
  });
  const property = fc.asyncProperty(scripts, async (some) => {
    tried += some.length;
    for (const ids of await Promise.all(some.map(play))) for (const id of ids) taken.add(id);
  });
  await fc.assert(property, { seed, numRuns: casesARound, interruptAfterTimeLimit: 20_000 });
  const noted = await eventually('a verdict on every mail', async () => {
    const messages = await messagesOf(inbox, [...taken]);
    return messages.length === taken.size && messages;
  });
  const listed = await listedIn(inbox);
  expect(new Set(listed).size).toBe(listed.length);
  expect(noted.filter((id) => !listed.includes(id))).toEqual([]);
  expect((await server.request('/livez', { key: null })).status).toBe(200);
  if (seed % 10 === 1) console.log(`smtp: seed ${seed}, ${taken.size} mails taken by ${tried} clients`);
  return tried;
});
