import { expect, test } from 'vitest';
import { isQuiet, noteQuiet, noteReceived, quietForMsMax } from './quiet-inboxes.ts';

const open = () => ({ memory: new Map() });

test('an inbox is quiet once it was asked about, and for a while only', () => {
  const deps = open();
  expect(isQuiet(deps, 'inb_a', quietForMsMax)).toBe(false);
  const now = performance.now();
  noteQuiet(deps, 'inb_a', now);
  expect(isQuiet(deps, 'inb_a', quietForMsMax)).toBe(true);
  expect(isQuiet(deps, 'inb_b', quietForMsMax)).toBe(false);
  expect(isQuiet(open(), 'inb_a', quietForMsMax)).toBe(false);
  noteQuiet(deps, 'inb_a', now - quietForMsMax);
  expect(isQuiet(deps, 'inb_a', quietForMsMax)).toBe(false);
});

test('mail that is stored ends it, also while the database is being asked', () => {
  const deps = open();
  const askedAtMs = performance.now();
  noteQuiet(deps, 'inb_a', askedAtMs);
  noteReceived(deps, 'inb_a');
  expect(isQuiet(deps, 'inb_a', quietForMsMax)).toBe(false);
  noteQuiet(deps, 'inb_a', askedAtMs);
  expect(isQuiet(deps, 'inb_a', quietForMsMax)).toBe(false);
  noteQuiet(deps, 'inb_a', performance.now() + 1);
  expect(isQuiet(deps, 'inb_a', quietForMsMax)).toBe(true);
});
