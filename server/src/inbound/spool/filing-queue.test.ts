import { expect, test } from 'vitest';
import { costInTurns, FilingQueue } from './filing-queue.ts';
import type { SpooledEnvelope } from './spool-mail.ts';

const mib = 1_048_576;
const envelope = (id: string, inbox = 'inb_a') =>
  ({ id, size_bytes: 0, targets: [{ inbox_id: inbox }] }) as unknown as SpooledEnvelope;

test('mails leave in the order in which they came, and one that is put back is the last', () => {
  const mails = new FilingQueue();
  for (const id of ['a', 'b', 'c']) mails.add(envelope(id), null);
  const first = mails.shift();
  expect(first?.envelope.id).toBe('a');
  mails.putBack(first!);
  const ids = [mails.shift(), mails.shift(), mails.shift(), mails.shift()].map((mail) => mail?.envelope.id);
  expect(ids).toEqual(['b', 'c', 'a', undefined]);
});

test('the mail of one inbox waits for one mail of each other one, and the oldest of all is known', async () => {
  const mails = new FilingQueue();
  for (const id of ['a0', 'a1', 'a2']) mails.add(envelope(id), null);
  await new Promise((resolve) => setTimeout(resolve, 50));
  mails.add(envelope('b0', 'inb_b'), null);
  expect([mails.shift(), mails.shift()].map((mail) => mail?.envelope.id)).toEqual(['a0', 'b0']);
  expect(mails.oldestMs).toBeGreaterThan(40);
  expect(mails.oldestMsOf('inb_a')).toBeGreaterThan(40);
  expect(mails.oldestMsOf('inb_b')).toBe(0);
  expect([mails.shift(), mails.shift()].map((mail) => mail?.envelope.id)).toEqual(['a1', 'a2']);
  expect([mails.oldestMs, mails.length]).toEqual([0, 0]);
});

test('a mail takes turns by its bytes, its files and its copies', () => {
  const of = (size_bytes: number, targets: number) =>
    ({ size_bytes, targets: Array.from({ length: targets }, () => ({})) }) as unknown as SpooledEnvelope;
  expect([costInTurns(of(0, 1)), costInTurns(of(mib, 1)), costInTurns(of(0, 1), 100)]).toEqual([1, 17, 11]);
  expect([costInTurns(of(65_536, 3), 10), costInTurns(of(0, 0))]).toEqual([9, 1]);
});

test('bytes are kept up to 32 MiB, those of small mail up to 64 MiB, and make room once they are let go of', () => {
  const mails = new FilingQueue();
  const add = (bytes: number) => mails.add(envelope('a'), Buffer.alloc(bytes));
  const large = add(32 * mib);
  expect(large.raw).toHaveLength(32 * mib);
  expect(add(65_537).raw).toBeNull();
  for (let kept = 0; kept < 32 * mib; kept += 65_536) expect(add(65_536).raw).not.toBeNull();
  expect(add(1).raw).toBeNull();
  mails.shift();
  expect(add(1).raw).toBeNull();
  mails.letGo(large);
  expect(add(65_536).raw).not.toBeNull();
});
