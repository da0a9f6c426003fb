import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WorkStopped } from './work-stopped.ts';
import { WorkThread, type WorkThreadLimits } from './work-thread.ts';

const code = `
import { threadId } from 'node:worker_threads';
import { serveJobs } from '${new URL('./serve-jobs.ts', import.meta.url)}';
await serveJobs(async () => async (job, reply) => {
  if (job === 'burn') for (;;);
  if (job === 'throw') throw new Error('thrown');
  if (job === 'fill') for (const kept = []; ; ) kept.push(new Array(10_000).fill(kept.length));
  reply({ job, threadId });
});`;
const limits: WorkThreadLimits = { heapMb: 32, processorMs: 200, idleMs: 10_000 };
type Answer = { job: unknown; threadId: number };
let folder: string;
let file: URL;
const threads: WorkThread<unknown, Answer>[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'work-thread-'));
  await writeFile(join(folder, 'worker.mjs'), code);
  file = pathToFileURL(join(folder, 'worker.mjs'));
});
afterAll(() => rm(folder, { recursive: true }));
afterEach(() => Promise.all(threads.splice(0).map((thread) => thread.close())));

const start = (options: Partial<WorkThreadLimits> = {}) => {
  const thread = new WorkThread<unknown, Answer>(file, { ...limits, ...options });
  threads.push(thread);
  return thread;
};
const reasonOf = (work: Promise<Answer>) =>
  work.then(
    ({ job }) => job,
    (error: unknown) => (error instanceof WorkStopped ? error.reason : error),
  );

test('jobs are done in their order by one thread', async () => {
  const thread = start();
  const answers = await Promise.all([1, 2, 3].map((job) => thread.run(job)));
  expect(answers.map(({ job }) => job)).toEqual([1, 2, 3]);
  expect(new Set(answers.map(({ threadId }) => threadId)).size).toBe(1);
});

test.each([
  ['burn', 'processor_time'],
  ['throw', 'error'],
  ['fill', 'memory'],
])('a job that does "%s" is given up alone: %s', async (job, reason) => {
  const thread = start(job === 'burn' ? {} : { processorMs: 60_000 });
  expect(await Promise.all([1, job, 2, job, 3].map((each) => reasonOf(thread.run(each))))).toEqual([
    1,
    reason,
    2,
    reason,
    3,
  ]);
});

test('a thread that cannot be loaded says nothing about its job', async () => {
  const thread = new WorkThread<unknown, Answer>(pathToFileURL(join(folder, 'missing.mjs')), limits);
  threads.push(thread);
  await expect(thread.run(1)).rejects.toMatchObject({ reason: 'not_started', isFinal: false });
});

test('a job whose thread ends while it is loaded is run by the next one, and loading takes none of its time', async () => {
  const flaky = join(folder, 'flaky.mjs');
  const lines = [
    `import { existsSync, writeFileSync } from 'node:fs';`,
    `if (!existsSync('${flaky}.1')) { writeFileSync('${flaky}.1', ''); process.exit(1); }`,
    `while (process.threadCpuUsage().user < 600_000);`,
  ];
  await writeFile(flaky, `${lines.join('\n')}\n${code}`);
  const thread = new WorkThread<unknown, Answer>(pathToFileURL(flaky), limits);
  threads.push(thread);
  expect(await thread.run(1)).toMatchObject({ job: 1 });
});

test('an idle thread ends, and the next job has another one', async () => {
  const thread = start({ idleMs: 50 });
  const { threadId } = await thread.run(1);
  await pause(300);
  expect((await thread.run(2)).threadId).not.toBe(threadId);
});

test('closing gives up what is not done, and refuses what comes', async () => {
  const thread = start({ processorMs: 60_000 });
  const work = ['burn', 1].map((job) => reasonOf(thread.run(job)));
  await pause(200);
  await thread.close();
  expect(await Promise.all([...work, reasonOf(thread.run(2))])).toEqual(['closed', 'closed', 'closed']);
});

test('memory that is given away is not copied', async () => {
  const bytes = new Uint8Array(1_000);
  await start().run(bytes, { own: [bytes.buffer] });
  expect(bytes.byteLength).toBe(0);
});
