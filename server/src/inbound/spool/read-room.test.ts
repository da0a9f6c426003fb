import { expect, test } from 'vitest';
import { ReadRoom, readAheadLimits } from './read-room.ts';
import type { SpooledEnvelope } from './spool-mail.ts';

const mib = 1_048_576;
const mail = (inbox_id: string, size_bytes: number) =>
  ({ size_bytes, targets: [{ inbox_id }] }) as unknown as SpooledEnvelope;

/** Reads mails of 1 MiB for as long as they have room, and answers how many they were. */
const fill = (room: ReadRoom, inbox: string): number => {
  let count = 0;
  for (; room.has(inbox); count += 1) room.enter(mail(inbox, mib));
  return count;
};

test('each inbox takes about half of what is free, so that there is room for the next one', () => {
  const room = new ReadRoom();
  const counts = ['inb_a', 'inb_b', 'inb_c', 'inb_d'].map((inbox) => fill(room, inbox));
  expect(counts).toEqual([17, 8, 4, 2]);
  expect([room.has('inb_a'), room.has('inb_e')]).toEqual([false, true]);
});

test('what was stored makes room, also that of a mail larger than all of it', () => {
  const room = new ReadRoom();
  const large = mail('inb_a', 2 * readAheadLimits.bytesMax);
  room.enter(large);
  expect([room.has('inb_a'), room.has('inb_b')]).toEqual([false, false]);
  room.leave(large);
  expect([room.has('inb_a'), fill(room, 'inb_b')]).toEqual([true, 17]);
});
