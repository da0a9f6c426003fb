import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runScript } from '../run/program.ts';
import { cacheFolder, run } from './peer.ts';

const manifest = {
  private: true,
  type: 'module',
  dependencies: { 'graphile-worker': '0.17.3', 'pg-boss': '10.4.2', undici: '8.12.4' },
};

/** The jobs of a queue. It signs and posts each job by itself, as is usual with these. */
export interface QueueLoad {
  databaseUrl: string;
  port: number;
  jobs: number;
  bytes: number;
}

const shared = `import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
const { databaseUrl, port, jobs, bytes } = JSON.parse(process.argv[2]);
const pool = new Pool('http://127.0.0.1:' + port, { connections: 50 });
const payload = { text: 'x'.repeat(bytes) };
let left = jobs, from = 0;
const { promise: ended, resolve } = Promise.withResolvers();
const post = async (data) => {
  const body = JSON.stringify(data);
  const signature = 'sha256=' + createHmac('sha256', 'secret').update(body).digest('hex');
  const headers = { 'content-type': 'application/json', 'x-signature': signature };
  const answer = await pool.request({ path: '/peer', method: 'POST', headers, body });
  await answer.body.dump();
  if (--left === 0) resolve();
};
const report = () => console.log(JSON.stringify({ perSecond: jobs / ((performance.now() - from) / 1000) }));
`;

const programs = {
  graphile: `${shared}
import { makeWorkerUtils, run } from 'graphile-worker';
const utils = await makeWorkerUtils({ connectionString: databaseUrl });
await utils.migrate();
await utils.addJobs(Array.from({ length: jobs }, () => ({ identifier: 'post', payload })));
from = performance.now();
const runner = await run({ connectionString: databaseUrl, concurrency: 24, noHandleSignals: true, taskList: { post },
  logger: new (await import('graphile-worker')).Logger(() => () => {}) });
await ended; report(); process.exit(0);`,
  boss: `${shared}
import PgBoss from 'pg-boss';
const boss = new PgBoss(databaseUrl);
await boss.start();
await boss.createQueue('post');
await boss.insert(Array.from({ length: jobs }, () => ({ name: 'post', data: payload })));
from = performance.now();
for (let worker = 0; worker < 4; worker++)
  await boss.work('post', { batchSize: 500, pollingIntervalSeconds: 0.5 }, async (batch) => {
    await Promise.all(batch.map(({ data }) => post(data)));
  });
await ended; report(); process.exit(0);`,
};

/** Returns the posts a second of a job queue that others wrote: graphile-worker as it is, or pg-boss with batches of 500. */
export async function postByQueue(peer: keyof typeof programs, load: QueueLoad): Promise<number> {
  const folder = await cacheFolder('queues');
  const wanted = JSON.stringify(manifest);
  const note = join(folder, 'installed.json');
  if (!existsSync(note) || (await readFile(note, 'utf8')) !== wanted) {
    await writeFile(join(folder, 'package.json'), wanted);
    run(['npm', 'install', '--no-audit', '--no-fund', '--ignore-scripts'], folder);
    await writeFile(note, wanted);
  }
  const script = join(folder, `${peer}.mjs`);
  await writeFile(script, programs[peer]);
  const { perSecond } = await runScript<{ perSecond: number }>(pathToFileURL(script), load);
  return perSecond;
}
