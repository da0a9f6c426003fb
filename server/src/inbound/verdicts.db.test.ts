import { Writable } from 'node:stream';
import { openFreshDatabase } from '@postrider/testkit/database/fresh-database.ts';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '../db/database.ts';
import { openDecisionLog } from './verdicts.ts';

let database: Database;

beforeAll(async () => {
  database = await openFreshDatabase();
});

afterAll(() => database.close());

test('when more decisions wait than there is room for, the oldest are lost and their number is logged once', async () => {
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const decisions = openDecisionLog({ db: database.db, log: pino(sink) });
  for (let number = 1; number <= 10_005; number++) {
    decisions.add({
      at: new Date(),
      session_id: String(number),
      remote_address: '192.0.2.1',
      verdict: 'refused',
      reply: '550 5.1.1 No such user',
    });
  }
  await decisions.close();
  const { rows } = await database.pool.query(
    'select count(*)::int as count, min(session_id::int) as first, max(session_id::int) as last from smtp_decisions',
  );
  expect(rows).toEqual([{ count: 10_000, first: 6, last: 10_005 }]);
  expect(lines.map((line) => JSON.parse(line).dropped)).toEqual([5]);
});
