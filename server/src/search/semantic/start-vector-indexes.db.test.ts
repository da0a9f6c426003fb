import { freshDatabase, hasExtension } from '@postrider/testkit/database/fresh-database.ts';
import { createHashedEmbedding } from '@postrider/testkit/database/hashed-embedding.ts';
import { type MailStore, openMailStore } from '@postrider/testkit/database/stored-mail.ts';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Deps } from '../../deps.ts';
import { createTimeScale, systemClock } from '../../lib/clock.ts';
import { bucketMessages } from '../index/choose-bucket.ts';
import { nearestStatus } from './embedding-status.ts';
import { startVectorIndexes } from './start-vector-indexes.ts';
import { spaceOf } from './vector-space.ts';

const hasVector = await hasExtension('vector');
const provider = createHashedEmbedding();
const pgvector = expect.stringMatching(/^0\./);

let store: MailStore;
let lines: string[];
let stops: (() => Promise<void>)[];

const start = (embeddingsIndex: 'auto' | 'off', embedding: Deps['embedding'] = provider) => {
  const deps = {
    ...store.deps,
    config: { embeddingsIndex },
    embedding,
    log: pino({ level: 'debug' }, { write: (line) => void lines.push(line) }),
    clock: systemClock,
    timeScale: createTimeScale(1),
    stopping: new AbortController().signal,
  } as unknown as Deps;
  stops.push(startVectorIndexes(deps));
};
/** Stops the newest first: it may be about to ask for the lease, which it must not find free. */
const stopAll = async () => {
  for (const stop of stops.toReversed()) await stop();
  stops = [];
};
const settlesAs = (status: object) =>
  vi.waitFor(async () => expect(await nearestStatus(store.deps)).toEqual(status), {
    timeout: 300_000,
    interval: 50,
  });

/** As many buckets as a workspace with 60,000 messages has, all of which have vectors. */
const grow = async () => {
  const buckets = Math.ceil(60_000 / bucketMessages);
  await store.rows(
    `insert into search_buckets (workspace_id, bucket, number, block, oldest, newest)
      select $1, n, n, 1, 'msg_1', 'msg_2' from generate_series(1, $2::int) n`,
    [store.workspaceId, buckets],
  );
  await store.rows('insert into embedding_progress (workspace_id, space) values ($1, $2)', [
    store.workspaceId,
    spaceOf(provider),
  ]);
};

beforeEach(async () => {
  store = await openMailStore(10, freshDatabase);
  lines = [];
  stops = [];
});
afterEach(async () => {
  await stopAll();
  await store.close();
});

test.runIf(hasVector)(
  'a large workspace has an index, until it is switched off or no provider is set',
  async () => {
    await grow();
    start('auto');
    await settlesAs({ pgvector, indexed: 1, building: 0 });
    await stopAll();
    start('off');
    await settlesAs({ pgvector, indexed: 0, building: 0 });
    await stopAll();
    start('auto');
    await settlesAs({ pgvector, indexed: 1, building: 0 });
    await stopAll();
    start('auto', null);
    await settlesAs({ pgvector, indexed: 0, building: 0 });
    expect(lines.filter((line) => line.includes('"level":50'))).toEqual([]);
  },
);

test.runIf(hasVector)('a database whose indexes are off is not given the extension', async () => {
  start('off');
  await vi.waitFor(async () => expect(await store.rows('select from leases')).toHaveLength(1), {
    timeout: 300_000,
  });
  await stopAll();
  await settlesAs({ pgvector: null, indexed: 0, building: 0 });
});

test.skipIf(hasVector)('a database without pgvector costs a line for debugging, in one process', async () => {
  await grow();
  start('auto');
  await vi.waitFor(() => expect(lines).not.toEqual([]), { timeout: 300_000, interval: 50 });
  start('auto');
  await stopAll();
  const levels = lines.map((line) => JSON.parse(line) as { level: number; msg: string });
  expect(levels).toEqual([
    expect.objectContaining({ level: 20, msg: expect.stringContaining('has no pgvector') }),
  ]);
  await settlesAs({ pgvector: null, indexed: 0, building: 0 });
});
