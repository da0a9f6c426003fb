import type { Finding } from '@postrider/contract/console';
import { expect, test } from 'vitest';
import { countIn, groupFindings } from './doctor-page.tsx';

const finding = (part: string, state: Finding['state'], text: string): Finding => ({
  part,
  state,
  text,
  remedy: null,
});

const findings = [
  finding('Database', 'ok', 'a'),
  finding('DNS', 'note', 'b'),
  finding('Mail', 'ok', 'c'),
  finding('Mail', 'problem', 'd'),
  finding('DNS', 'ok', 'e'),
];

test('parts with problems come first, and problems first within a part', () => {
  const shown = groupFindings(findings).map(({ name, findings: own }) => [name, own.map(({ text }) => text)]);
  expect(shown).toEqual([
    ['Mail', ['d', 'c']],
    ['DNS', ['b', 'e']],
    ['Database', ['a']],
  ]);
});

test('nothing found is no part', () => {
  expect(groupFindings([])).toEqual([]);
});

test('findings are counted by state', () => {
  expect((['problem', 'note', 'ok'] as const).map((state) => countIn(findings, state))).toEqual([1, 1, 3]);
});
