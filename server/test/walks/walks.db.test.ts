/*
 * The walks: the files of the server that run for one call. A file belongs to a walk if one of its functions ran in each of five equal
 * calls, after ten that nobody looked at. ARCHITECTURE.md shows them, and how long they are is their ceiling there.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { type FreshDatabase, freshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { startTestServer, type TestServer } from '@postrider/testkit/servers/test-server.ts';
import { sendMail } from '@postrider/testkit/smtp/smtp-client.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requestRowRates } from '../../src/lib/admission/server-limits.ts';

const architecture = new URL('../../../ARCHITECTURE.md', import.meta.url);
const begin = '<!-- walks: written by POSTRIDER_WRITE_WALKS=1 npx vitest run --project database walks -->';
const end = '<!-- end of walks -->';
const unseenCalls = 10;
const seenCalls = 5;
const seenCallsMax = 100;
const secret = { POSTRIDER_SECRET: 'walks'.repeat(20) };

const unlimited = { perMinute: 1_000_000, burst: 1_000_000 };
const usualRates = { ...requestRowRates };

let database: FreshDatabase;
let server: TestServer;
const profiler = new Session();

beforeAll(async () => {
  // Each call gets its row in the log of requests, however many there are.
  Object.assign(requestRowRates, { success: unlimited, workspace: unlimited });
  database = await freshDatabase();
  // The work of a worker behind a call is no part of its walk.
  server = await startTestServer({ roles: ['api', 'smtp'], database: database.settings, env: secret });
  profiler.connect();
  await profiler.post('Profiler.enable');
  await profiler.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
});
afterAll(async () => {
  Object.assign(requestRowRates, usualRates);
  profiler.disconnect();
  await server.stop();
  await database.drop();
});

/** Has a worker bring all mail into the index, and end. */
async function indexAll(): Promise<void> {
  const worker = await startTestServer({
    roles: ['api', 'worker'],
    database: database.settings,
    env: secret,
  });
  await server.indexed();
  await worker.stop();
}

/** Returns the files of the server in which a function ran since the last call. */
async function filesThatRan(): Promise<Set<string>> {
  const { result } = await profiler.post('Profiler.takePreciseCoverage');
  const files = new Set<string>();
  for (const { url, functions } of result) {
    const file = /server\/src\/(.+)\.ts/.exec(url)?.[1];
    if (file !== undefined && functions.some(({ ranges: [whole] }) => whole && whole.count > 0))
      files.add(file);
  }
  return files;
}

/**
 * Returns the files that run in every one of a few equal calls, and not only now and then. While there are more than `most`, it looks at
 * further calls, because on a busy machine something else may run beside several.
 */
async function walkOf(call: () => Promise<unknown>, most: number, triesLeft = 2): Promise<string[]> {
  const whole = async () => {
    await call();
    await server.server.deps.background.settle(60_000);
  };
  for (let done = 0; done < unseenCalls; done++) await whole();
  let walk: Set<string> | null = null;
  for (let done = 0; done < seenCalls || ((walk?.size ?? 0) > most && done < seenCallsMax); done++) {
    await filesThatRan();
    await whole();
    const ran = await filesThatRan();
    walk = walk === null ? ran : walk.intersection(ran);
  }
  const files = [...(walk ?? [])].sort();
  // A call that was held up for longer than it waits for something runs through fewer files.
  return files.length < most && triesLeft > 0 ? walkOf(call, most, triesLeft - 1) : files;
}

/** Writes the files by folder, as in `http/{authenticate,router}`. */
function inFolders(files: string[]): string {
  const folders = Map.groupBy(files, (file) => file.slice(0, file.lastIndexOf('/') + 1));
  return [...folders]
    .map(([folder, members]) => {
      const names = members.map((file) => file.slice(folder.length));
      return `\`${folder}${names.length === 1 ? names[0] : `{${names.join(',')}}`}\``;
    })
    .join(' · ');
}

test('a send, a mail, a read and a search run through no more files than ARCHITECTURE.md says', async () => {
  const text = readFileSync(architecture, 'utf8');
  const [before = '', rest = ''] = text.split(begin);
  const [shown = '', after = ''] = rest.split(end);
  const ceilings = [...shown.matchAll(/\| (\d+) \|/g)].map(([, length]) => Number(length));
  const isWriting = Boolean(process.env.POSTRIDER_WRITE_WALKS);
  const inbox = await server.inbox();
  const { client } = server;
  const send = () =>
    client.messages.send({
      inbox_id: inbox.id,
      to: ['ada@outside.example'],
      subject: 'Hello',
      text: 'One line.',
    });
  const receive = async () => {
    const { address: to } = inbox;
    await sendMail(server.smtpPort, { from: 'ada@remote.example', to, subject: 'Hi', text: 'One line.' });
    await server.filed();
  };
  const { id } = await send();
  const search = async () => {
    const { messages } = await client.messages.list({ query: 'hello one line', limit: 5 });
    expect(messages.length).toBeGreaterThan(0);
  };
  const calls: [string, () => Promise<unknown>][] = [
    ['`POST /v1/messages`, one recipient, one line', send],
    ['one mail by SMTP, until it is listed', receive],
    ['`GET /v1/messages/:id`', () => client.messages.get(id)],
    ['`GET /v1/messages?query=`, three words', search],
  ];
  const walks: string[][] = [];
  for (const [n, [, call]] of calls.entries()) {
    if (call === search) await indexAll();
    walks.push(await walkOf(call, isWriting ? 0 : (ceilings[n] ?? 0)));
  }
  const rows = calls.map(([name], n) => `| ${name} | ${walks[n]?.length} | ${inFolders(walks[n] ?? [])} |`);
  const table = [
    '',
    '',
    '| call | files | below `server/src` |',
    '| --- | --- | --- |',
    ...rows,
    '',
    '',
  ].join('\n');
  if (isWriting) writeFileSync(architecture, before + begin + table + end + after);
  // A longer walk is a commit that says what was added, and a shorter one lowers its ceiling.
  else
    expect(
      walks.map(({ length }) => length),
      `write them anew:\n${rows.join('\n')}`,
    ).toEqual(ceilings);
});
