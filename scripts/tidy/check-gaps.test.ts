import { expect, it } from 'vitest';
import { checkGaps } from './check-gaps.ts';
import { parseSource } from './source-file.ts';

const findings = (...rows: string[]) =>
  checkGaps([
    parseSource('docs/spec/gaps.md', ['| what | choice | test |', '|---|---|---|', ...rows].join('\n')),
    parseSource('server/test/spec/inboxes.spec.ts', "test('an address is held for 30 days', f);"),
  ]).map(({ line, message }) => `${line} ${message}`);

it('takes a row that names a test file, alone or with words of it, or the part to come', () => {
  expect(
    findings(
      '| a | b | `inboxes.spec.ts` |',
      '| a | b | `inboxes.spec.ts: is held`; the rest with its part |',
      '| a | b | with its part |',
    ),
  ).toEqual([]);
});

it('refuses a row that names no test, a file that is not there, and words that do not stand in it', () => {
  expect(
    findings(
      '| a | `inboxes.spec.ts` | |',
      '| a | b | `gone.spec.ts` |',
      '| a | b | `inboxes.spec.ts: is free` |',
    ),
  ).toEqual([
    expect.stringContaining('3 this row names no test'),
    '4 there is no test file gone.spec.ts',
    '5 "is free" does not stand in inboxes.spec.ts',
  ]);
});
