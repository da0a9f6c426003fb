import { expect, test } from 'vitest';
import { requestRowRates } from '../lib/admission/server-limits.ts';
import { createRecordRoom } from './open-request-log.ts';

const key = { workspaceId: 'wsp_a', keyId: 'key_a' };

test('a busy key has a row for one request of many, and the next row counts those that were skipped', () => {
  let nowMs = 0;
  const room = createRecordRoom(() => nowMs);
  const taken = (times: number) => Array.from({ length: times }, () => room.take(key, 200));
  expect(taken(requestRowRates.success.burst)).toEqual(
    taken(0).concat(Array(requestRowRates.success.burst).fill(0)),
  );
  expect(taken(99)).toEqual(Array(99).fill(null));
  nowMs += 60_000 / requestRowRates.success.perMinute;
  expect(taken(3)).toEqual([99, null, null]);
  nowMs += 10 * 60_000;
  expect(taken(2)).toEqual([2, 0]);
});

test('errors have a share of their own, and so has each key', () => {
  const room = createRecordRoom(() => 0);
  for (let n = 0; n < requestRowRates.success.burst; n++) room.take(key, 201);
  expect(room.take(key, 200)).toBeNull();
  expect(room.take(key, 404)).toBe(0);
  expect(room.take({ ...key, keyId: 'key_b' }, 200)).toBe(0);
});

test('many keys of one workspace get no more rows than the workspace', () => {
  const room = createRecordRoom(() => 0);
  let rows = 0;
  for (let n = 0; n < requestRowRates.workspace.burst * 2; n++)
    if (room.take({ workspaceId: 'wsp_a', keyId: `key_${n % 200}` }, n % 2 ? 200 : 404) !== null) rows += 1;
  expect(rows).toBe(requestRowRates.workspace.burst);
  expect(room.take({ workspaceId: 'wsp_b', keyId: 'key_z' }, 200)).toBe(0);
});
