import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Correspondent, startCorrespondent } from '@postrider/example-correspondent';
import { type StartedProgram, startProgram } from '@postrider/example-start-server/program';
import { type RestartableServer, startRestartableServer } from '@postrider/example-start-server/restartable';
import { Postrider, type PostriderEvent } from 'postrider';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';

const program = fileURLToPath(new URL('follower.ts', import.meta.url));
const within = { timeout: 300_000, interval: 100 };

let ada: Correspondent;
let server: RestartableServer;
let client: Postrider;
let folder: string;
let follower: StartedProgram | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postrider-follower-'));
  ada = await startCorrespondent();
  server = await startRestartableServer();
  client = new Postrider({ apiKey: server.apiKey, baseURL: server.baseURL });
});
afterEach(() => follower?.kill());
afterAll(async () => {
  await server?.remove();
  await ada?.stop();
  await rm(folder, { recursive: true, maxRetries: 20 });
});

const readIds = async (path: string) => {
  const lines = (await readFile(path, 'utf8').catch(() => '')).split('\n').slice(0, -1);
  return lines.map((line) => (JSON.parse(line) as PostriderEvent).id);
};

const follow = (path: string) => {
  follower = startProgram([program, path], server);
  return follower;
};

const listIds = async () => {
  const events = await client.events.list({ limit: 100 });
  expect(events.events.length).toBeLessThan(100);
  return events.events.map(({ id }) => id);
};

test('has every event once and in order, over kills at any moment and a crash of the server', async () => {
  const path = join(folder, 'events.jsonl');
  const inbox = await client.inboxes.create({ local_part: 'agent' });
  // Long ones, so that the last line is not found with the first look.
  const write = (number: number) =>
    ada.send(server.smtpPort, {
      from: 'ada@engine.example',
      to: inbox.address,
      subject: `Mail ${number}`,
      text: 'ä\n'.repeat(number % 3 === 0 ? 40_000 : 10),
    });
  await write(0);
  let written = 0;
  const writing = (async () => {
    for (let number = 1; number <= 30; number++) {
      await write(number);
      written = number;
    }
  })();

  // It is killed each time that it has written something more.
  while (written < 30) {
    const { length } = await readIds(path);
    follow(path);
    await vi.waitFor(async () => {
      if (written < 30) expect((await readIds(path)).length).toBeGreaterThan(length);
    }, within);
    await follower?.kill();
  }
  await writing;

  // A kill may leave a line that was written in part, here a long one.
  await appendFile(path, `{"id":"evt_${'0'.repeat(100_000)}`);
  follow(path);
  await vi.waitFor(async () => expect(await readIds(path)).toHaveLength(31), within);
  await server.crash();
  await server.start();
  await write(31);
  await vi.waitFor(async () => expect(await readIds(path)).toHaveLength(32), within);
  // A repeated event would be written before this one.
  await write(32);
  await vi.waitFor(async () => expect(await readIds(path)).toContain((await listIds())[32]), within);
  expect(await readIds(path)).toEqual(await listIds());
});

test.each([
  ['nothing', ''],
  ['a line that was written in part', '{"id":"evt_'],
])('begins with the first event when the file has %s', async (_, content) => {
  const path = join(folder, `events-${content.length}.jsonl`);
  await appendFile(path, content);
  follow(path);
  await vi.waitFor(async () => expect(await readIds(path)).toEqual(await listIds()), within);
});
