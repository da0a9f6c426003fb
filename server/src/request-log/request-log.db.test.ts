import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { eventually } from '@postrider/testkit/lib/eventually.ts';
import { endSharedServer } from '@postrider/testkit/servers/test-server.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Database } from '../db/database.ts';
import { requestRowRates } from '../lib/admission/server-limits.ts';
import { newId } from '../lib/ids.ts';
import { examinedMax, type ListRequests, listRequests, viewRequest } from './list-requests.ts';
import { type AnsweredRequest, openRequestLog } from './open-request-log.ts';

const log = pino({ level: 'silent' });
let database: Database;

beforeAll(async () => {
  await endSharedServer();
  database = await openFreshDatabase();
});
afterAll(() => database.close());

let count = 0;
const start = Date.parse('2027-03-01T00:00:00.000Z');

const request = (workspace_id: string, more: Partial<AnsweredRequest> = {}): AnsweredRequest => {
  count += 1;
  return {
    workspace_id,
    at: new Date(start + count),
    id: `req_${String(count).padStart(12, '0')}`,
    key_id: 'key_a',
    method: 'GET',
    path: '/v1/inboxes',
    status: 200,
    error: null,
    duration_ms: 3,
    ...more,
  };
};

const writeAll = async (requests: AnsweredRequest[]) => {
  const requestLog = openRequestLog({ db: database.db, database, log });
  for (const each of requests) requestLog.add(each);
  await requestLog.close();
};

const list = (workspaceId: string, query: Partial<ListRequests> = {}) =>
  listRequests({ db: database.db, workspaceId }, { limit: 100, ...query });

const readIds = async (workspaceId: string, query: Partial<ListRequests> = {}) =>
  (await list(workspaceId, query)).rows.map(({ id }) => id);

const allIds = async (workspaceId: string, query: Partial<ListRequests>, between = async () => {}) => {
  const ids: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await list(workspaceId, { ...query, cursor });
    ids.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
    pages += 1;
    await between();
  } while (cursor !== undefined);
  return { ids, pages };
};

describe('the log of requests', () => {
  test('lists the requests of the workspace only, newest first', async () => {
    const [own, other] = [newId('wsp'), newId('wsp')];
    const mine = [request(own), request(own, { status: 404, error: 'not_found', method: 'DELETE' })];
    await writeAll([request(other), ...mine, request(other)]);
    const { rows, nextCursor } = await list(own);
    expect(nextCursor).toBeNull();
    expect(rows.map(viewRequest)).toEqual(
      mine.toReversed().map(({ workspace_id: _, at, ...rest }) => ({
        ...rest,
        at: (at as Date).toISOString(),
        skipped: 0,
      })),
    );
  });

  test('pages through requests of the same millisecond, while others are added, without gaps or repetitions', async () => {
    const own = newId('wsp');
    const at = new Date(start);
    const requests = Array.from({ length: 25 }, () => request(own, { at }));
    await writeAll(requests);
    const found = await allIds(own, { limit: 4 }, () => writeAll([request(own)]));
    expect(found.ids).toEqual(requests.map(({ id }) => id).toReversed());
    expect(found.pages).toBe(7);
  });

  test('finds requests by key, method, part of the path, status and time', async () => {
    const own = newId('wsp');
    const post = request(own, { method: 'POST', path: '/v1/messages', status: 201 });
    const missing = request(own, { path: '/v1/messages/msg_Abc%5F_\\x', status: 404, key_id: 'key_b' });
    const broken = request(own, { status: 503 });
    await writeAll([post, missing, broken]);
    expect(await readIds(own, { method: 'post' })).toEqual([post.id]);
    expect(await readIds(own, { key_id: 'key_b' })).toEqual([missing.id]);
    expect(await readIds(own, { path: '/V1/messages' })).toEqual([missing.id, post.id]);
    expect(await readIds(own, { status: '2xx' })).toEqual([post.id]);
    expect(await readIds(own, { status: '4xx' })).toEqual([missing.id]);
    expect(await readIds(own, { status: '5xx' })).toEqual([broken.id]);
    expect(await readIds(own, { before: (broken.at as Date).toISOString() })).toEqual([missing.id, post.id]);
    expect(await readIds(own, { status: '4xx', method: 'POST' })).toEqual([]);
  });

  test.each([
    ['%', 1],
    ['_', 1],
    ['\\', 1],
    ['%%', 0],
    ["'; drop table api_requests; --", 0],
    ['x'.repeat(300), 0],
  ])('takes %s in a path as it is', async (path, found) => {
    const own = newId('wsp');
    await writeAll([request(own), request(own, { path: '/v1/messages/msg%5f_\\x' })]);
    expect(await readIds(own, { path })).toHaveLength(found);
  });

  test('records a path that no database can hold, cut and with marks', async () => {
    const own = newId('wsp');
    await writeAll([request(own, { path: `/v1/\0\ud800${'é'.repeat(10_000)}` })]);
    expect((await list(own)).rows[0]?.path).toBe(`/v1/??${'é'.repeat(294)}`);
  });

  test('records some of the requests of a busy key and all of a quiet one, and says how many were skipped', async () => {
    const own = newId('wsp');
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { burst } = requestRowRates.success;
    const requestLog = openRequestLog({ db: database.db, database, log });
    for (let n = 0; n < burst + 50; n++) requestLog.add(request(own, { key_id: 'key_busy' }));
    const quiet = request(own, { key_id: 'key_quiet' });
    const failed = request(own, { key_id: 'key_busy', status: 422 });
    requestLog.add(quiet);
    requestLog.add(failed);
    await requestLog.close();
    const rows = await database.pool.query(
      'select count(*)::int as count from api_requests where workspace_id = $1',
      [own],
    );
    expect(rows.rows[0].count).toBeLessThanOrEqual(burst + 4);
    expect(await readIds(own, { key_id: 'key_quiet' })).toEqual([quiet.id]);
    expect(await readIds(own, { status: '4xx' })).toEqual([failed.id]);
  });

  test('looks through a bounded number of requests for each page', async () => {
    const own = newId('wsp');
    await database.pool.query(
      `insert into api_requests select $1, $2::timestamptz + n * interval '1 ms', 'req_' || n, 'key_a', 'GET',
         case n when 1 then '/v1/rare' else '/v1/inboxes' end, 200, null, 1, 0 from generate_series(1, $3::int) n`,
      [own, new Date(start), examinedMax * 2 + 5],
    );
    const first = await list(own, { path: 'rare', limit: 10 });
    expect(first.rows).toEqual([]);
    expect(first.nextCursor).not.toBeNull();
    const found = await allIds(own, { path: 'rare' }, () =>
      writeAll([request(own, { at: new Date(start + 10 ** 9) })]),
    );
    expect(found).toEqual({ ids: ['req_1'], pages: 3 });
  });

  test('keeps requests that the database did not take, and writes none twice', async () => {
    const own = newId('wsp');
    let warnings = 0;
    const write = () => {
      warnings += 1;
    };
    const noting = pino({ level: 'warn' }, { write });
    const requestLog = openRequestLog({ db: database.db, database, log: noting });
    const requests = [request(own), request(own)];
    await database.pool.query('alter table api_requests rename to api_requests_away');
    for (const each of requests) requestLog.add(each);
    await eventually('the first try', async () => warnings > 0);
    await database.pool.query('alter table api_requests_away rename to api_requests');
    await requestLog.close();
    // As after a commit whose answer was lost.
    await writeAll(requests);
    expect(await readIds(own)).toEqual(requests.map(({ id }) => id).toReversed());
  });
});
