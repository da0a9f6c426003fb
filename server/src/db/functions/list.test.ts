import { globSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type LockName, lockNames } from '../locks.ts';
import { functionNames, functions, versionNumber } from './apply.ts';

/**
 * Statements of a function are planned once per connection, because planning them for each call costs as much as running them, and every
 * look-up has only one good plan. None reads a whole table, because a plan from a time when a table had one page would still do so when it
 * has many. None is compiled, because the planner expects thousands of rows from a batch, and compiling takes ten times as long as a mail.
 */
const plannedByIndex = 'set plan_cache_mode = force_generic_plan set enable_seqscan = off set jit = off';
/** Rows are looked up by their keys, one by one, and never joined with a whole table. */
const byNestedLoops = 'set enable_hashjoin = off set enable_mergejoin = off';
const alongTheQueue = 'set enable_bitmapscan = off set enable_material = off';

test('the list has every file, and each file one function', () => {
  const files = globSync('*/*.sql', { cwd: fileURLToPath(new URL('./', import.meta.url)) });
  expect(files.map((file) => file.replace('.sql', '')).sort()).toEqual([...functionNames].sort());
  for (const [index, name] of functionNames.entries()) {
    if (name.endsWith('-triggers')) continue;
    const created = [...functions[index]!.matchAll(/^create or replace function (\w+)/gm)].map(
      ([, found]) => found,
    );
    expect(created).toEqual([name.replace(/.*\//, '').replaceAll('-', '_')]);
  }
});

test('functions have the same settings, each set in lines of its own, and nothing is filled in', () => {
  for (const [index, name] of functionNames.entries()) {
    const text = functions[index]!;
    const lines = text.split('\n').filter((line) => /^ *set \w+ = \w+( |$)/.test(line));
    expect(
      [
        [],
        [plannedByIndex],
        [plannedByIndex, byNestedLoops],
        [plannedByIndex, `${byNestedLoops} ${alongTheQueue}`],
      ],
      name,
    ).toContainEqual(lines.map((line) => line.trim()));
    expect(text).not.toContain('${');
  }
});

test('functions take the locks that have a name, in their order', () => {
  for (const [index, name] of functionNames.entries()) {
    const taken = [...functions[index]!.matchAll(/lock_key\('([^']+)'/g)].map(
      ([, found]) => found as LockName,
    );
    const places = taken.map((lock) => lockNames.indexOf(lock));
    expect(places, name).not.toContain(-1);
    expect(places, name).toEqual(places.toSorted((a, b) => a - b));
  }
});

test('versions are in order as numbers, and pre-releases come before their release', () => {
  const inOrder = [
    '0.0.0-next-20261127',
    '0.9.0',
    '0.10.0',
    '1.0.0-alpha',
    '1.0.0-rc.1',
    '1.0.0-rc.2',
    '1.0.0',
    '1.0.1',
    '20.0.0',
  ];
  const numbers = inOrder.map(versionNumber);
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
  expect(versionNumber('1.0.0+build.5')).toBe(versionNumber('1.0.0'));
  expect(Math.max(...numbers)).toBeLessThan(2 ** 31);
});
